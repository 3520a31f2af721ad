"""Programs over names that hold different things on different paths: None, ints, tuples, strings, objects with two names, lists that change
their length, dicts, and exceptions on their way. All numbers are integers, so nothing may differ."""
from __future__ import annotations

from .program import Base, Program

HELPERS = '''
EXACT = True


class Refused(ValueError):
    pass


class Box:
    kind = 2

    def __init__(self, a, b=None):
        self.a = a
        self.b = b

    def step(self, k):
        self.a = (self.a * self.kind + k) % 997
        if self.a % 3 == 0:
            self.b = k
        return self.a

    @property
    def total(self):
        return self.a if self.b is None else self.a + self.b


class Wide(Box):
    kind = 3

    def step(self, k):
        if k > 2:
            return super().step(k + 1)
        self.b = None
        return k


def checked(k):
    if k % 4 == 3:
        raise Refused("three")
    return k + 1


def pick(k):
    if k % 3 == 0:
        return None
    if k % 3 == 1:
        return k
    return k, k + 1


'''


class Structures:
    """Draws the lines of one function. Names by what they hold: ints, any (None, an int or a tuple), boxes, lists, pairs, dicts."""

    def __init__(self, random):
        self.random, self.lines, self.loops, self.inside, self.counters = random, [], 0, 0, []
        self.ints, self.anys, self.boxes = ["n", "m"], [], []
        self.lists, self.pairs, self.dicts = [], [], []

    def line(self, level, text):
        self.lines.append("    " * level + text)

    def number(self, depth=2):
        choose = self.random.choice
        if depth == 0 or self.random.random() < 0.3:
            return choose([str(self.random.randint(-3, 9)), choose(self.ints + self.counters), choose(self.ints)])
        left, right = self.number(depth - 1), self.number(depth - 1)
        forms = [f"({left} + {right})", f"({left} - {right})", f"({left} * {right}) % 101", f"({left} if {self.test(depth - 1)} else {right})", f"abs({left})"]
        if self.boxes:
            forms += [f"{choose(self.boxes)}.a", f"{choose(self.boxes)}.total"]
        if self.lists:
            forms += [f"len({choose(self.lists)})", f"sum({choose(self.lists)})", f"(1 if {left} in {choose(self.lists)} else 0)"]
        if self.dicts:
            forms += [f'{choose(self.dicts)}["a"]']
        forms += [f"(3, 5, 7, 9, 11)[{left} % 5]", f"int(v[{left} % 4])"]
        return choose(forms)

    def test(self, depth=1):
        choose = self.random.choice
        forms = [f"{self.number(depth)} {choose(['<', '>', '==', '!=', '<='])} {self.number(depth)}"]
        if self.anys:
            forms += [f"{choose(self.anys)} is None", f"{choose(self.anys)} is not None", f"isinstance({choose(self.anys)}, tuple)"]
        if self.lists:
            forms.append(choose(self.lists))
        if self.boxes:
            forms += [f"{choose(self.boxes)}.b is None", f"{choose(self.boxes)} is {choose(self.boxes)}"]
        return choose(forms)

    def anything(self):
        return self.random.choice(["None", "None", self.number(1), f"({self.number(1)}, {self.number(1)})", f"({self.number(0)}, 1, {self.number(0)})",
                                   f"pick({self.number(1)})", "'text'", *self.anys])

    def simple(self, level):
        choose, random = self.random.choice, self.random
        drawn = random.choices(["int", "any", "use", "box", "list", "pair", "dict", "swap"], [4, 4, 4, 5, 5, 2, 2, 1])[0]
        if drawn == "any" and self.anys:
            return self.line(level, f"{choose(self.anys)} = {self.anything()}")
        if drawn == "use" and self.anys:
            name, target = choose(self.anys), choose(self.ints)
            use = choose([f"if isinstance({name}, int):\n{{0}}    {target} = ({target} + {name}) % 997",
                          f"if isinstance({name}, tuple):\n{{0}}    {target} = ({target} + {name}[0] * len({name})) % 997",
                          f"if {name} is None:\n{{0}}    {target} += 1\n{{0}}elif {name} == 2:\n{{0}}    {target} -= 1",
                          f"{target} = {target} + (1 if {name} == {self.number(0)} else 2)"])
            return self.line(level, use.format("    " * level))
        if drawn == "box" and self.boxes:
            box = choose(self.boxes)
            return self.line(level, choose([f"{box}.step({self.number(1)})", f"{box}.b = {choose(['None', self.number(1)])}",
                                            f"{box}.a = ({box}.a + {self.number(1)}) % 997", f"{choose(self.ints)} = {box}.step({self.number(0)})",
                                            f"{box} = {choose(self.boxes)} if {self.test()} else {choose(self.boxes)}"]))
        if drawn == "list" and self.lists:
            l = choose(self.lists)
            return self.line(level, choose([f"{l}.append({self.number(1)})", f"{l}.append({self.number(1)})", f"{l}.extend([{self.number(0)}, {self.number(0)}])",
                                            f"{l}.insert({self.number(0)}, {self.number(1)})", f"if {l}: {choose(self.ints)} = {l}.pop()",
                                            f"if len({l}) > 2: {l}.pop(1)", f"{l}.sort()", f"{l}.reverse()", f"if {l}: {l}[-1] = {self.number(1)}",
                                            f"if len({l}) > 9: {l}.clear()"]))
        if drawn == "pair" and self.pairs:
            l, target = choose(self.pairs), choose(self.ints)
            return self.line(level, choose([f"{l}.append(({self.number(1)}, {self.number(1)}))", f"for p, q in {l}: {target} = ({target} + p - q) % 997",
                                            f"if {l}: {target} = {l}[-1][1]", f"{l}.sort(key=lambda p: p[1])"]))
        if drawn == "dict" and self.dicts:
            d = choose(self.dicts)
            return self.line(level, choose([f'{d}["a"] = ({d}["a"] + {self.number(1)}) % 997', f'{d}["b"] = {self.anything()}', f'{d}.update(a={self.number(1)})']))
        if drawn == "swap" and len(self.ints) > 1:
            a, b = random.sample(self.ints, 2)
            return self.line(level, f"{a}, {b} = {b}, {a}")
        self.line(level, f"{choose(self.ints)} = {self.number()}")

    def block(self, level, nesting, count):
        for _ in range(count):
            draw = self.random.random()
            if nesting == 0 or draw < 0.6:
                self.simple(level)
            elif draw < 0.75:
                self.branch(level, nesting - 1)
            elif draw < 0.88:
                self.loop(level, nesting - 1)
            else:
                self.attempt(level, nesting - 1)

    def inner(self, level, nesting):
        self.block(level, nesting, self.random.randint(1, 3))

    def branch(self, level, nesting):
        self.line(level, f"if {self.test()}:")
        self.inner(level + 1, nesting)
        if self.random.random() < 0.15:
            self.line(level + 1, self.random.choice(["return RESULT", f"return {self.anything()}"]))
        elif self.inside and self.random.random() < 0.3:
            self.line(level + 1, self.random.choice(["break", "continue"]))
        if self.random.random() < 0.5:
            self.line(level, "else:")
            self.inner(level + 1, nesting)

    def loop(self, level, nesting):
        self.loops += 1
        counter = f"i{self.loops}"
        if self.random.random() < 0.7:
            self.line(level, f"for {counter} in range({self.random.choice(['n', 'm', '3', 'abs(n) % 5'])}):")
        else:
            self.line(level, f"{counter} = 0")
            self.line(level, f"while {counter} < 4 and {self.test()}:")
            self.line(level + 1, f"{counter} += 1")
        self.counters.append(counter)
        self.inside += 1
        self.inner(level + 1, nesting)
        self.inside -= 1
        self.counters.pop()

    def attempt(self, level, nesting):
        target = self.random.choice(self.ints)
        self.line(level, "try:")
        if self.random.random() < 0.5:
            self.simple(level + 1)
        self.line(level + 1, self.random.choice([f"{target} = 12 // ({self.number(1)})", f"{target} = (1, 2, 3)[{self.number(1)}]", f"{target} = checked({self.number(1)})",
                                                 f"{target} = int(v[{self.number(1)}])"]))
        self.inner(level + 1, nesting)
        drawn = self.random.random()
        classes = self.random.choice(["(IndexError, ZeroDivisionError)", "Refused", "(LookupError, ArithmeticError, Refused)"])
        if drawn < 0.85:
            self.line(level, f"except {classes}:")
            self.inner(level + 1, nesting)
        if drawn < 0.2:
            self.line(level, "else:")
            self.simple(level + 1)
        if drawn > 0.75:
            self.line(level, "finally:")
            self.line(level + 1, f"{target} += 5")


