"""Elements, rows and reductions over named arrays, as text: what the loops of level 7 compute.

Each expression has exactly the dtype asked for, so that carried names keep theirs and programs are rarely refused.
"""
from __future__ import annotations

import dataclasses

NUMPY = {"f8": "np.float64", "f4": "np.float32", "i8": "np.int64", "b": "np.bool_"}


@dataclasses.dataclass
class Array:
    """A name that holds an array; `frozen`: nothing stores to its memory, so that its values stay small integers.

    `memory` names the base that arguments are views of."""
    name: str
    dtype: str
    shape: tuple
    frozen: bool = False
    memory: str = ""


@dataclasses.dataclass
class Counter:
    """A loop's counter: at least `low`, and at most `extent - high`."""
    name: str
    extent: int
    low: int
    high: int


class Values:
    """Draws expressions over the arrays, counters and scalars that are in scope."""

    def __init__(self, random):
        self.random, self.lines, self.arrays, self.counters, self.scalars = random, [], [], [], []
        self.names, self.iterations, self.errors = 0, 1, 0.005 if random.random() < 0.85 else 0.2
        self.shift = random.choice([0, 0.03, 0.1, 0.3])  # of positions: without, the iterations of most loops do not need each other

    def fresh(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def line(self, level, text):
        self.lines.append("    " * level + text)

    def chance(self, share):
        return self.random.random() < share

    def find(self, rank=None, dtype=None, extent=None, written=False, axis=-1):
        """The arrays of this rank, dtype and extent of one axis; `written`: those that may be stored to."""
        return [a for a in self.arrays if (rank is None or len(a.shape) == rank) and (dtype is None or a.dtype == dtype)
                and (extent is None or a.shape[axis] == extent) and not (written and a.frozen)]

    def held(self, dtypes):
        """One of these dtypes, of those that an array has."""
        return self.random.choice([d for d in dtypes if self.find(dtype=d)] or dtypes)

    #  ---- positions ----

    def extent_text(self, extent):
        choices = [str(extent)]
        for a in self.arrays:
            for axis, n in enumerate(a.shape):
                if n == extent:
                    choices += [f"{a.name}.shape[{axis}]"] + [f"len({a.name})"] * (axis == 0)
        return self.random.choice(choices)

    def position(self, extent, near=0):
        """A position along an axis of this extent: mostly a counter, at times beyond it by one or two."""
        r = self.random
        fitting = [c for c in self.counters if c.extent == extent]
        if fitting and r.random() < 0.9:
            c = r.choice(fitting[-2:] if r.random() < 0.8 else fitting)
            offset = near or (r.choice([-2, -1, -1, 1, 2]) if self.chance(self.shift) else 0)
            if not self.chance(self.errors) and (offset > c.high - 1 or (offset < -c.low and not self.chance(0.15))):
                offset = 0
            if offset == 0 and self.chance(0.05):
                return f"{self.extent_text(extent)} - 1 - {c.name}"
            return c.name if offset == 0 else f"{c.name} {'+' if offset > 0 else '-'} {abs(offset)}"
        positions = [a for a in self.find(1, "i8") if a.name.startswith("p")]
        if positions and self.counters and r.random() < 0.3:
            a = r.choice(positions)
            inside = [c for c in self.counters if c.extent == a.shape[0]]
            if inside:
                return f"{a.name}[{r.choice(inside).name}]"
        smaller = [c for c in self.counters if c.extent < extent]
        if smaller and r.random() < 0.5:
            return r.choice(smaller).name
        if self.counters and extent and r.random() < 0.6:
            return f"{r.choice(self.counters).name} % {extent}"
        return r.choice(["0", "-1", str(max(extent - 1, 0))])

    def place(self, array, near=0):
        """An element of the array, as text."""
        first = self.random.randrange(len(array.shape))
        return f"{array.name}[{', '.join(self.position(n, near if k == first else 0) for k, n in enumerate(array.shape))}]"

    def scattered(self, array):
        """An element whose position along the first axis an array of positions gives; None where there is none."""
        positions = [a for a in self.find(1, "i8") if a.name.startswith("p")]
        if not positions or not self.counters:
            return None
        chosen = self.random.choice(positions)
        rest = "".join(f", {self.position(n)}" for n in array.shape[1:])
        return f"{array.name}[{chosen.name}[{self.position(chosen.shape[0])}]{rest}]"

    #  ---- elements ----

    def element(self, dtype, depth=2):
        """A NumPy scalar of exactly this dtype."""
        r = self.random
        if depth <= 0 or r.random() < 0.2:
            names = [name for name, kind in self.scalars if kind == dtype]
            if names and r.random() < 0.35:
                return r.choice(names)
            arrays = self.find(dtype=dtype)
            if arrays:
                return self.place(r.choice(arrays))
            return r.choice(names) if names else f"{NUMPY[dtype]}({r.randint(0, 3)})"
        a, b = self.element(dtype, depth - 1), self.element(dtype, depth - 1)
        if dtype == "b":
            kind = self.held(["f8", "f4", "i8"])
            return r.choice([f"({a} & {b})", f"({a} | {b})", f"({a} ^ {b})", f"(~{a})",
                             *[f"({self.element(kind, depth - 1)} {r.choice(['<', '<=', '>', '>=', '==', '!='])} {self.element(kind, depth - 1)})"] * 3])
        either = f"({a} if {self.condition(depth - 1)} else {b})"
        both = [f"({a} + {b})", f"({a} - {b})", f"max({a}, {b})", f"min({a}, {b})", f"np.maximum({a}, {b})", either, f"abs({a})", f"(-{a})"]
        if dtype == "i8":
            return r.choice([*both, f"({a} * {r.randint(-3, 3)})", f"({a} + {self.weak()})", f"({a} ^ {b})", f"({a} & {r.randint(1, 15)})", f"({a} >> 1)",
                             f"({a} % {r.randint(2, 9)})", f"({a} // {r.randint(2, 4)})", f"({a} * {b})"])
        wider = self.element(self.held(["f8", "f4", "i8"]), depth - 1) if dtype == "f8" else self.weak()
        return r.choice([*both, f"({a} * {self.factor()})", f"({a} * {self.factor()} + {b})", f"({a} * {b})", f"({a} + {wider})", f"({wider} - {a})",
                         f"({a} / {r.choice(['2.0', '3.0', '7'])})", f"np.sqrt(np.abs({a}))", f"({a} * {a})", f"({a} / (np.abs({b}) + 1))"])

    def factor(self):
        return self.random.choice(["0.5", "0.25", "-0.75", "0.3", "1.1", "-0.9", "2"])

    def weak(self):
        """A Python number."""
        if self.counters and self.chance(0.6):
            return self.random.choice(self.counters).name
        return str(self.random.randint(-3, 5))

    def condition(self, depth=1):
        r = self.random
        if self.counters and r.random() < 0.2:
            c = r.choice(self.counters).name
            return r.choice([f"{c} % 2 == 0", f"{c} > {r.randint(0, 4)}", f"{c} != {r.randint(0, 3)}"])
        if self.find(dtype="b") and r.random() < 0.2:
            return self.element("b", depth)
        kind = r.choice([a.dtype for a in self.arrays if a.dtype != "b"] or ["f8"])
        other = self.element(kind, depth - 1) if r.random() < 0.6 else r.choice(["0", "1", "2"])
        return f"{self.element(kind, depth)} {r.choice(['<', '<=', '>', '>='])} {other}"

    #  ---- rows ----

    def row_leaf(self, dtype, extent, frozen=False):
        """A view of `extent` elements, or None where no array has one."""
        r, choices = self.random, []
        for a in self.find(dtype=dtype):
            if frozen and not a.frozen:
                continue
            if len(a.shape) == 1 and a.shape[0] == extent:
                choices += [lambda a=a: a.name, lambda a=a: a.name, lambda a=a: f"{a.name}[::-1]"]
            elif len(a.shape) == 2:
                if a.shape[1] == extent:
                    choices += [lambda a=a: f"{a.name}[{self.position(a.shape[0])}{r.choice(['', ', :', ', :', ', ::-1'])}]"] * 4
                if a.shape[0] == extent:
                    choices += [lambda a=a: f"{a.name}[:, {self.position(a.shape[1])}]"] * 2
        return r.choice(choices)() if choices else None

    def row(self, dtype, extent, depth=2, frozen=False):
        """An array of `extent` elements of this dtype; `frozen`: of small whole numbers, to be summed."""
        r = self.random
        if depth <= 0 or r.random() < 0.25:
            return self.row_leaf(dtype, extent, frozen) or f"np.full({extent}, {r.randint(0, 3)}, {NUMPY[dtype]})"
        a, b = self.row(dtype, extent, depth - 1, frozen), self.row(dtype, extent, depth - 1, frozen)
        if dtype == "b":
            kind = self.held(["f8", "f4", "i8"])
            return r.choice([f"({a} & {b})", f"({a} ^ {b})", f"(~{a})", f"({self.row(kind, extent, depth - 1)} > {self.element(kind, 0)})"])
        exact = [f"({a} + {b})", f"({a} - {b})", f"np.maximum({a}, {b})", f"({a} * {r.randint(-3, 3)})", f"np.abs({a})",
                 f"np.where({a} > {b}, {a}, {r.choice([b, '0'])})", f"(-{a})"]
        if frozen:
            return r.choice(exact)
        scalar = self.element(dtype, 1)
        more = [f"({a} + {scalar})", f"({scalar} - {a})", f"({a} * {b})", f"({a} + {self.weak()})", f"np.minimum({a}, {scalar})",
                f"np.cumsum({self.row(dtype, extent, 0, dtype != 'i8')})"]
        more += [f"({a} & 7)", f"({a} % 5)", f"({a} // 2)"] if dtype == "i8" else [f"({a} * {self.factor()})", f"({a} * {self.factor()} + {b})",
                                                                                    f"({a} / 3.0)", f"np.sqrt(np.abs({a}))"]
        return r.choice(exact + more)

    def span(self, extent):
        """A slice of an axis of this extent, as text."""
        r = self.random
        c = r.choice(self.counters).name if self.counters else str(r.randint(0, 3))
        k = r.randint(1, 4)
        return r.choice([f":{c}", f":{c} + 1", f"{c}:", f"{c} + 1:", f"{c}:{c} + {k}", f"{c}:{c} + {k}", "1:", ":-1", "::2", "::-1", f"{k}:{k + 3}"])

    def sliced(self, dtype, extent, span):
        """A row cut by a slice that another row is cut by too."""
        leaf = self.row_leaf(dtype, extent)
        if leaf is None:
            return self.element(dtype, 1)
        cut = leaf[:-2] + span + "]" if leaf.endswith(", :]") else f"{leaf}[{span}]"
        return self.random.choice([cut, cut, f"({cut} * {self.element(dtype, 0)})", f"({cut} + {self.element(dtype, 1)})"]) if dtype != "b" else cut

    def reduction(self, dtype, extent):
        """A NumPy scalar of this dtype (not bool) that a whole row, a window of it or two rows give."""
        r = self.random
        whole = self.row(dtype, extent, r.choice([0, 0, 1]), dtype != "i8")
        largest = self.row(dtype, extent, r.choice([0, 0, 1]))
        other = self.row(dtype, extent, 0, dtype != "i8")
        cut = self.span(extent)
        sums = [f"{whole}.sum()", f"np.sum({whole})", f"np.dot({whole}, {other})", f"({whole} @ {other})", f"{whole}[{cut}].sum()",
                f"np.dot({whole}[{cut}], {other}[{cut}])", f"({whole} * {other}).sum()"]
        if dtype != "i8":
            sums += [f"{whole}.mean()"]
        if self.counters:
            c = r.choice(self.counters).name
            sums += [f"{self.row(dtype, extent, 0, dtype != 'i8')}[{c}:{c} + {r.randint(2, 4)}].sum()"] * 3
        if dtype != "i8" and not self.row_leaf(dtype, extent, True):
            sums = []  # no array of this extent holds small whole numbers
        return r.choice([*sums, *sums, f"{largest}.max()", f"np.min({largest})", f"{largest}[{cut}].max(initial=-99)"])
