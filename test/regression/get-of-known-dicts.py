# RUN: %python %s
"""get() of a global dict, which the code knows, at keys that it computes: numbers, strings, tuples, a few items or many, with a default or None."""
import numpy as np

import npcc

names = {"a": 1.5, "b": 2.5, "c": 3.5}
numbers = {1: 10, 2: 20, 5: 50}
pairs = {("A", "A"): 4, ("C", "C"): 9, ("A", "C"): -1}
many = {k: k * 0.5 for k in range(0, 60, 3)}
mixed = {1: 2, 2: 2.5}


def of_numbers(x):
    return [numbers.get(int(v), -1) for v in x], sum(many.get(int(v), 0.25) for v in x)


def of_strings(text, k):
    return names.get(text[k], 0.0), names.get(text[k] + text[k])


def of_pairs(s, t):
    total = 0
    for a in s:
        for b in t:
            total += pairs.get((a, b), pairs.get((b, a), -2))
    return total


def of_types(x):
    found = [mixed.get(int(v), 0) for v in x]
    return found, [type(v) is int for v in found]


x = np.array([1, 2, 3, 5, 6, 57])
for function, arguments in ((of_numbers, (x, )), (of_strings, ("abx", 0)), (of_strings, ("abx", 2)), (of_pairs, ("ACGA" * 8, "CAAG")), (of_types, (x, ))):
    result, expected = npcc.jit(cache=False)(function)(*arguments), function(*arguments)
    assert repr(result) == repr(expected), (function.__name__, result, expected)
before = npcc.counters()["imports"]
npcc.jit(cache=False)(of_numbers)(x)
assert npcc.counters()["imports"] - before <= 2, npcc.counters()["imports"] - before
