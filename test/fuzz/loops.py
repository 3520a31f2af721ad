"""Random loops over arrays: what a compiler merges, reorders, carries in registers or raises to whole-array operations.

Every result is known to the last bit (EXACT). Element-wise and carried arithmetic has one order, Python's; where the order of
a sum is NumPy's own choice (`.sum()`, `np.dot`, `np.cumsum`), the terms are integers or small integers held as floats, which
no statement stores to. Programs whose positions leave an array are kept at times: what was stored before the IndexError counts.
"""
from __future__ import annotations

import math
import re
import warnings

import numpy as np

from .loop_carried import Carried
from .loop_values import NUMPY, Array, Counter
from .program import IMPORT, Base, Program

STORED = {"f8": "float64", "f4": "float32", "i8": "int64", "b": "bool_"}
# Which dtypes may be stored to an array of a dtype: no float to an integer, where what does not fit has no defined value.
FITS = {"f8": ["f8", "f8", "f4", "i8", "b"], "f4": ["f4", "f4", "f8", "i8", "b"], "i8": ["i8", "i8", "b"], "b": ["b", "b", "i8"]}
MOST_ITERATIONS = 3000  # of the innermost block of a nest: plain Python runs each program several times


class Loops(Carried):
    """Draws the statements of one function."""

    #  ---- statements ----

    def target(self, rank=None):
        found = self.find(rank, written=True)
        return self.random.choice(found) if found else None

    def sign(self, dtype):
        """`=` or an augmented assignment."""
        if dtype == "b":
            return self.random.choice(["=", "=", "&=", "|=", "^="])
        return self.random.choice(["=", "=", "=", "+=", "-=", "*="])

    def source(self, dtype, sign):
        return dtype if sign != "=" else self.held(FITS[dtype])

    def store_element(self, level):
        a = self.target()
        if a:
            sign = self.sign(a.dtype)
            place = (self.scattered(a) if self.chance(0.15) else None) or self.place(a)
            self.line(level, f"{place} {sign} {self.element(self.source(a.dtype, sign))}")

    def apart(self, array, sign, column, value):
        """The value to be stored to a row or column; a copy where it is a view that NumPy 2.4 stores wrongly.

        `x[1, :] = x[:, 2]` and `x[::2] = x[:4]` make no copy in NumPy, whatever overlaps, and only find the right order
        where both have the same stride.
        """
        view = re.fullmatch(r"(\w+)(\[[^()]*\])*", value)
        other = view and next((a for a in self.arrays if a.name == view[1]), None)
        if sign != "=" or not other or (other.memory or other.name) != (array.memory or array.name):
            return value
        return value if other is array and column == value.startswith(f"{array.name}[:, ") else f"{value}.copy()"

    def store_row(self, level):
        a = self.target(2)
        if not a:
            return self.store_slice(level)
        sign, (n, m) = self.sign(a.dtype), a.shape
        kind = self.source(a.dtype, sign)
        positions = [p for p in self.find(1, "i8") if p.name.startswith("p")]
        if self.chance(0.25):
            self.line(level, f"{a.name}[:, {self.position(m)}] {sign} {self.apart(a, sign, True, self.row(kind, n))}")
        elif positions and self.chance(0.15):
            p = self.random.choice(positions)
            self.line(level, f"{a.name}[{p.name}[{self.position(p.shape[0])}]] {sign} {self.apart(a, sign, False, self.row(kind, m))}")
        else:
            self.line(level, f"{a.name}[{self.position(n)}{self.random.choice(['', ', :'])}] {sign} {self.apart(a, sign, False, self.row(kind, m))}")
        return None

    def store_slice(self, level):
        a = self.target()
        if not a:
            return
        sign, extent = self.sign(a.dtype), a.shape[-1]
        span, kind = self.span(extent), self.source(a.dtype, sign)
        front = f"{self.position(a.shape[0])}, " if len(a.shape) == 2 else ""
        value = self.element(kind, 1) if self.chance(0.3) else self.apart(a, sign, False, self.sliced(kind, extent, span))
        self.line(level, f"{a.name}[{front}{span}] {sign} {value}")

    def store_reduction(self, level):
        a = self.target()
        kinds = [k for k in ("f8", "f4", "i8") if self.find(dtype=k) and a and k in FITS[a.dtype]]
        if kinds:
            kind = self.random.choice(kinds)
            sign = self.sign(a.dtype) if kind == a.dtype else "="
            held = [x for x in self.find(dtype=kind) if x.frozen or kind == "i8"]
            extent = self.random.choice([x.shape[-1] for x in held or self.find(dtype=kind)])
            self.line(level, f"{self.place(a)} {sign} {self.reduction(kind, extent)}")

    def temporaries(self, level):
        """Arrays made in the iteration, and at times stored to."""
        r, a = self.random, self.target(2) or self.target()
        if not a:
            return
        kind, extent, t = a.dtype, a.shape[-1], self.fresh("t")
        self.line(level, f"{t} = {r.choice(['{}.copy()', 'np.array({})', '({} + {})' if kind != 'b' else '({} | {})']).format(*[self.row(kind, extent, 1) for _ in 'ab'])}")
        last = t
        if r.random() < 0.5:
            last = self.fresh("u")
            self.line(level, f"{last} = {t}[::-1]")
        both = f"{last} {r.choice('&|^') if kind == 'b' else r.choice('+-*')} {t}"
        if r.random() < 0.5:
            self.line(level, f"{t}[{self.position(extent)}] {self.sign(kind)} {self.element(kind, 1)}")
        if len(a.shape) == 2:
            self.line(level, f"{a.name}[{self.position(a.shape[0])}] {self.sign(kind)} {both}")
        elif extent:
            self.line(level, f"{self.place(a)} = ({both})[{self.position(extent)}]")

    def scalar(self, level):
        """A scalar of the iteration, stored where it was computed from, or near."""
        a = self.target()
        if not a:
            return
        name = self.fresh("s")
        self.line(level, f"{name} = {self.element(a.dtype)}")
        self.scalars.append((name, a.dtype))
        self.statement(level, 0)
        self.line(level, f"{self.place(a)} {self.sign(a.dtype)} {name if self.chance(0.5) else self.element(a.dtype, 1)}")
        self.scalars.remove((name, a.dtype))

    def branch(self, level, nesting):
        self.line(level, f"if {self.condition()}:")
        self.block(level + 1, nesting, self.random.choice([1, 1, 2]))
        if self.chance(0.08) and self.counters:
            self.line(level + 1, self.random.choice(["continue", "break"]))
        if self.chance(0.4):
            self.line(level, "else:")
            self.block(level + 1, nesting, 1)

    def statement(self, level, nesting):
        r = self.random
        if nesting and r.random() < 0.35 and self.loop(level, nesting - 1):
            return
        drawn = len(self.lines)
        if nesting and self.chance(0.2):
            self.recurrence(level) if self.chance(0.6) else self.carried(level)
            if len(self.lines) > drawn:
                return
        choices = [self.store_element] * 3 + [self.store_row] * 4 + [self.store_slice] * 2 + [self.store_reduction] * 2 + [self.temporaries] * 2
        choices += [self.scalar, lambda level: self.branch(level, nesting)] if self.counters else []
        r.choice(choices)(level)
        if len(self.lines) == drawn:
            self.line(level, "pass")

    def block(self, level, nesting, count):
        for _ in range(count):
            self.statement(level, nesting)

    #  ---- loops ----

    def header(self, extent):
        """The arguments of range(), and the counter's least distance from both ends."""
        r, n = self.random, self.extent_text(extent)
        if self.chance(self.errors):  # beyond the last position, where an array is not longer
            return f"{n} + {r.randint(1, 2)}", 0, 1
        outer = [c for c in self.counters if c.extent == extent]
        if outer and r.random() < 0.35:
            c = r.choice(outer)
            return r.choice([(f"{c.name}", 0, c.high + 1), (f"{c.name} + 1", 0, c.high), (f"{c.name}, {n}", c.low, 1), (f"{c.name} + 1, {n}", c.low + 1, 1),
                             (f"{c.name} - 1, -1, -1", 0, c.high + 1)])
        return r.choice([*[(n, 0, 1)] * 5, (f"1, {n}", 1, 1), (f"1, {n}", 1, 1), (f"2, {n}", 2, 1), (f"{n} - 1", 0, 2), (f"{n} - 2", 0, 3), (f"1, {n} - 1", 1, 2),
                         (f"{n} - 1, -1, -1", 0, 1), (f"{n} - 2, -1, -1", 0, 2), (f"{n} - 1, 0, -1", 1, 1), (f"0, {n}, 2", 0, 1), (f"1, {n}, 3", 1, 1),
                         (f"0, {n} - 1, 2", 0, 2), (str(r.randint(0, extent)), 0, 1)])

    def open(self, level, extent=None, header=None):
        """Begin a loop, or return None where it would run too long."""
        if extent is None:
            extent = self.random.choice([n for a in self.arrays for n in a.shape])
        if self.iterations * extent > MOST_ITERATIONS:
            return None
        arguments, low, high = header or self.header(extent)
        counter = Counter(self.fresh("i"), extent, low, high)
        self.line(level, f"for {counter.name} in range({arguments}):")
        self.counters.append(counter)
        self.iterations *= max(extent, 1)
        return counter

    def close(self):
        self.iterations //= max(self.counters.pop().extent, 1)

    def loop(self, level, nesting):
        if not self.open(level):
            return False
        self.block(level + 1, nesting, self.random.choice([1, 1, 2, 2, 3]))
        self.close()
        return True

    def recurrence(self, level):
        """A loop whose iterations load what earlier ones stored, along one axis of one array or two."""
        r, a = self.random, self.target()
        if not a:
            return
        axis = r.randrange(len(a.shape))
        backward, distance = self.chance(0.25), r.choice([1, 1, 1, 2, 3])
        n = self.extent_text(a.shape[axis])
        ahead = self.chance(0.3)  # y[i + 1] = f(y[i]), rather than y[i] = f(y[i - 1])
        low, high = (0, distance + 1) if ahead != backward else (distance, 1)
        if self.chance(0.1 + self.errors):  # wraps around at one end, or leaves the array at the other
            low, high = 0, 1
        forward = f"{low}, {n} - {high - 1}" if high > 1 else f"{low}, {n}" if low else n
        c = self.open(level, a.shape[axis], (f"{n} - {high}, {low - 1}, -1" if backward else forward, low, high))
        if not c:
            return
        others = [self.position(m) for m in a.shape]
        if len(set(a.shape)) == 1 and self.chance(0.25):  # along a diagonal, from the last row on
            others = [f"{self.extent_text(a.shape[axis])} - {r.choice(['', '1 - '])}{c.name}"] * len(a.shape)

        def at(array, offset):
            places = list(others)
            places[axis] = c.name + (f" {'+' if offset > 0 else '-'} {abs(offset)}" if offset else "")
            return f"{array.name}[{', '.join(places)}]"
        step = -distance if backward else distance
        goal, here = (step, 0) if ahead else (0, -step)
        twins = [b for b in self.find(len(a.shape), a.dtype, written=True) if b is not a and b.shape == a.shape]
        if self.chance(0.25):
            steps = [f"{at(a, goal)} += {at(a, here)}" if a.dtype != "b" else f"{at(a, goal)} ^= {at(a, here)}"]
        else:
            steps = [f"{at(a, goal)} = {self.update(a.dtype, at(a, here))}"]
        if twins and self.chance(0.6):  # two arrays that feed each other
            b = r.choice(twins)
            steps = [f"{at(a, goal)} = {self.update(a.dtype, at(b, here))}", f"{at(b, goal)} = {self.update(a.dtype, r.choice([at(a, here), at(a, goal)]))}"]
        for text in steps:
            inner = level + 1
            if self.chance(0.2):
                self.line(inner, f"if {self.condition()}:")
                inner += 1
            self.line(inner, text)
        if self.chance(0.25):
            self.statement(level + 1, 0)
        if self.chance(0.2):
            self.line(level + 1, f"{at(a, goal)} {self.sign(a.dtype)} {self.element(a.dtype, 1)}")
        self.close()

    def update(self, dtype, before):
        r, e = self.random, self.element(dtype, 1)
        if dtype == "b":
            return r.choice([f"{before} ^ {e}", f"~{before}", f"{before} | {e}"])
        if dtype == "i8":
            return r.choice([f"{before} + {e}", f"{before} * 3 + {e}", f"max({before}, {e})", f"{before} ^ {e}", f"({before} * 5 + 1) % 17"])
        return r.choice([f"{before} * {self.factor()} + {e}", f"{before} + {e}", f"{before} - {e} * {self.factor()}", f"max({before}, {e})", f"abs({before}) * 0.5 - {e}",
                         f"{e} / (abs({before}) + 1)"])

    def carried(self, level):
        """Loops that carry scalars: sums, extrema and their positions, counters, names that change places."""
        r = self.random
        kinds = [k for k in ("f8", "f4", "i8") if self.find(dtype=k)] or ["f8"]
        makers = [self.total, self.product, self.extremum, self.position_of, self.count, self.alternating, self.parity]
        parts = [m(r.choice(kinds)) for m in r.sample(makers, r.choice([1, 1, 2, 3]))]
        nested = self.chance(0.25)
        mark = len(self.lines)
        for names, starts, _ in parts:
            for (name, kind), start in zip(names, starts):
                self.line(level, f"{name} = {start}")
        opened = 0
        for _ in range(2 if nested else 1):
            opened += self.open(level + opened) is not None
        if not opened:
            del self.lines[mark:]
            return
        for names, _, lines in parts:
            self.scalars += [(n, k) for n, k in names if k in NUMPY]
            for text in lines():
                self.line(level + opened, text)
        floating = [(n, k) for names, _, _ in parts for n, k in names if k in NUMPY]
        if floating and self.chance(0.5):
            name, kind = r.choice(floating)
            targets = [a for a in self.find(written=True) if kind in FITS[a.dtype]]
            if targets:
                a = r.choice(targets)
                self.line(level + opened, f"{self.place(a)} {self.sign(a.dtype) if kind == a.dtype else '='} {name}")
        if self.chance(0.25):
            self.statement(level + opened, 0)
        for _ in range(opened):
            self.close()
        if level > 1:  # the names are bound in an iteration only: use them there
            for name, kind in floating:
                targets = [a for a in self.find(written=True) if kind in FITS[a.dtype]]
                if targets and self.chance(0.6):
                    self.line(level, f"{self.place(r.choice(targets))} = {name}")
            self.scalars = [s for s in self.scalars if s not in floating]

    def results(self):
        names = [a.name for a in self.arrays if a.name.startswith("o")]
        names += [name for name, _ in self.scalars]
        names += [line.split()[0] for line in self.lines if line.startswith("    k") and " = " in line]
        names = list(dict.fromkeys(names)) or [self.arrays[0].name]
        return names[0] if len(names) == 1 else "(" + ", ".join(names) + ")"


