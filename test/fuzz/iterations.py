"""Random loops over whole arrays: iterations until something no longer changes, relaxations, running reductions beside what they are made of, arrays that
change places, and batches `x[k * n:(k + 1) * n]`.

What a compiler merges here are kernels, not elements. Every result is known to the last bit: sums are of integers, or of small multiples of 1/8 in float64,
and everything else is computed element by element, or is a minimum or maximum.
"""
from __future__ import annotations

import math

from .program import Base, Program

STEPS = 9  # of a loop, at most
NUMPY = {"f8": "np.float64", "f4": "np.float32", "i8": "np.int64"}
STORED = {"f8": "float64", "f4": "float32", "i8": "int64"}


class Iterations:
    """Draws the statements of one function of `u` and `v`, arrays of one shape, `w`, integers, and the numbers `n` and `tolerance`."""

    def __init__(self, random, dtype, rank):
        self.random, self.dtype, self.rank = random, dtype, rank
        self.lines, self.results, self.count = [], [], 0

    def line(self, level, text):
        self.lines.append("    " * level + text)

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def chance(self, share):
        return self.random.random() < share

    #  ---- values ----

    def shifted(self, name):
        """One part of the array of the extents that its inside has."""
        low, high = self.random.choice([("1", "-1"), ("", "-2"), ("2", ""), ("1", "-1")])
        first = f"{low}:{high}"
        if self.rank == 1:
            return f"{name}[{first}]"
        low, high = self.random.choice([("1", "-1"), ("", "-2"), ("2", ""), ("1", "-1")])
        return f"{name}[{first}, {low}:{high}]"

    def inside(self, name):
        return f"{name}[1:-1]" if self.rank == 1 else f"{name}[1:-1, 1:-1]"

    def moved(self, name, other):
        """A new value for the inside."""
        r, a, b = self.random, self.shifted(name), self.shifted(name)
        c = self.shifted(other) if self.chance(0.4) else self.inside(name)
        if self.dtype == "i8":
            return r.choice([f"({a} + {b}) // 2", f"np.maximum({a}, {b})", f"({a} + 2 * {b} + {c}) % 13", f"np.minimum({a}, {c}) + {b} // 3"])
        return r.choice([f"0.5 * ({a} + {b})", f"0.25 * ({a} + {b} + {c} + {self.shifted(name)})", f"np.maximum({a}, {b}) - 0.125",
                         f"{c} + 0.25 * ({a} - 2 * {c} + {b})", f"np.minimum({a}, {b}) * 0.5 + {c}"])

    def whole(self, name, other):
        """A new value of all of the array."""
        forms = [f"{name} // 2 + {other} % 3", f"np.maximum({name}, {other}) - 1", f"np.where({name} > {other}, {name} - 1, {other})"]
        if self.dtype != "i8":
            forms = [f"0.5 * {name} + 0.25 * {other}", f"np.maximum({name} - 0.25, {other} * 0.5)",
                     f"np.where({name} > {other}, 0.5 * {name}, {other})", f"np.abs({name}) * 0.5"]
        return self.random.choice(forms + [f"{name}[::-1].copy()"])

    def change(self, new, old):
        """A number that says how far apart two arrays are."""
        return self.random.choice([f"np.abs({new} - {old}).max()", f"np.abs({new} - {old}).max()", f"({new} != {old}).sum()",
                                   f"np.count_nonzero({new} != {old})", f"({new} - {old}).max() - ({new} - {old}).min()"])

    def reduction(self, name):
        forms = [f"{name}.max()", f"{name}.min()", f"np.abs({name}).max()", f"({name} > 0).sum()"]
        return self.random.choice(forms + ([f"{name}.sum()"] if self.dtype == "i8" else []))

    def rows(self, name):
        return self.random.choice([f"{name}.max(axis=0)", f"{name}.min(axis=-1)", f"({name} > 0).sum(axis=0)", f"np.abs({name}).max(axis=1)"])

    #  ---- loops ----

    def leave(self, level, changed, k):
        """The test that ends the loop, and at times something that comes before or behind it."""
        if self.chance(0.3):
            self.line(level, f"if {k} > {self.random.randint(0, 4)} and {changed} < tolerance:")
        else:
            self.line(level, f"if {changed} {self.random.choice(['<', '<=', '<'])} tolerance:")
        if self.chance(0.2):
            self.line(level + 1, f"{self.results[-1]} = {self.random.choice(['-1', k])}")
        self.line(level + 1, "break")
        if self.chance(0.2):
            self.line(level, "else:")
            self.line(level + 1, f"{self.results[-1]} = {k}")

    def relaxation(self, level):
        """New values for the inside of an array, until they are near the old ones."""
        a, k, changed, steps = self.fresh("a"), self.fresh("k"), self.fresh("c"), self.fresh("s")
        self.line(level, f"{a} = {self.random.choice(['u', 'u.copy()', 'u.copy()', 'v * 1', 'u + v'])}")
        self.line(level, f"{steps} = 0")
        self.results += [a, steps]
        is_while = self.chance(0.25)
        if is_while:
            self.line(level, f"{changed} = {self.random.choice(['tolerance + 1', '1e9', '100'])}")
            self.line(level, f"{k} = 0")
            self.line(level, f"while {k} < {self.random.choice(['n', str(STEPS)])} and {changed} > tolerance:")
        else:
            if self.chance(0.6):
                self.line(level, f"{changed} = 0")
                self.results.append(changed)
            self.line(level, f"for {k} in range({self.random.choice(['n', str(STEPS), 'n + 2'])}):")
        self.results.append(self.results.pop(self.results.index(steps)))
        inner = level + 1
        form = self.random.randrange(4)
        if form == 0:  # a new inside
            self.line(inner, f"new = {self.moved(a, 'v')}")
            self.line(inner, f"{changed} = {self.change('new', self.inside(a))}")
            self.line(inner, f"{self.inside(a)} = new")
        elif form == 1:  # a copy of what was there
            self.line(inner, f"old = {a}.copy()")
            self.line(inner, f"{self.inside(a)} = {self.moved('old', 'v')}")
            self.line(inner, f"{changed} = {self.change(a, 'old')}")
        elif form == 2:  # another array
            self.line(inner, f"new = {self.whole(a, 'v')}")
            self.line(inner, f"{changed} = {self.change('new', a)}")
            self.line(inner, f"{a} = new")
        else:  # two that change places
            self.line(inner, f"new = {a}.copy()")
            self.line(inner, f"{self.inside('new')} = {self.moved(a, a)}")
            self.line(inner, f"{changed} = {self.change('new', a)}")
            self.line(inner, f"{a}, new = new, {a}")
        if self.chance(0.5):
            self.line(inner, f"{steps} += {self.random.choice(['1', '1', k])}")
        if self.chance(0.3):
            self.line(inner, f"{self.random.choice(['v', 'u'])} {self.random.choice(['+=', '-='])} 1")
        if is_while:
            self.line(inner, f"{k} += 1")
        else:
            self.leave(inner, changed, k)
            if self.chance(0.25):
                self.line(inner, f"v[{self.random.choice(['0', '-1', k])}] = {self.random.choice(['2', k])}")

    def running(self, level):
        """What is kept of all iterations, beside what each of them makes."""
        a, k, best, table = self.fresh("a"), self.fresh("k"), self.fresh("b"), self.fresh("t")
        self.line(level, f"{a} = {self.random.choice(['u.copy()', 'u', 'v + 1'])}")
        self.line(level, f"{best} = {self.random.choice([a + '.copy()', 'np.zeros_like(u)'])}")
        self.line(level, f"{table} = np.zeros({STEPS}{', ' + NUMPY[self.dtype] if self.dtype != 'f8' else ''})")
        self.results += [a, best, table]
        self.line(level, f"for {k} in range({self.random.choice(['n', str(STEPS), str(STEPS)])}):")
        inner = level + 1
        makers = [lambda: f"{best} = np.maximum({best}, {a})", lambda: f"{best} += {a}", lambda: f"{table}[{k}] = {self.reduction(a)}",
                  lambda: f"{table}[{k}] = {self.reduction('v')}", lambda: f"{a} = {self.whole(a, 'v')}", lambda: f"{self.inside(a)} = {self.moved(a, 'v')}",
                  lambda: f"{best} = np.where({a} > {best}, {a}, {best})", lambda: f"{a} {self.random.choice(['+=', '-='])} {table}[{k}]"]
        if self.rank == 2:
            rows = self.fresh("r")
            first = f"np.abs({a}).max(axis=1)" if self.chance(0.5) else f"{a}.min(axis=0)"
            self.lines.insert(len(self.lines) - 1, "    " * level + f"{rows} = {first}")
            axis = 1 if "axis=1" in first else 0
            makers += [lambda: f"{rows} = np.maximum({rows}, {a}.max(axis={axis}))", lambda: f"{rows} += ({a} > 0).sum(axis={axis})"]
            self.results.append(rows)
        for maker in self.random.sample(makers, self.random.choice([2, 3, 4])):
            self.line(inner, maker())
        if self.chance(0.3):
            self.line(inner, f"if {self.reduction(a)} {self.random.choice(['<', '>'])} {self.random.choice(['tolerance', '3', '0'])}:")
            self.line(inner + 1, self.random.choice(["break", "break", f"{a} = {a} * 0 + 1", "continue"]))
            if self.chance(0.5):
                self.line(inner, f"{best} -= 1")

    def batches(self, level):
        """Parts of `w` and of an array, one after the other."""
        k, acc, y = self.fresh("k"), self.fresh("s"), self.fresh("y")
        first = self.fresh("m")
        source = self.random.choice(["w", "w", "u"])
        self.line(level, f"{first} = {self.random.choice([f'len({source}) // n', f'len({source}) // n', f'(len({source}) + n - 1) // n', '3'])}")
        self.line(level, f"{y} = np.zeros({self.random.choice([first, first, 'n', '12'])}{', np.int64' if source == 'w' or self.dtype == 'i8' else ''})")
        self.line(level, f"{acc} = {'np.int64(0)' if source == 'w' else '0'}")
        self.results += [y, acc, source]
        self.line(level, f"for {k} in range({first}):")
        inner = level + 1
        end = self.random.choice([f"({k} + 1) * n", f"({k} + 1) * n", f"{k} * n + n", f"min(({k} + 1) * n, len({source}))"])
        self.line(inner, f"part = {source}[{k} * n:{end}]")
        if self.chance(0.4):
            self.line(inner, "part = part * 2 + 1" if self.chance(0.5) else f"part = np.maximum(part, {k})")
        is_long = source == "u" and self.rank == 2
        total = "part.sum()" if source == "w" else "(part > 0).sum()"
        self.line(inner, f"{y}[{k}] = {self.random.choice([total, 'part.max()', 'part.min()'])}")
        if self.chance(0.6):
            self.line(inner, f"{acc} += {total}")
        if self.chance(0.5):
            value = self.random.choice(["part * 2", "part[::-1]", "part - 1", f"{y}[{k}]"] + ([] if is_long else ["np.cumsum(part)"] if source == "w" else []))
            self.line(inner, f"{source}[{k} * n:({k} + 1) * n] {self.random.choice(['=', '=', '+='])} {value}")
        if self.chance(0.25):
            self.line(inner, f"if {acc} > {self.random.choice(['4', '9', '20'])}:")
            self.line(inner + 1, "break")

    def epochs(self, level):
        """Batches in a loop that ends where nothing changes."""
        e = self.fresh("k")
        self.line(level, f"for {e} in range({self.random.choice(['2', '3', 'n'])}):")
        self.random.choice([self.batches, self.running])(level + 1)
        if self.chance(0.5):
            self.line(level + 1, f"if {self.reduction('u')} < {self.random.choice(['0', 'tolerance', '5'])}:")
            self.line(level + 2, "break")


