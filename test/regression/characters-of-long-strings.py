# RUN: %python %s
"""A loop over a long string that the compiler knows filled an array of its characters with a store for each of them."""
import numpy as np

import npcc

TEXT = "GATTACA" * 40


def matches(s, u):
    total = 0
    for i, c in enumerate(s):
        for j, d in enumerate(u, 1):
            total += (c == d) * i - j
    return total, c, d


def beside_others(s, u):
    pairs = sum(a == b for a, b in zip(s, u))
    return pairs, [ord(c) for c in s][-5:], {c: k for k, c in enumerate(s)}, "".join(c.lower() for c in s if c != "A")


def of_a_global():
    found = []
    for k, (c, x) in enumerate(zip(TEXT, range(1000, 0, -1))):
        if c == "T":
            found.append((k, x, c))
    for first in reversed(TEXT):
        last = first
    return found[:5], len(found), last


def one_hot(s):
    rows = np.zeros((len(s), 4), int)
    for i, c in enumerate(s):
        rows[i, "ACGT".index(c)] = 1
    return rows.sum(0), rows[:, 0].argmax()


CASES = (matches, ("ACGT" * 50, "AGGT" * 30)), (matches, ("A", "AC")), (beside_others, ("ACGT" * 20, "AGGT" * 30)), (of_a_global, ()), (one_hot, ("ACGT" * 90,))
for f, arguments in CASES:
    expected, found = f(*arguments), npcc.jit(target="cpu", fallback=False)(f)(*arguments)
    assert repr(expected) == repr(found), (f.__name__, expected, found)
report = str(npcc.jit(target="cuda")(matches).explain("ACGT" * 50, "AGGT" * 30, device="H200"))
assert report.count("kernel") < 5, report