def generate_structures(random, seed):
    """A program of this kind, drawn from `random`."""
    draw = Structures(random)
    for k in range(random.randint(1, 2)):
        draw.line(1, f"s{k} = {random.randint(0, 5)}")
        draw.ints.append(f"s{k}")
    for k in range(random.randint(0, 2)):
        draw.line(1, f"w{k} = {draw.anything()}")
        draw.anys.append(f"w{k}")
    for k in range(random.randint(0, 2)):
        draw.line(1, f"b{k} = {random.choice(['Box', 'Wide'])}({draw.number(1)})")
        draw.boxes.append(f"b{k}")
    for kind, names in (("l", draw.lists), ("p", draw.pairs)):
        if random.random() < 0.5:
            draw.line(1, f"{kind}0 = {'[]' if random.random() < 0.6 or kind == 'p' else '[1, 2]'}")
            names.append(f"{kind}0")
    if random.random() < 0.3:
        draw.line(1, f'd0 = {{"a": {draw.number(0)}, "b": None}}')
        draw.dicts.append("d0")
    draw.block(1, random.randint(1, 3), random.randint(3, 8))
    parts = [*draw.ints[2:], *draw.anys, *draw.lists, *draw.pairs, *(f"{b}.a" for b in draw.boxes), *(f"{b}.b" for b in draw.boxes),
             *(f"tuple({d}.values())" for d in draw.dicts)]
    result = "(" + ", ".join(parts) + ",)"
    body = "\n".join(line.replace("RESULT", result) for line in draw.lines)
    arguments = [("n", repr(random.randint(-2, 6))), ("m", repr(random.randint(0, 4))), ("v", "m_v")]
    bases = [Base("m_v", "int64", (4,), [random.randint(0, 9) for _ in range(4)])]
    return Program(f"{HELPERS}def program(n, m, v):\n{body}\n    return {result}\n", bases, arguments, seed=str(seed))