def _value(random, dtype, frozen):
    if dtype == "b":
        return random.random() < 0.5
    if dtype == "i8":
        return random.randint(-9, 9)
    return float(random.randint(-4, 4)) if frozen else round(random.uniform(-3, 3), 3)


def _arguments(random, draw):
    """One to three arrays, views of each other at times, and at times positions."""
    extents = [random.choice([1, 2, 3, 4, 5, 6, 7, 8, 10, 12]) if random.random() < 0.95 else 0 for _ in range(random.choice([1, 1, 2]))]
    if random.random() < 0.35:
        extents[0] = random.randint(40, 90)
    bases, arguments = [], []
    palette = random.choice([["f8"], ["f8", "f4"], ["f8", "i8"], ["f4"], ["i8"], ["f8", "b"], ["f8", "f4", "i8", "b"]])
    for k in range(random.randint(1, 3)):
        name, dtype = "xyz"[k], random.choice(palette)
        shape = tuple(random.choice(extents) for _ in range(random.choice([1, 2, 2])))
        previous = random.choice(draw.arrays) if draw.arrays else None
        if previous and random.random() < 0.3:  # memory of an earlier argument, moved or turned
            base = bases[-1]
            forms = [("{0}", base.shape), ("{0}[::-1]", base.shape)]
            if base.shape[0]:
                forms += [("{0}[1:]", (base.shape[0] - 1, *base.shape[1:])), ("{0}[:-1]", (base.shape[0] - 1, *base.shape[1:]))] * 2
            if len(base.shape) == 2:
                forms += [("{0}.T", base.shape[::-1]), ("{0}[:, ::-1]", base.shape)]
            text, shape = random.choice(forms)
            of = next(a for a, (_, t) in zip(reversed(draw.arrays), reversed(arguments)) if base.name in t)
            draw.arrays.append(Array(name, of.dtype, shape, of.frozen, of.memory))
            arguments.append((name, text.format(base.name)))
            continue
        frozen = random.random() < (0.5 if k else 0.3)
        layout, held = random.choice([("{0}", shape)] * 6 + [("{0}[::-1]", shape), ("{0}.T", shape[::-1]), ("{0}[..., ::2]", (*shape[:-1], 2 * shape[-1]))])
        if frozen and random.random() < 0.12 and shape[0]:
            layout, held = f"np.broadcast_to({{0}}, {shape})", (1, *shape[1:])
        values = [_value(random, dtype, frozen) for _ in range(math.prod(held))]
        bases.append(Base(f"base{len(bases)}", STORED[dtype], held, values))
        draw.arrays.append(Array(name, dtype, shape, frozen, bases[-1].name))
        arguments.append((name, layout.format(bases[-1].name)))
    if random.random() < 0.3 and min(extents):
        count = random.choice(extents)
        beyond = 1 if random.random() < 0.12 else 0
        bases.append(Base(f"base{len(bases)}", "int64", (count,), [random.randint(-1 if random.random() < 0.1 else 0, min(extents) - 1 + beyond) for _ in range(count)]))
        draw.arrays.append(Array("p", "i8", (count,), True))
        arguments.append(("p", bases[-1].name))
    return bases, arguments, palette


