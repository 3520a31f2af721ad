"""Random loops that search: each iteration computes numbers of whole arrays, a candidate's, and the loop keeps the best of them, its position, an array of it,
or a list of all.

What a compiler may compute for all iterations at once stands beside what needs the iteration before. Numbers are small multiples of 1/8, so that sums of them
and of their products are known to the last bit; a program with another function says so by being judged as others are.
"""
from __future__ import annotations

from .program import Base, Program

WINDOW = 3  # elements of `state`, and the columns of a patch


class Searches:
    """Draws the loop of one function of `x` and `a`, lines of numbers, `k`, positions, `log`, a line that is written to, and `table`, a matrix."""

    def __init__(self, random):
        self.random, self.lines, self.is_exact, self.candidates = random, [], True, 0

    def chance(self, share):
        return self.random.random() < share

    def line(self, level, text):
        self.lines.append("    " * level + text)

    #  ---- candidates ----

    def number(self, at, value):
        """A number of the iteration. `at`: a position; `value`: what the loop goes over."""
        forms = [f"(x[{at}:] * x[{at}]).sum()", f"np.abs(x - a[{at} % len(a)]).sum()", f"(x[:{at} + 1] ** 2).sum()", f"((x > {value}) * x).max()",
                 f"(x[{at}:{at} + 3] - a[:3]).sum()", f"len(x[x > {value} * 0.125])", f"x[k].sum() * {value}", f"float(x[{at}])", "(x * best).sum()",
                 f"(state + x[:{WINDOW}]).sum()", f"x[x < {value}].sum()", f"np.abs(table[{at} % len(table)] - a[:4]).max()",
                 f"(table[:, {at} % 4] * table[:, 0]).sum()", f"np.count_nonzero(table > {value})", f"x[{at}:].min()", f"np.dot(a, a[::-1]) - {value}"]
        rounded = [f"np.exp(-x * {value} * 0.125).sum()", f"(x[:{at} + 1] ** 2).mean()", f"np.sqrt(np.abs(x)).sum() - {value}", f"np.hypot(x[{at}], {value})"]
        if self.chance(0.2):
            self.is_exact = False
            return self.random.choice(rounded)
        return self.random.choice(forms)

    def name(self):
        return f"s{self.random.randrange(self.candidates)}"

    #  ---- what an iteration does with them ----

    def keep(self, level, at, value):
        s, r = self.name(), self.random
        one = r.choice(["one", "two", "one", "array", "best", "mask"])
        sign = r.choice(["<", ">", "<=", ">="])
        if one == "best":
            self.line(level, f"best = {r.choice(['min', 'max'])}(best, {s})")
            return
        self.line(level, f"if {s} {sign} best:")
        self.line(level + 1, f"best = {s}")
        if one != "one":
            self.line(level + 1, f"arg = {value}")
        if one == "array":
            self.line(level + 1, f"kept = {r.choice([f'x[{at}:].copy()', f'table[{at} % len(table)] * 2', 'x - a[0]', f'a * {value}'])}")
        if one == "mask":
            self.line(level + 1, f"kept = x[x > {value}]")

    def collect(self, level, at, value):
        s = self.name()
        self.line(level, self.random.choice([
            f"total += {s}", f"total = total * 0.5 + {s}", f"out.append({s})", f"log[{at} % len(log)] = {s}", f"log[{at}] = total",
            f"state = state * 0.5 + {s}",
            f"arg = max(arg, int({s}))", f"x[{at}] = total", f"state[{at} % {WINDOW}] += {s}", f"x[{at}:] -= 0.125", "x, a = x, a[::-1]",
            f"table[{at} % len(table), 1:] = {s}"]))

    def leave(self, level, value):
        s = self.name()
        conditions = [f"{s} < 0.25", f"{value} == 2", f"{s} == 0", f"{s} > best + 4", "total > 9"]
        self.line(level, f"if {self.random.choice(conditions)}:")
        self.line(level + 1, self.random.choice(["continue", "continue", "break", f"total = {s}"]))

    def iteration(self, level, at, value):
        for _ in range(self.random.randint(1, 3)):
            number = self.number(at, value)
            self.line(level, f"s{self.candidates} = {number}")
            self.candidates += 1
            if self.chance(0.3):
                self.leave(level, value)
        for _ in range(self.random.randint(1, 4)):
            self.random.choice([self.keep, self.keep, self.collect])(level, at, value)

    def loop(self, level):
        self.candidates = 0
        form = self.random.randrange(5)
        if form == 0:
            self.line(level, f"for i in {self.random.choice(['range(len(k))', 'range(1, 7)', 'range(0, len(a) - 2, 2)', 'range(len(x) - 1, -1, -1)'])}:")
            self.iteration(level + 1, "i", "i")
        elif form == 1:
            self.line(level, "for i in k:")
            self.iteration(level + 1, "i", "i")
        elif form == 2:
            self.line(level, f"for i, v in enumerate({self.random.choice(['a', 'x', 'a[1:]'])}):")
            self.iteration(level + 1, "i", "v")
        elif form == 3:
            self.line(level, "i = 0")
            self.line(level, f"while i < {self.random.choice(['5', 'len(k)', 'len(a)'])} and total < {self.random.choice(['50', '9'])}:")
            self.line(level + 1, "i += 1")
            self.iteration(level + 1, "i - 1", "i")
        else:
            self.line(level, f"for i in range({self.random.choice(['3', 'len(table)'])}):")
            if self.chance(0.5):
                self.iteration(level + 1, "i", "i")
            self.line(level + 1, f"for j in range({self.random.choice(['2', 'i', '4', 'len(a) - 3'])}):")
            self.candidates = 0
            self.iteration(level + 2, self.random.choice(["j", "(i + j)"]), self.random.choice(["j", "i"]))


def generate_searches(random, seed):
    """A program of this kind, drawn from `random`."""
    draw = Searches(random)
    first = random.choice(["np.inf", "-np.inf", "-1.0", "0.0", "1e3"])
    for text in (f"best = {first}", "arg = 0", "total = 0.0", "out = []", f"state = np.zeros({WINDOW})", f"kept = {random.choice(['x', 'a', 'np.zeros(2)'])}"):
        draw.line(1, text)
    for _ in range(random.choice([1, 1, 1, 2])):
        draw.loop(1)
    length = random.choice([3, 5, 9, 9, 12, 40])
    number = lambda: random.randint(-24, 24) / 8  # noqa: E731
    bases = [Base("base0", "float64", (length,), [number() for _ in range(length)]), Base("base1", "float64", (6,), [number() for _ in range(6)]),
             Base("base2", "int64", (5,), [random.randint(0, max(length - 1, 2)) for _ in range(5)]), Base("base3", "float64", (7,), [0.0] * 7),
             Base("base4", "float64", (3, 4), [number() for _ in range(12)])]
    arguments = [("x", random.choice(["base0"] * 6 + ["base0[::-1]"])), ("a", "base1"), ("k", "base2"), ("log", "base3"),
                 ("table", random.choice(["base4", "base4", "base4[::-1]", "np.asfortranarray(base4)"]))]
    body = "\n".join(draw.lines)
    exact = "EXACT = True\n\n\n" if draw.is_exact else ""
    results = "float(best), float(arg), float(total), np.array([float(q) for q in out]), state, kept"
    return Program(f"{exact}def program(x, a, k, log, table):\n{body}\n    return {results}\n", bases, arguments, seed=str(seed))
