"""Random compound statements: counted loops, loops over rows, while, branches on data, helper functions."""
from __future__ import annotations

import numpy as np

from .scope import Scope, kind_of, text_of
from .statements import Statements


class Control:
    """Draws whole bodies: simple statements and, while `nesting` allows, compound ones around them."""

    def __init__(self, random, scope, inputs, depth, helpers):
        self.random, self.scope, self.inputs, self.depth, self.helpers = random, scope, inputs, depth, helpers
        self.statements = Statements(random, scope, inputs)
        self.loops = 0
        self.returned = None  # what the first early return gives back: later ones and the last should be of its type

    def body(self, count, nesting):
        for _ in range(count):
            self.statement(nesting)

    def statement(self, nesting):
        if nesting > 0 and self.random.random() < 0.3:
            draw = self.random.choice([self.for_range, self.for_range, self.branch, self.branch, self.for_rows, self.while_loop,
                                       self.early_return, self.comprehension])
            if draw(nesting - 1):
                return True
        if self.helpers is not None and self.random.random() < 0.12 and self.call_helper():
            return True
        return self.statements.simple(self.depth)

    def _inner(self, nesting, counter=None):
        if counter:
            self.statements.expressions.counters.append((counter, 1))
        try:
            self.body(self.random.randint(1, 4), nesting)
        finally:
            if counter:
                self.statements.expressions.counters.pop()

    def for_range(self, nesting):
        self.loops += 1
        name = f"i{self.loops}"
        arrays = self.scope.arrays(lambda v: v.ndim and 2 < v.shape[0] <= 12)
        if arrays and self.random.random() < 0.6:
            extent = f"{self.random.choice(arrays)}.shape[0]"
            bounds = self.random.choice([f"{extent}", f"1, {extent}", f"1, {extent} - 1", f"{extent} - 1, 0, -1", f"0, {extent}, 2"])
        else:
            bounds = str(self.random.choice([1, 2, 3, 4, 5, 0]))
        self.scope.reserved.add(name)
        entry = f"{name} = 1"
        return self.scope.compound(f"for {name} in range({bounds}):", entry, lambda: self._inner(nesting, name))

    def for_rows(self, nesting):
        names = self.scope.arrays(lambda v: v.ndim and 0 < v.shape[0] <= 9)
        if not names:
            return False
        self.loops += 1
        row, name = f"row{self.loops}", self.random.choice(names)
        form = self.random.choice(["plain", "enumerate", "zip"])
        header, entry = f"for {row} in {name}:", f"{row} = {name}[0]"
        if form == "enumerate":
            header, entry = f"for k{self.loops}, {row} in enumerate({name}):", f"{row} = {name}[0]; k{self.loops} = 0"
        elif form == "zip":
            other = self.random.choice(names)
            header, entry = f"for {row}, other{self.loops} in zip({name}, {other}):", f"{row} = {name}[0]; other{self.loops} = {other}[0]"
        return self.scope.compound(header, entry, lambda: self._inner(nesting))

    def while_loop(self, nesting):
        """Bounded by a counter, and left early when the data say so."""
        self.loops += 1
        fuel = f"n{self.loops}"
        if not self.scope.run(f"{fuel} = {self.random.randint(1, 5)}"):
            return False
        self.scope.reserved.add(fuel)
        test = f"{fuel} > 0"
        data = self.condition()
        if data and self.random.random() < 0.6:
            test = self.random.choice([f"{test} and {data}", f"{test} and not ({data})"])

        def fill():
            self.scope.run(f"{fuel} -= 1")
            self._inner(nesting)
            if self.random.random() < 0.3:
                found = self.condition()
                if found:
                    self.scope.jump(f"if {found}:", self.random.choice(["break", "break", "continue"]))
        return self.scope.compound(f"while {test}:", "pass", fill)

    def condition(self):
        """A Python truth value that depends on data."""
        expressions = self.statements.expressions
        found = expressions.draw(2, lambda v: np.ndim(v) == 0 and not isinstance(v, np.ndarray) and np.asarray(v).dtype.kind in "iufb")
        if found is None:
            return None
        if np.asarray(found.value).dtype.kind == "b":
            return found.text
        return f"{found.operand} {self.random.choice(['<', '>', '>=', '!='])} {self.random.choice(['0.4321', '1', '2.3456', '0', '-1.2345'])}"

    def branch(self, nesting):
        test = self.condition()
        if test is None:
            return False
        if not self.scope.compound(f"if {test}:", "pass", lambda: self._inner(nesting)):
            return False
        block = self.scope.open_blocks[-1].body if self.scope.open_blocks else self.scope.body
        if self.random.random() < 0.6:
            header = "else:" if self.random.random() < 0.7 else f"elif {self.condition() or 'True'}:"
            self._otherwise(block, header, nesting)
        return True

    def _otherwise(self, block, header, nesting):
        """The other side is written as a branch of its own, so that its statements run live, and then hung on the first."""
        first = block[-1]
        if not self.scope.compound("if True:", "pass", lambda: self._inner(nesting)):
            return
        other = block.pop()
        other.header, first.otherwise = header, other
        try:
            self.scope.replay()
        except Exception:
            first.otherwise = None
            self.scope.replay()

    def early_return(self, nesting):
        test, names = self.condition(), self.scope.names(lambda v: isinstance(v, np.ndarray))
        if test is None or not names or self.scope.open_blocks:
            return False
        if self.scope.evaluate(f"bool({test})"):
            test = f"not ({test})"
        # The live run cannot return: what is kept live is only that this branch is not taken.
        name = self.random.choice(names)
        if self.returned and kind_of(self.scope.env[name]) != self.returned and self.random.random() < 0.9:
            return False
        self.returned = self.returned or kind_of(self.scope.env[name])
        return self.scope.run(f"if {test}: raise RuntimeError('return {name}')")

    def comprehension(self, nesting):
        found = self.statements.expressions.draw(2, lambda v: np.ndim(v) == 0 and not isinstance(v, np.ndarray))
        if found is None:
            return False
        form = self.random.choice(["np.array([{0} * k for k in range(4)])", "[k + {0} for k in (1, 2, 3)]", "sum([{0} / k for k in range(1, 5)])",
                                   "np.array([k for k in range(6) if k > {0}])"])
        return self.scope.run(f"{self.statements.new_name()} = {form.format(found.operand)}")

    def result(self):
        """An expression to return, of the type that an early return has already fixed where there is one."""
        draw = self.statements.expressions.draw
        if self.returned:
            return draw(self.depth, lambda v: kind_of(v) == self.returned, tries=40) or draw(self.depth)
        return draw(self.depth)

    def call_helper(self):
        """Write a helper over copies of the chosen arguments, then call it with the arguments themselves."""
        names = self.scope.names(lambda v: isinstance(v, (np.ndarray, np.generic, int, float)))
        if not names or len(self.helpers) >= 3:
            return False
        chosen = [self.random.choice(names) for _ in range(self.random.randint(1, 3))]
        texts = [c + "[1:]" if np.ndim(self.scope.env[c]) and self.random.random() < 0.15 else c for c in chosen]
        parameters = ["left", "right", "other"][: len(chosen)]
        values = {p: np.copy(self.scope.evaluate(t)) if isinstance(self.scope.evaluate(t), np.ndarray) else self.scope.evaluate(t)
                  for p, t in zip(parameters, texts)}
        copies = lambda: {p: v.copy() if isinstance(v, np.ndarray) else v for p, v in values.items()}
        scope = Scope("".join(text for _, text in self.helpers), copies, self.random, self.scope.special)
        inner = Control(self.random, scope, self.inputs, max(self.depth - 1, 1), None)
        inner.body(self.random.randint(1, 3), 1)
        result = inner.result()
        if result is None:
            return False
        name = f"helper{len(self.helpers)}"
        signature = ", ".join(parameters)
        keyword = ""
        if len(parameters) > 1 and self.random.random() < 0.3:
            keyword = f"{parameters[-1]}="
        text = f"def {name}({signature}):\n{body_text(scope.body)}    return {result.text}\n\n\n"
        exec(compile(text, "<helper>", "exec"), self.scope.module)
        self.scope.env[name] = self.scope.module[name]
        arguments = ", ".join([*texts[:-1], keyword + texts[-1]])
        if self.scope.run(f"{self.statements.new_name()} = {name}({arguments})"):
            self.helpers.append((name, text))
            return True
        return False


def body_text(body):
    """Text of a function body; the markers of early returns become returns."""
    lines = []
    for line in text_of(body, "    ").splitlines():
        head, marker, name = line.partition("raise RuntimeError('return ")
        lines.append(head + "return " + name.split("'")[0] if marker else line)
    return "".join(line + "\n" for line in lines)