def generate_iterations(random, seed):
    """A program of this kind, drawn from `random`."""
    dtype, rank = random.choice(["f8", "f8", "f8", "f4", "i8"]), random.choice([1, 2, 2])
    draw = Iterations(random, dtype, rank)
    for _ in range(random.choice([1, 1, 2, 2, 3])):
        random.choice([draw.relaxation, draw.relaxation, draw.running, draw.batches, draw.epochs])(1)
    extents = [random.choice([0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 33] if random.random() < 0.3 else [4, 5, 6, 8, 9, 12, 16]) for _ in range(rank)]
    number = (lambda: random.randint(-9, 9)) if dtype == "i8" else (lambda: random.randint(-32, 32) / 8)
    bases, arguments = [], []
    for name in "uv":
        size = math.prod(extents)
        bases.append(Base(f"base{len(bases)}", STORED[dtype], tuple(extents), [number() for _ in range(size)]))
        forms = ["{0}"] * 8 + ["{0}[::-1]"] + (["np.asfortranarray({0})", "{0}[:, ::-1]"] if rank == 2 else [])
        arguments.append((name, random.choice(forms).format(bases[-1].name)))
    if random.random() < 0.06:
        arguments[1] = ("v", random.choice(["base0", "base0[::-1]"]))
        del bases[1]
    length = random.choice([0, 1, 5, 6, 8, 12, 20, 30])
    bases.append(Base(f"base{len(bases)}", "int64", (length,), [random.randint(-9, 9) for _ in range(length)]))
    arguments += [("w", bases[-1].name), ("n", str(random.choice([1, 2, 3, 4, 5, 7]))), ("tolerance", random.choice(["0.125", "0.5", "1", "0", "1e-9", "2"]))]
    # Names that only a loop binds may be unbound where it had no iteration: what every path binds is returned.
    results = list(dict.fromkeys(draw.results))
    top = {line.split()[0] for line in draw.lines if line.startswith("    ") and not line.startswith("     ")}
    results = [name for name in results if name in top or name in "uvw"]
    body = "\n".join(draw.lines)
    text = f"EXACT = True\n\n\ndef program(u, v, w, n, tolerance):\n{body}\n    return ({', '.join(results + ['u', 'v'])})\n"
    return Program(text, bases, arguments, seed=str(seed))
