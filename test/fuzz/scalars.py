"""Random control flow over scalars: what a loop does to names, rather than what functions do to arrays.

Every name keeps one kind (Python's int, float or bool, a NumPy scalar, an array of three), so that programs are rarely refused. Values stay small and
exact by `%`, so rounding decides nothing (EXACT). Programs end: a `while` counts, or runs down a count of its own.
"""
from __future__ import annotations

from .program import Base, Program

KINDS = {"int": "i", "float": "x", "bool": "b", "npf": "s", "npi": "t", "arrf": "u", "arri": "v"}
START = {"int": "{}", "float": "{}.5", "bool": "{} > 3", "npf": "np.float64({})", "npi": "np.int64({})", "arrf": "np.zeros(3) + {}", "arri": "np.arange(3) * {}"}
EXTENT = 3


class Scalars:
    """Draws the text of one function, block by block."""

    def __init__(self, random):
        self.random, self.lines, self.start, self.loops = random, [], [], 0
        self.names = {kind: [] for kind in KINDS}  # names that may be read, bound on every path or not
        self.fixed = set()  # counters: only their own loop binds them
        self.inside = []    # the loops around the statement that is drawn: "for", "while"

    #  ---- expressions ----

    def pick(self, kind):
        return self.random.choice(self.names[kind]) if self.names[kind] else None

    def expression(self, kind, depth):
        return getattr(self, "_" + kind)(depth)

    def _leaf(self, kind, constant):
        name = self.pick(kind)
        return name if name and self.random.random() < 0.85 else constant

    def _int(self, depth):
        r = self.random
        if depth <= 0 or r.random() < 0.25:
            return self._leaf("int", str(r.randint(-3, 7)))
        a, b = self._int(depth - 1), self._int(depth - 1)
        if r.random() < 0.04:  # soon beyond 64 bits
            return r.choice([f"({a} * 1000003 - {b})", f"({a} << 9)", f"({a} + {b}) ** 3", f"({a} + {b} + {2**61})"])
        return r.choice([f"(({a} + {b}) % 13)", f"(({a} - {b}) % 11)", f"(({a} * {b}) % 7)", f"({a} // 2)", f"(({a} - 6) // 4)", f"min({a}, {b})", f"max({a}, {b})",
                         f"abs({a})", f"({a} if {self._bool(depth - 1)} else {b})", f"int({self._float(depth - 1)})", f"(-({a}) % 5)",
                         f"({a} & 6)", f"(({a} ^ 3) % 16)", f"int({self._npi(depth - 1)})"])

    def _float(self, depth):
        r = self.random
        if depth <= 0 or r.random() < 0.25:
            return self._leaf("float", str(r.randint(-6, 12) / 2))
        a, b = self._float(depth - 1), self._float(depth - 1)
        return r.choice([f"(({a} + {b}) % 8.0)", f"(({a} - {b}) % 8.0)", f"({a} * 0.5)", f"min({a}, {b})", f"max({a}, {b})", f"abs({a})",
                         f"({a} if {self._bool(depth - 1)} else {b})", f"float({self._int(depth - 1)})", f"(({a} + {self._int(depth - 1)}) % 8.0)",
                         f"float({self._npf(depth - 1)})"])

    def _bool(self, depth):
        r = self.random
        if depth <= 0 or r.random() < 0.1:
            return self._leaf("bool", r.choice(["True", "False"]))
        kind = r.choice(["int", "int", "float", "npf", "npi"])
        a, b = self.expression(kind, depth - 1), self.expression(kind, depth - 1)
        sign = r.choice(["<", "<=", ">", ">=", "==", "!="])
        # NumPy's bool is another type than Python's, which a name keeps.
        compared = f"bool({a} {sign} {b})" if kind in ("npf", "npi") else f"({a} {sign} {b})"
        return r.choice([compared, compared, compared, f"(not {self._bool(depth - 1)})",
                         f"({self._bool(depth - 1)} and {self._bool(depth - 1)})", f"({self._bool(depth - 1)} or {self._bool(depth - 1)})",
                         f"({self._int(depth - 1)} <= {self._int(depth - 1)} < {self._int(depth - 1)})", f"bool({self._int(depth - 1)})"])

    def _npf(self, depth):
        return self._numpy("npf", "arrf", "np.float64", self._float, "8.0", depth)

    def _npi(self, depth):
        return self._numpy("npi", "arri", "np.int64", self._int, "9", depth)

    def _numpy(self, kind, array_kind, constructor, number, modulus, depth):
        r, array = self.random, self.pick(array_kind)
        if depth <= 0 or r.random() < 0.25:
            name = self.pick(kind)
            return name if name and r.random() < 0.8 else f"{array}[{r.randint(0, EXTENT - 1)}]" if array else f"{constructor}({r.randint(0, 5)})"
        a, b = self.expression(kind, depth - 1), self.expression(kind, depth - 1)
        choices = [f"(({a} + {b}) % {modulus})", f"(({a} - {number(depth - 1)}) % {modulus})", f"abs({a})", f"max({a}, {b})", f"min({a}, {b})",
                   f"({a} if {self._bool(depth - 1)} else {b})", f"{constructor}({number(depth - 1)})"]
        if array:
            choices += [f"{array}[{self._int(depth - 1)} % {EXTENT}]", f"{array}.max()", f"({array}.sum() % {modulus})", f"np.abs({array}).max()"]
        return r.choice(choices)

    def _arrf(self, depth):
        return self._array("arrf", "npf", "float", "8.0", "np.zeros(3)", depth)

    def _arri(self, depth):
        return self._array("arri", "npi", "int", "9", "np.arange(3)", depth)

    def _array(self, kind, scalar, number, modulus, constant, depth):
        r = self.random
        if depth <= 0 or r.random() < 0.3:
            return self._leaf(kind, constant)
        a, b = self.expression(kind, depth - 1), self.expression(kind, depth - 1)
        return r.choice([f"(({a} + {b}) % {modulus})", f"(({a} - {self.expression(scalar, depth - 1)}) % {modulus})", f"{a}[::-1]", f"{a}.copy()",
                         f"(({a} * {self.expression(number, depth - 1)}) % {modulus})", f"np.where({a} > {b}, {a}, {b})",
                         f"({a} if {self._bool(depth - 1)} else {b})"])

    #  ---- statements ----

    def line(self, level, text):
        self.lines.append("    " * level + text)

    def target(self, kind):
        """A name to bind: a known one, or at times a new one, which later statements may find unbound."""
        free = [name for name in self.names[kind] if name not in self.fixed]
        if free and self.random.random() < 0.8:
            return self.random.choice(free)
        return f"{KINDS[kind]}{len(self.names[kind])}"

    def bind(self, kind, name, argument=False):
        """From here on the name may be read. Most are bound before all else; what is not may be found unbound."""
        if name in self.names[kind]:
            return
        if not argument and self.random.random() < 0.85:
            self.start.append(f"    {name} = {START[kind].format(self.random.randint(0, 6))}")
        self.names[kind].append(name)

    def kind(self):
        return self.random.choices(list(KINDS), [6, 5, 1, 4, 2, 3, 1])[0]

    def block(self, level, nesting, count=None):
        start = len(self.lines)
        for _ in range(count or self.random.randint(1, 4)):
            if self.statement(level, nesting):
                break  # nothing follows a jump
        if len(self.lines) == start:
            self.line(level, "pass")

    def statement(self, level, nesting):
        """Writes one statement. True after one that leaves the block."""
        r = self.random
        if nesting > 0 and r.random() < (0.45 if level > 1 else 0.65):
            r.choice([self.branch, self.branch, self.counted, self.counted, self.counting, self.running_down, self.forever])(level, nesting - 1)
            return False
        if self.inside and r.random() < 0.1:
            # A jump at the end of a loop's own block would make what follows unreachable, so it stands under a test.
            self.line(level, f"if {self._bool(2)}:")
            self.line(level + 1, r.choice(["break", "break", "continue"]))
            return False
        if r.random() < 0.04:
            self.line(level, f"if {self._bool(2)}:")
            self.line(level + 1, "return RESULT")
            return False
        r.choice([self.assign] * 6 + [self.share] * 3 + [self.swap] * 2 + [self.augment] * 2 + [self.store])(level)
        return False

    def assign(self, level):
        kind = self.kind()
        text = self.expression(kind, self.random.randint(1, 2))
        name = self.target(kind)
        self.line(level, f"{name} = {text}")
        self.bind(kind, name)

    def share(self, level):
        """Two names of one value."""
        kind = self.kind()
        source, name = self.pick(kind), self.target(kind)
        if not source:
            return self.assign(level)
        if self.random.random() < 0.3:
            other = self.target(kind)
            self.line(level, f"{name} = {other} = {self.expression(kind, 1)}")
            self.bind(kind, other)
        else:
            self.line(level, f"{name} = {source}")
        self.bind(kind, name)

    def swap(self, level):
        kinds = [kind for kind in KINDS if len([n for n in self.names[kind] if n not in self.fixed]) > 1]
        if not kinds:
            return self.assign(level)
        kind = self.random.choice(kinds)
        free = [name for name in self.names[kind] if name not in self.fixed]
        count = self.random.randint(2, min(3, len(free)))
        names = self.random.sample(free, count)
        values = [self.random.choice([self.random.choice(free), self.expression(kind, 1)]) for _ in names]
        self.line(level, f"{', '.join(names)} = {', '.join(values)}")

    def augment(self, level):
        kind = self.random.choice(["int", "float", "npf", "npi", "arrf", "arri"])
        free = [name for name in self.names[kind] if name not in self.fixed]
        if not free:
            return self.assign(level)
        name = self.random.choice(free)
        scalar = {"arrf": "npf", "arri": "npi"}.get(kind, kind)
        self.line(level, f"{name} += {self.expression(self.random.choice([kind, scalar]), 1)}")
        self.line(level, f"{name} %= {self.random.choice([5, 8])}")

    def store(self, level):
        kind = self.random.choice(["arrf", "arri"])
        name = self.pick(kind)
        if not name:
            return self.assign(level)
        scalar = {"arrf": self.random.choice(["npf", "float"]), "arri": self.random.choice(["npi", "int"])}[kind]
        self.line(level, f"{name}[{self._int(1)} % {EXTENT}] = {self.expression(scalar, 1)}")

    def branch(self, level, nesting):
        self.line(level, f"if {self._condition()}:")
        self.block(level + 1, nesting)
        if self.random.random() < 0.25:
            self.line(level, f"elif {self._condition()}:")
            self.block(level + 1, nesting)
        if self.random.random() < 0.5:
            self.line(level, "else:")
            self.block(level + 1, nesting)

    def _condition(self):
        kind = self.random.choice(["bool"] * 8 + ["int", "float", "npf"])
        return self.expression(kind, 2)

    def loop(self, level, header, nesting, before="", after="", kind="for"):
        self.line(level, header)
        self.inside.append(kind)
        if before:
            self.line(level + 1, before)
        self.block(level + 1, nesting)
        if after:
            self.line(level + 1, after)
        self.inside.pop()
        if self.random.random() < 0.1:
            self.line(level, "else:")
            self.block(level + 1, 0)

    def counted(self, level, nesting):
        """for ... in range(...); at times the counter is a name that is used elsewhere too."""
        r = self.random
        free = [name for name in self.names["int"] if name not in self.fixed]
        name = r.choice(free) if free and r.random() < 0.3 else f"k{self.loops}"
        self.loops += 1
        stop = f"{self._int(1)} % 5"
        bounds = r.choice([str(r.randint(0, 4)), stop, f"{r.randint(0, 2)}, {stop}", f"{stop}, -1, -1", f"0, {stop}, 2", f"{r.randint(3, 6)}, 0, -2"])
        new = name not in self.names["int"]
        self.bind("int", name)
        if new:
            self.fixed.add(name)
        self.loop(level, f"for {name} in range({bounds}):", nesting)

    def counting(self, level, nesting):
        """while counter < bound, with the step at the start, where `continue` cannot miss it."""
        r = self.random
        name = f"n{self.loops}"
        self.loops += 1
        start, step = self._int(1), r.choice([1, 1, 1, 2, 3])
        self.line(level, f"{name} = {start}")
        self.bind("int", name)
        self.fixed.add(name)
        limit = r.choice([f"{r.randint(-2, 6)}", f"{self._int(0)} % 6"])
        test = r.choice([f"{name} < {limit}", f"{name} < {limit}", f"{limit} > {name}", f"{name} <= {limit}", f"not {name} >= {limit}",
                         f"{name} < {limit} and {self._bool(1)}"])
        if r.random() < 0.3 and not any(word in test for word in ("and", "%")):
            # The step at the end: a loop as people write it; `continue` would make it endless, so it is replaced.
            first = len(self.lines)
            self.loop(level, f"while {test}:", nesting, after=f"{name} += {step}", kind="while")
            depth = "    " * (level + 1)
            for i in range(first, len(self.lines)):
                if self.lines[i].strip() == "continue" and self.lines[i].startswith(depth):
                    self.lines[i] = self.lines[i].replace("continue", "break")
            return
        self.loop(level, f"while {test}:", nesting, before=f"{name} += {step}", kind="while")

    def running_down(self, level, nesting):
        """while something that data decide, for a bounded number of iterations."""
        name = f"f{self.loops}"
        self.loops += 1
        self.line(level, f"{name} = {self.random.randint(1, 5)}")
        self.bind("int", name)
        self.fixed.add(name)
        test = self.random.choice([f"{name} > 0 and {self._bool(2)}", f"{self._bool(2)} and {name} > 0", f"{name}", f"{name} > 0"])
        self.loop(level, f"while {test}:", nesting, before=f"{name} -= 1", kind="while")

    def forever(self, level, nesting):
        """while True with its exits in the middle and at the end."""
        name = f"e{self.loops}"
        self.loops += 1
        self.line(level, f"{name} = 0")
        self.bind("int", name)
        self.fixed.add(name)
        self.line(level, "while True:")
        self.inside.append("while")
        self.line(level + 1, f"{name} += 1")
        self.line(level + 1, f"if {name} > {self.random.randint(1, 5)}:")
        if self.random.random() < 0.5:
            self.assign(level + 2)
        self.line(level + 2, "break")
        self.block(level + 1, nesting)
        self.inside.pop()


