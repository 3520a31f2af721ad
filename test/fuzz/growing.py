"""Random loops in which arrays grow, shrink, are kept and have other names: np.append, np.vstack and np.concatenate of what there is, `v = v[1:]`,
`v = v[v > 0]`, np.delete, the best array of a search.

A compiler may let such an array grow in place, hand on a length beside it, or read what a mask selects without moving it. Whoever has another name of the
array, or handed it over, must see no difference. Numbers are small multiples of 1/8 which are added, halved and compared, so that all results are known to
the last bit.
"""
from __future__ import annotations

from .program import Base, Program

COLUMNS = 3  # of the rows
LARGEST = 60  # elements of an array that a loop makes longer


class Growing:
    """Draws the loops of one function of `x` and `a`, lines of numbers, `k`, positions, `log`, a line that is written to, `table`, rows, and a number `n`."""

    def __init__(self, random, is_integer):
        self.random, self.is_integer = random, is_integer
        self.lines, self.helpers = [], []
        # What the loops carry. A program has some of these only, so that its arrays are often alone.
        self.of_lines = random.sample(["h", "v", "w"], random.choice([1, 2, 2, 3]))
        self.of_rows = random.sample(["g", "t"], random.choice([0, 1, 1, 2]))
        self.has_order = random.random() < 0.5
        self.names = []  # other names of arrays

    def chance(self, share):
        return self.random.random() < share

    def line(self, level, text):
        self.lines.append("    " * level + text)

    #  ---- values ----

    def a_line(self):
        return self.random.choice(self.of_lines)

    def threshold(self, i):
        return self.random.choice(["0", "1", "-1", f"x[{i} % len(x)]", f"{i} - 2", "a[0]"])

    def number(self, i):
        name = self.a_line()
        forms = [f"x[{i} % len(x)]", f"a[{i} % len(a)] + 1", f"{i}", "1", f"{name}.sum()", f"len({name})", f"x[{i} % len(x)] - {i}", "total"]
        return self.random.choice(forms + ([f"{name}[-1] * 0.5", f"0.5 * {i}"] if not self.is_integer else [f"{name}[-1] // 2"]))

    def piece(self, i):
        """A line, of one element or some, or of none."""
        name, low = self.a_line(), self.threshold(i)
        return self.random.choice(["x", "a[1:3]", f"x[x > {low}]", f"x[{i} % len(x):]", f"a[::-1][:{i}]", f"{name}[-1:]", f"{name}[:2]",
                                   f"{name}[{name} > {low}]",
                                   f"np.array([{self.number(i)}, 1])", f"x[k[{i} % len(k)]:][:2]", f"np.zeros({i})", f"table[{i} % len(table)]", "a[:0]",
                                   f"a - {i}"])

    def row(self, i):
        return self.random.choice([f"table[{i} % len(table)]", f"table[-1] - {i}", f"x[:{COLUMNS}]", f"np.array([{i}, 1, {self.number(i)}])",
                                   f"table[{i} % len(table)] + a[0]"])

    def mask(self, name, i):
        """Of the elements of a line."""
        low = self.threshold(i)
        return self.random.choice([f"{name} > {low}", f"{name} != {low}", f"np.abs({name}) <= 2 + {i}", f"({name} < 2) | ({name} > {low})",
                                   f"np.arange(len({name})) % 3 != {i} % 3", f"{name} < {name}.max()", f"~np.isin({name}, a[:2])"])

    #  ---- statements: each is a list of lines ----

    def grow(self, i):
        name, one = self.a_line(), self.random.randrange(8)
        if one < 3:
            text = f"{name} = np.append({name}, {self.random.choice([self.number, self.number, self.piece])(i)})"
        elif one < 5:
            parts = self.random.choice(["({0}, {1})", "[{0}, {1}]", "({0}, {1}, {2})"]).format(name, self.piece(i), self.piece(i))
            text = f"{name} = {self.random.choice(['np.concatenate', 'np.hstack'])}({parts})"
        elif one == 5:
            text = f"{name} = np.concatenate(({self.piece(i)}, {name}))"  # in front
        elif one == 6:
            text = f"{name} = np.append({self.a_line()}, {self.number(i)})"
        else:
            text = f"{name} = np.insert({name}, {self.random.choice(['0', f'{i} % (len({name}) + 1)', f'len({name})'])}, {self.number(i)})"
        return [f"if len({name}) < {LARGEST}:", "    " + text] if self.chance(0.5) or one in (3, 4, 5) else [text]

    def shrink(self, i):
        name = self.a_line()
        mask = self.mask(name, i)
        forms = [f"{name} = {name}[1:]", f"{name} = {name}[:-1]", f"{name} = {name}[{mask}]", f"{name} = {name}[{mask}]", f"{name} = {name}[1:] + {name}[:-1]",
                 f"{name} = {name}[1:] - {name}[:-1]", f"{name} = np.delete({name}, {i} % len({name}))", f"{name} = np.delete({name}, 0)",
                 f"{name} = {name}[::2]",
                 f"{name} = {name}[np.where({mask})[0]]", f"{name} = {name}[np.flatnonzero({mask})]", f"{name} = np.delete({name}, np.argmin({name}))",
                 f"{name} = np.unique({name})", f"{name} = np.diff({name})", f"{name} = np.sort({name})[1:]", f"{name} = {name}[:len({name}) // 2]",
                 f"{name} = {name}[1:].copy()", f"{name} = np.maximum({name}[1:], {name}[:-1])", f"{name} = np.compress({mask}, {name})",
                 f"{name} = {name}[::-1][1:]"]
        text = self.random.choice(forms)
        return [f"if len({name}) > {self.random.choice(['0', '1', '2', '3'])}:", "    " + text] if self.chance(0.7) else [text]

    def rows(self, i):
        if not self.of_rows:
            return self.grow(i)
        name, low = self.random.choice(self.of_rows), self.threshold(i)
        row = self.row(i)
        forms = [f"{name} = np.vstack(({name}, {row}))", f"{name} = np.vstack([{name}, {row}])", f"{name} = np.append({name}, [{row}], axis=0)",
                 f"{name} = np.concatenate(({name}, table[:{i}]))",
                 f"{name} = np.concatenate([{name}, {name}[-1:]], axis=0)", f"{name} = {name}[1:]", f"{name} = {name}[{name}[:, 0] > {low}]",
                 f"{name} = {name}[{name}.sum(axis=1) > {low}]",
                 f"{name} = np.delete({name}, {i} % len({name}), axis=0)", f"{name} = {name}[::-1]",
                 f"{name} = {name}[np.argsort({name}[:, 1], kind='stable')]",
                 f"{name} = np.column_stack(({name}, {name}[:, 0]))[:, 1:]", f"{name} = {name}[1:] + {name}[:-1]", f"{name}[0] = {row}",
                 f"{name}[-1, 1] = {self.number(i)}",
                 f"{name} = {name}[:, np.abs({name}).sum(axis=0) >= 0]"]
        text = self.random.choice(forms)
        return [f"if 1 < len({name}) < {LARGEST // 2}:", "    " + text] if self.chance(0.6) else [text]

    def orders(self, i):
        """Integers that are positions: of a line, or of themselves."""
        if not self.has_order:
            return self.shrink(i)
        low = self.threshold(i)
        name = self.a_line()
        forms = [f"order = np.append(order, {i})", "order = np.append(order, len(order))", f"order = order[np.where(order[:-1] != {i})[0] + 1]",
                 f"order = order[x[order % len(x)] > {low}]",
                 "order = order[1:]", f"order = order[order != {i}]", f"order = np.concatenate((order, k[k > {i}]))",
                 "order = np.delete(order, np.argmax(order))",
                 f"{name} = x[order % len(x)]", f"order = np.argsort({name}, kind='stable')", f"order = np.where({self.mask(name, i)})[0]",
                 "order = order[::-1]",
                 "order = order[:-1][order[1:] > order[:-1]]"]
        text = self.random.choice(forms)
        return [f"if 0 < len(order) < {LARGEST}:", "    " + text] if self.chance(0.6) else [text]

    def keep(self, i):
        name = self.random.choice(self.of_lines + ["x"])
        number = self.random.choice([f"{name}.sum()", f"np.abs({name} - {self.threshold(i)}).sum()", f"len({name})",
                                     f"np.count_nonzero({self.mask(name, i)})", f"x[{i} % len(x)]"])
        kept = self.random.choice([f"kept = {name}", f"kept = {name}.copy()", f"kept = {name}[1:]", f"mask = {self.mask('x', i)}",
                                   f"mask = {self.mask('x', i)}", "kept = x"]
                                  + ["order = k.copy()"] * self.has_order)
        return [f"if {number} {self.random.choice(['<', '>', '>=', '<='])} best:", f"    best = {number}", f"    {kept}"]

    def names_of(self, i):
        """Another name of an array, and stores that both see, or one only."""
        name = self.a_line()
        forms = [f"kept = {name}", f"kept = {name}[:2]", f"kept = {name}[1:]", f"{name}, kept = kept, {name}", f"{name} = kept", f"{name} = x",
                 f"{name} = x[{i} % len(x):]", f"kept = {name}[::-1]",
                 f"{name} = {self.a_line()}"]
        return [self.random.choice(forms)]

    def store(self, i):
        name = self.random.choice(self.of_lines * 2 + ["kept", "x"])
        forms = [f"{name}[0] = {self.number(i)}", f"{name}[-1] += 1", f"{name}[:] = {self.number(i)}", f"{name} += 1",
                 f"{name}[{i} % len({name})] = {self.number(i)}", f"{name}[1:] -= {name}[:-1]",
                 f"{name}[{name} > 1] = {i}", f"{name}[:2] = a[:2]", f"{name} *= -1", f"{name}[::2] = {i}"]
        text = self.random.choice(forms)
        return [f"if len({name}) > 1:", "    " + text] if self.chance(0.7) else [text]

    def collect(self, i):
        name = self.random.choice(self.of_lines + self.of_rows + ["kept", "mask"])
        return [self.random.choice([f"log[{i} % len(log)] = len({name})", f"total += {name}.sum()", f"out.append(len({name}))", "out.append(total)",
                                    f"total = total + {name}.shape[0]",
                                    f"log[{i} % len(log)] = {name}.sum()", f"out.append({self.a_line()}[-1])", f"total += float({self.a_line()}.max())"])]

    def leave(self, i):
        name = self.a_line()
        return [f"if {self.random.choice([f'len({name}) > 20', f'len({name}) == 0', f'len({name}) < 2', f'{i} == 3', f'{name}.sum() > 9', 'len(out) > 5'])}:",
                "    " + self.random.choice(["break", "break", "continue"])]

    def help(self, i):
        """A function of the module that is given an array and gives it back longer or shorter."""
        if not self.helpers or self.chance(0.5):
            number = len(self.helpers)
            body = self.random.choice([["return np.append(line, other[:1])"], ["return line[1:]"], ["return line[line > other[0]]"], ["line[0] = other[0]",
                                                            "return np.concatenate((line, other))"],
                                       ["for i in range(2):", "    line = np.append(line, i)", "return line"], ["if len(line) > 4:", "    return line[::2]",
                                                            "return np.append(line, line[-1:])"]])
            self.helpers.append(f"def helper{number}(line, other):\n" + "".join(f"    {text}\n" for text in body))
        name = self.a_line()
        return [f"if len({name}) < {LARGEST}:",
                f"    {name} = helper{self.random.randrange(len(self.helpers))}({name}, {self.random.choice(['a', 'x', self.a_line()])})"]

    def statement(self, i, depth=0):
        draw = self.random.choices([self.grow, self.shrink, self.rows, self.orders, self.keep, self.names_of, self.store, self.collect, self.leave, self.help],
                                   [5, 5, 3, 3, 2, 1.5, 2, 2, 1, 0.5])[0]
        lines = draw(i)
        if depth < 2 and self.chance(0.15):
            name = self.a_line()
            condition = self.random.choice([f"{i} % 2 == 0", f"len({name}) > 3", f"x[{i} % len(x)] > 0", f"(k == {i}).any()", f"{i} > 1"])
            lines = [f"if {condition}:", *("    " + text for text in lines)]
            if self.chance(0.4):
                lines += ["else:", *("    " + text for text in self.statement(i, depth + 1))]
        return lines

    #  ---- loops ----

    def body(self, level, i, count):
        for _ in range(count):
            for text in self.statement(i):
                self.line(level, text)

    def loop(self, level):
        form, name, count = self.random.randrange(6), self.a_line(), self.random.choice([1, 2, 2, 3, 4, 5])
        if form < 2:
            self.line(level, f"for i in range({self.random.choice(['n', 'len(k)', 'len(x)', '5', 'n + 2'])}):")
            self.body(level + 1, "i", count)
        elif form == 2:
            self.line(level, "for i in k:")
            self.body(level + 1, "i", count)
        elif form == 3:
            self.line(level, "i = 0")
            self.line(level,
                      f"while {self.random.choice([f'len({name}) < 12', f'len({name}) > 1', f'{name}.size > 0', 'total < 20'])}"
                      f" and i < {self.random.choice(['n', '7', '9'])}:")
            self.line(level + 1, "i += 1")
            self.body(level + 1, "i", count)
        elif form == 4:
            self.line(level, f"for i in range({self.random.choice(['2', '3', 'n'])}):")
            if self.chance(0.6):
                self.body(level + 1, "i", self.random.choice([1, 2]))
            self.line(level + 1, f"for j in range({self.random.choice(['2', 'i', '3', 'len(k) - 2'])}):")
            self.body(level + 2, self.random.choice(["j", "(i + j)"]), self.random.choice([1, 2, 3]))
            if self.chance(0.4):
                self.body(level + 1, "i", 1)
        else:
            self.line(level, f"for i, q in enumerate({self.random.choice(['x', 'a', 'table', 'k'])}):")
            self.body(level + 1, "i", count)


