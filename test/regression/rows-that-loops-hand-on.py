# RUN: %python %s
"""A loop that hands on a row of an array (v = given[t]) was launched by the host, iteration by iteration. It is one kernel, and what it reads is what NumPy
reads: also where the row is changed behind the loop, or given back."""
import numpy as np

import npcc


def walk(x, v, weight, given, scale):
    escaped = np.zeros_like(x)
    for t in range(given.shape[0]):
        x = x + v * scale[t]
        out = (x < 0) | (x > 2)
        escaped = escaped + np.where(out, weight, 0.0)
        weight = np.where(out, 0.0, weight * 0.9)
        v = given[t]
    return escaped, weight


def last(x, v, given):
    for t in range(given.shape[0]):
        x = x + v
        v = given[t]
    given[-1] = 7.0
    return x, v


random = np.random.default_rng(1)
given, scale = random.random((5, 6)) - 0.5, random.random((5, 6))
x, v, weight = random.random(6), random.random(6), np.ones(6)
for target in ("cpu", "debug"):
    for found, expected in zip(npcc.jit(target=target)(walk)(x, v, weight, given, scale), walk(x, v, weight, given, scale)):
        assert np.array_equal(found, expected)
    mine, theirs = given.copy(), given.copy()
    found, expected = npcc.jit(target=target)(last)(x, v, mine), last(x, v, theirs)
    assert np.array_equal(found[0], expected[0]) and np.array_equal(found[1], expected[1]) and np.array_equal(mine, theirs)
    assert np.shares_memory(found[1], mine)

text = str(npcc.jit(target="cuda")(walk).explain(*(np.ones(1000) for _ in range(3)), np.ones((5, 1000)), np.ones((5, 1000))))
assert text.count("kernel ") == text.count("kernel 1:") == 1 and "loop of the host" not in text, text
