# RUN: %python %s
"""Sums, differences and products of a Python integer and a constant, for integers that just fit into 64 bits with it and that just do not."""
import linecache

import numpy as np

import npcc

CONSTANTS = (1, -1, 3, -3, 7, -1000, 2**62, -(2**62), 2**63 - 1, -(2**63))
TEXTS = ("x + {}", "{} + x", "x - {}", "{} - x", "x * {}", "{} * x")


seen = np.zeros(1)  # what others see is not done again: such a call is an error where Python would go on


def fits(number):
    return -(2**63) <= number < 2**63


for constant in CONSTANTS:
    source = "def together(x, which, seen):\n    seen[0] = 1\n"
    source += "".join(f"    if which == {k}:\n        return {text.format(f'({constant})')}\n" for k, text in enumerate(TEXTS)) + "    return 0\n"
    names, file = {}, f"<{constant}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)  # where the compiler reads it
    exec(compile(source, file, "exec"), names)
    plain = names["together"]
    compiled = npcc.jit(target="cpu")(plain)
    bounds = {0, 5, -5, 2**63 - 1, -(2**63)}
    for edge in (2**63 - 1, -(2**63)):
        for middle in (edge - constant, edge + constant, constant - edge, edge // constant, -(-edge // constant)):
            bounds |= {middle + step for step in range(-2, 3)}
    for x in sorted(bounds):
        if not fits(x):
            continue
        for which in range(len(TEXTS)):
            want = plain(x, which, seen)
            try:
                got = compiled(x, which, seen)
            except OverflowError:
                got = None
            assert got == (want if fits(want) else None), (TEXTS[which].format(constant), x, got, want)
print("as Python has them")
