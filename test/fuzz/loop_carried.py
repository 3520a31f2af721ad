"""Scalars that loops carry: the names, their first values and the statements of an iteration."""
from __future__ import annotations

from .loop_values import NUMPY, Values


class Carried(Values):
    """Each method gives the names with their dtypes (`int` for Python's), their first values, and a function that draws the statements."""
    def total(self, kind):
        s = self.fresh("s")
        return [(s, kind)], [f"{NUMPY[kind]}({self.random.randint(0, 2)})"], lambda: [f"{s} {self.random.choice(['+=', '+=', '-='])} {self.element(kind, 1)}"]

    def product(self, kind):
        s = self.fresh("s")
        factor = f"* {self.factor()} + " if kind != "i8" else "* 3 ^ "
        return [(s, kind)], [f"{NUMPY[kind]}(1)"], lambda: [f"{s} = {s} {factor}{self.element(kind, 1)}"] if self.chance(0.6) else [f"{s} *= {self.element(kind, 0)}"]

    def extremum(self, kind):
        s, sign = self.fresh("s"), self.random.choice(["<", ">", ">="])

        def lines():
            e = self.element(kind, 1)
            choice = self.random.randrange(3)
            return [[f"{s} = {'min' if sign == '<' else 'max'}({s}, {e})"], [f"if {e} {sign} {s}:", f"    {s} = {e}"],
                    [f"{s} = np.{'minimum' if sign == '<' else 'maximum'}({s}, {e})"]][choice]
        return [(s, kind)], [f"{NUMPY[kind]}({self.random.choice([0, -9, 9, 1])})"], lines

    def position_of(self, kind):
        best, at, sign = self.fresh("s"), self.fresh("k"), self.random.choice(["<", ">", "<=", ">="])

        def lines():
            e = self.element(kind, self.random.choice([0, 1]))
            return [f"if {e} {sign} {best}:", f"    {best} = {e}", f"    {at} = {self.counters[-1].name}"]
        return [(best, kind), (at, "int")], [f"{NUMPY[kind]}({self.random.choice([99, 0, -99])})", "-1"], lines

    def count(self, _):
        n = self.fresh("k")
        return [(n, "int")], ["0"], lambda: [f"if {self.condition()}:", f"    {n} += {self.random.choice(['1', '1', '2', self.counters[-1].name])}"]

    def parity(self, _):
        n = self.fresh("s")
        return [(n, "i8")], [f"np.int64({self.random.randint(0, 9)})"], lambda: [f"{n} ^= {self.element('i8', 1)}"]

    def alternating(self, kind):
        a, b = self.fresh("s"), self.fresh("s")

        def lines():
            e = self.element(kind, 1)
            return self.random.choice([[f"{a}, {b} = {b}, {a} + {e}"], [f"{a}, {b} = {b}, {self.element(kind, 0)}"], [f"{a}, {b} = {e}, {a}"]])
        return [(a, kind), (b, kind)], [f"{NUMPY[kind]}(0)", f"{NUMPY[kind]}(1)"], lines