def generate_scalars(random, seed):
    """A program of this kind, drawn from `random`."""
    draw = Scalars(random)
    arguments, bases = [], []
    for kind, count, value in [("int", random.randint(1, 2), lambda: random.randint(-2, 6)), ("float", random.randint(0, 2), lambda: random.randint(-6, 12) / 2),
                               ("bool", random.randint(0, 1), lambda: random.random() < 0.5)]:
        for _ in range(count):
            name = f"{KINDS[kind]}{len(draw.names[kind])}"
            arguments.append((name, repr(value())))
            draw.bind(kind, name, argument=True)
    for kind, dtype in [("arrf", "float64"), ("arri", "int64")]:
        if random.random() < 0.7:
            name = f"{KINDS[kind]}0"
            values = [random.randint(0, 14) / 2 if dtype == "float64" else random.randint(0, 8) for _ in range(EXTENT)]
            bases.append(Base(f"m_{name}", dtype, (EXTENT,), values))
            arguments.append((name, f"m_{name}"))
            draw.bind(kind, name, argument=True)
    for _ in range(random.randint(0, 3)):
        draw.assign(1)
    draw.block(1, random.randint(1, 3), random.randint(2, 7))
    everything = [name for kind in KINDS for name in draw.names[kind] if kind != "bool" or random.random() < 0.5]
    chosen = random.sample(everything, min(len(everything), random.randint(1, 5)))
    result = chosen[0] if len(chosen) == 1 else f"({', '.join(chosen)})"
    body = "\n".join(line.replace("return RESULT", f"return {result}") for line in draw.start + draw.lines)
    names = ", ".join(name for name, _ in arguments)
    return Program(f"EXACT = True\n\n\ndef program({names}):\n{body}\n    return {result}\n", bases, arguments, seed=str(seed))
