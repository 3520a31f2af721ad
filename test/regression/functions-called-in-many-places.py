# RUN: %python %s
"""Twelve functions that are much, each called in four places, were 48 copies: none of the functions alone was most of the import, so none was shared."""
import importlib
import os
import sys
import tempfile

import npcc

STEPS = "".join(f"    if x > {k}.5:\n        y += x * {k} - y / {k + 1}\n        x -= y * 0.125\n" for k in range(1, 64))
FUNCTIONS = 12


def program():
    lines = ["import math\n"]
    for k in range(FUNCTIONS):
        lines.append(f"def part{k}(x, y):\n    y += {k}.0\n{STEPS}    if y < 0:\n        return False, x, [x]\n    return True, y, [x, y]\n")
    lines.append("def whole(x, y):\n    total, items = 0.0, []\n")
    for k in range(FUNCTIONS):
        for signs in ("x, y", "-x, y", "x, -y", "-x, -y"):
            lines.append(f"    good, value, found = part{k}({signs})\n    if good:\n        total += value\n        items.append(len(found))\n")
    lines.append("    return total, items\n")
    return "\n".join(lines)


with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "many_parts.py"), "w") as file:
        file.write(program())
    sys.path.insert(0, folder)
    module = importlib.import_module("many_parts")
    compiled = npcc.jit(module.whole, target="cpu", cache=False)
    for x, y in (1.5, 0.25), (20.0, -3.0), (-2.0, 7.0):
        assert compiled(x, y) == module.whole(x, y), (compiled(x, y), module.whole(x, y))
    text = str(compiled.explain())
    assert all(f"call of whole.part{k}" in text for k in range(FUNCTIONS)), text[:2000]