def _text(random, draw, arguments, palette):
    for _ in range(random.choice([0, 1, 1, 2])):
        like = random.choice(draw.arrays)
        name, dtype = draw.fresh("o"), random.choice(palette)
        texts = [draw.extent_text(n) if random.random() < 0.6 else str(n) for n in like.shape]
        shape = f"({', '.join(texts)})" if len(texts) > 1 else texts[0]
        made = random.choice([f"np.zeros({shape}, {NUMPY[dtype]})", f"np.full({shape}, {random.choice([1, 2, -1, 3])}, {NUMPY[dtype]})"])
        if like.name != "p" and random.random() < 0.4:
            made, dtype = random.choice([f"np.zeros_like({like.name})", f"{like.name}.copy()", f"np.ones_like({like.name})"]), like.dtype
        draw.line(1, f"{name} = {made}")
        draw.arrays.append(Array(name, dtype, like.shape))
    if not draw.find(written=True):
        return None
    loops = random.choice([1, 1, 2, 3])
    for _ in range(loops):
        random.choice([lambda: draw.loop(1, 2), lambda: draw.loop(1, 1), lambda: draw.loop(1, 0), lambda: draw.recurrence(1), lambda: draw.carried(1), lambda: draw.carried(1)])()
    if not any(line.lstrip().startswith("for ") for line in draw.lines):
        return None
    body = "\n".join(draw.lines)
    return f"EXACT = True\n\n\ndef program({', '.join(name for name, _ in arguments)}):\n{body}\n    return {draw.results()}\n"


def _error(program):
    """The exception of the program under NumPy, or None."""
    env = {}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exec(compile(program.source(), "<loops>", "exec"), env)
        try:
            env["program"](*env["arguments"]())
        except Exception as error:
            return error
    return None


def generate_loops(random, seed):
    """A program of this kind, drawn from `random`. Of those that raise, six in ten are kept, if NumPy or a position raised it."""
    while True:
        draw = Loops(random)
        bases, arguments, palette = _arguments(random, draw)
        text = _text(random, draw, arguments, palette)
        if text is None or len(text) > 6000:
            continue
        program = Program(text, bases, arguments, seed=str(seed))
        error = _error(program)
        if error is None or isinstance(error, (IndexError, ValueError)) and random.random() < 0.6:
            return program
