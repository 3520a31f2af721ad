# RUN: %python %s
"""Extents that follow from floats (int(time / step), np.arange up to a float) were not known of the first call, and what had them ran a step at a time."""
import numpy as np

import npcc


def rows(a, b):
    previous = -np.arange(len(b) + 1.0)
    for i in range(len(a)):
        current = np.empty_like(previous)
        current[0] = -(i + 1)
        current[1:] = np.maximum(previous[:-1] + np.where(b == a[i], 1.0, -1.0), previous[1:] - 1)
        previous = np.maximum.accumulate(current + np.arange(len(current))) - np.arange(len(current))
    return previous


def steps(time, step):
    n = int(time / step)
    at = np.linspace(0, time, n + 1)
    return n, np.exp(-at) * 2, np.arange(0, time, step)


rng = np.random.default_rng(0)
a, b = rng.integers(0, 4, 20), rng.integers(0, 4, 30)
np.testing.assert_array_equal(npcc.jit(rows, target="cpu", cache=False)(a, b), rows(a, b))
explanation = npcc.jit(rows, target="cuda", arch="sm_90").explain(a, b, device="H100")
launches = [kernel.launches for function in explanation.functions for kernel in function.kernels if kernel.is_taken]
assert launches and all(count == 1 for count in launches), explanation

compiled = npcc.jit(steps, target="cpu", cache=False)
for time, step in (1.0, 0.25), (1.0, 0.3), (2.0, 0.1), (5.5, 2.0), (-1.0, 0.5), (0.0, 1.0), (1.0, 0.25):
    try:
        expected = steps(time, step)
    except ValueError as error:
        expected = str(error)
    try:
        got = compiled(time, step)
    except ValueError as error:
        got = str(error)
    if isinstance(expected, str):
        assert got == expected, (got, expected)
        continue
    for one, other in zip(got, expected):
        np.testing.assert_allclose(one, other, rtol=1e-15)
# Of the last one NumPy says it: the int has no end.
for time, step, error in (1.0, 0.0, ZeroDivisionError), (float("nan"), 1.0, ValueError), (float("inf"), 1.0, OverflowError), (1e300, 1.0, ValueError):
    try:
        compiled(time, step)
    except error:
        continue
    raise AssertionError((time, step))