def start_of_line(random):
    return random.choice(["x", "x[:2]", "x[1:]", "x.copy()", "a", "a[::-1]", "np.zeros(0, x.dtype)", "x[:0]", "x[:1]", "np.zeros(2, x.dtype)",
                          "np.append(x, a)", "x - a[0]", "table[0]", "table[:, 1]"])


def start_of_rows(random):
    return random.choice(["table", "table[:1]", f"np.zeros((0, {COLUMNS}), x.dtype)", f"np.zeros((1, {COLUMNS}), x.dtype)", "table.copy()",
                          f"x[:{COLUMNS}].reshape(1, -1)", "table[::-1]"])


def start_of_order(random):
    return random.choice(["k", "k[:1]", "k.copy()", "np.arange(len(x))", "np.zeros(0, np.int64)", "np.array([0])", "np.argsort(x, kind='stable')"])


def generate_growing(random, seed):
    """A program of this kind, drawn from `random`."""
    dtype = random.choice(["float64"] * 4 + ["float32", "int64"])
    draw = Growing(random, dtype == "int64")
    first = random.choice(["np.inf", "-np.inf", "-1.0", "0.0", "1e3"])
    for text in (f"best = {first}", "total = 0.0", "out = []", f"kept = {random.choice(['x', 'a', 'x[1:]', 'np.zeros(2, x.dtype)'])}", "mask = x > 0"):
        draw.line(1, text)
    for name in draw.of_lines:
        draw.line(1, f"{name} = {start_of_line(random)}")
    for name in draw.of_rows:
        draw.line(1, f"{name} = {start_of_rows(random)}")
    if draw.has_order:
        draw.line(1, f"order = {start_of_order(random)}")
    for _ in range(random.choice([1, 1, 1, 2])):
        draw.loop(1)
    length = random.choice([3, 4, 5, 9, 9, 12, 20])
    number = (lambda: random.randint(-6, 6)) if draw.is_integer else (lambda: random.randint(-24, 24) / 8)
    bases = [Base("base0", dtype, (length,), [number() for _ in range(length)]), Base("base1", dtype, (6,), [number() for _ in range(6)]),
             Base("base2", "int64", (5,), [random.randint(0, max(length - 1, 2)) for _ in range(5)]), Base("base3", "float64", (7,), [0.0] * 7),
             Base("base4", dtype, (4, COLUMNS), [number() for _ in range(4 * COLUMNS)])]
    arguments = [("x", random.choice(["base0"] * 6 + ["base0[::-1]"])), ("a", random.choice(["base1"] * 5 + ["base0[1:]", "base0", "base1[::-1]",
                                                            "base4[:, 0]"])), ("k", "base2"),
                 ("log", "base3"), ("table", random.choice(["base4", "base4", "base4[::-1]", "np.asfortranarray(base4)"])), ("n", str(random.randint(0, 6)))]
    body = "\n".join(draw.lines)
    results = [*draw.of_lines, *draw.of_rows, *(["order"] if draw.has_order else []), "kept", "mask", "float(best)", "float(total)",
               "np.array([float(q) for q in out])"]
    helpers = "".join(text + "\n\n" for text in draw.helpers)
    return Program(f"EXACT = True\n\n\n{helpers}def program(x, a, k, log, table, n):\n{body}\n    return {', '.join(results)}\n", bases, arguments,
                   seed=str(seed))
