# RUN: %python %s
# A list that holds ints, floats or both, as is known at run time, was made an array of float64, or refused there: its
# dtype is the one of the items that are there.
import numpy as np

import npcc


def walk(n, halves):
    values = [1]
    for k in range(n):
        values.append(values[-1] * 0.5 if halves else values[-1] + k)
    return values


def arrays(n, halves):
    values = walk(n, halves)
    drops = np.maximum.accumulate(values) - values
    return drops, np.array(values), np.array(values, float), np.sum(values), np.mean(values), np.ones(n + 1, int) * values


def records(n):
    found = [{"area": k, "side": k * 0.5} for k in range(n)]
    large = [one for one in found if one["area"] > 1]
    large.sort(key=lambda one: -one["area"])
    return [one["area"] for one in large], np.array([one["area"] for one in large])


def bools(values):
    kept = []
    for value in values:
        if value > 1:
            kept.append(True)
        elif value > 0:
            kept.append(3)
        else:
            kept.append(0.5)
    return np.array(kept), np.array(kept) * 2, np.asarray(kept[:1])


def none_or_number(values):
    kept = []
    for value in values:
        kept.append(None if value > 1 else 3 if value > 0 else 0.5)
    return kept


for function, *cases in (
    (arrays, (3, False), (3, True), (0, False)),
    (records, (4,)),
    (bools, (np.array([2.0, 3.0]),), (np.array([2.0, 0.5]),), (np.array([0.5, -1.0]),), (np.array([-1.0, 2.0]),)),
    (none_or_number, (np.array([2.0, 0.5, -1.0]),)),
):
    compiled = npcc.jit(function)
    for arguments in cases:
        expected, result = function(*arguments), compiled(*arguments)
        assert repr(result) == repr(expected), (function.__name__, arguments, result, expected)
