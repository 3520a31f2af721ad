# RUN: %python %s
"""Loops of a script's top level do the same in parts and in the functions that are made of them."""
import ast
import contextlib
import io
import types

import numpy as np

from npcc import hot_loops

LOOPS = """
import numpy as np
found, odd, a = [], 0, np.zeros(5)
for k in range(100):
    if k % 3 == 0:
        continue
    if k > 70:
        break
    odd += k % 2
    found.append(k)
for row in np.arange(6.0).reshape(3, 2):
    row += 1
    a[:2] += row
for name, value in {"x": 1, "y": 2}.items():
    found.append((name, value))
n = 10
while n > 1:
    n = n // 2 if n % 2 == 0 else 3 * n + 1
    for j in range(3):
        if j == n:
            break
    else:
        found.append(n)
while True:
    n += 1
    if n > 50:
        break
    squares = [n * m for m in range(2)]
for x in range(3):
    found.append(x)
else:
    found.append("all")
if n:
    for i in range(5, 0, -2):
        found.append(lambda: i)
for unused in range(0):
    never = 1


def simulate(n):
    total, grid, last = 0.0, np.zeros((4, 4)), None
    for k in range(n):
        if k == 30:
            break
        if k % 4 == 0:
            continue
        grid[k % 4, k % 3] += k
        total += grid.sum()
        last = k
    u, v = np.ones(3), np.zeros(3)
    while True:
        v[:] = u * 2
        u, v = v, u
        if u.sum() > 100:
            break
    for name in ("a", "b"):
        last = name
    return total, grid, last, u, k


def unsafe(n):
    try:
        for k in range(n):
            1 / (5 - k)
    except ZeroDivisionError:
        return k


def searched(n):
    for k in range(n):
        if k * k > n:
            return k


def often(n):
    total = 0
    for k in range(n):
        total += k
    return total


def main():
    more = [often(k) for k in range(3)]
    return simulate(100), simulate(3), unsafe(9), searched(50), more
"""

SCRIPT = LOOPS + """
if __name__ == "script":
    results = main()
for late in range(10):
    print(late)
    if late == 4:
        1 / 0
"""


def outcome(cut, is_tried):
    tree = ast.parse(SCRIPT)
    module = types.ModuleType("script")
    module.__file__ = "script.py"
    module.__name__ = "script"
    loops = hot_loops.cut(tree, module, 1e9) if cut else []
    for loop in loops:
        loop.trial = types.SimpleNamespace(is_compiled=True) if is_tried else None
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(tree, "script.py", "exec"), vars(module))
        except ZeroDivisionError as error:
            trace = error.__traceback__
            while trace.tb_next:
                trace = trace.tb_next
            print(trace.tb_lineno)
    left = {name: value for name, value in vars(module).items() if not name.startswith("__") and name != "np" and not isinstance(value, types.FunctionType)}
    left["results"] = repr(left["results"])
    left["found"] = [one() if callable(one) else one for one in left["found"]]
    return left, out.getvalue(), len(loops)


expected, text, _ = outcome(False, False)
for is_tried in (False, True):
    given, output, count = outcome(True, is_tried)
    assert count == 11 and output == text and given.keys() == expected.keys(), (count, output, given.keys() ^ expected.keys())
    for name in expected:
        assert np.array_equal(given[name], expected[name]) if name in ("a", "row") else given[name] == expected[name], name

# What would be another thing in a function is left alone.
for body in ("def f(): pass", "print(locals())", "import os", "global k", "x: int = 1"):
    tree = ast.parse(f"for k in range(3):\n    {body}\n")
    assert not hot_loops.cut(tree, types.ModuleType("script"), 1.0), body
