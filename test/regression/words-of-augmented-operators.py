# RUN: %python %s
"""The TypeError of an augmented assignment named the operator without its '=', and those of strings and lists beside what they cannot be joined with had
other words than Python's."""
import linecache

import npcc

OPERATORS = ("+=", "-=", "*=", "/=", "//=", "%=", "**=", "<<=", "&=", "|=", "@=")
LEFT, RIGHT = ("1", "1.5", '"s"', "[1]", "(1,)", "None", "{1}", "{1: 2}"), ("None", "1", '"s"', "[1]", "{1}")


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except (TypeError, ValueError) as error:
        return str(error)


file, functions = "<augmented>", []
source = "class Sum:\n    def __init__(self, of):\n        self.of = of\n\n    def __add__(self, other):\n        return self.of + other\n\n\n"
cases = [(left, operator, right) for left in LEFT for operator in OPERATORS for right in RIGHT][::3]
for k, (left, operator, right) in enumerate(cases):
    source += f"def f{k}():\n    x = {left}\n    x {operator} {right}\n    return x\n\n\n"
source += "def inner(n):\n    x = Sum(n)\n    x += None\n    return x\n\n\ndef choice(n):\n    x = None if n > 2 else n\n    x += n\n    return x\n\n\n"
source += "def item(n):\n    rows = [n, None]\n    rows[1] += n\n    return rows\n\n\n"
source += "def joined(n):\n    return 's' + [n]\n\n\ndef repeated(n):\n    return [n] * 's'\n"
linecache.cache[file] = (len(source), None, source.splitlines(True), file)  # where the compiler reads it
names = {}
exec(compile(source, file, "exec"), names)
for name, arguments in [(f"f{k}", ()) for k in range(len(cases))] + [(one, (n,)) for one in ("inner", "choice", "item", "joined", "repeated") for n in (1, 3)]:
    got, expected = outcome(npcc.jit(names[name], target="cpu"), *arguments), outcome(names[name], *arguments)
    assert got == expected, (name, arguments, source.split(f"def {name}(")[1].split("def")[0], got, expected)
