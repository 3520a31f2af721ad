# RUN: %python %s
"""`{**other}` of a constant dict or of one with computed keys was a TypeError; a range was no index of an array."""
import numpy as np

import npcc

DEFAULTS = {"tolerance": 1e-6, "steps": 50}


def of_a_constant(given):
    return {**DEFAULTS, **given.get("solver", {})}


def of_computed_keys(words):
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return {**counts, "total": len(words)}


def at_ranges(columns):
    a = np.zeros((4, 3))
    a[range(len(columns)), columns] -= 1
    a[range(2)] += 5
    return a, a[range(3), range(3)], a[range(0)].shape


for function, argument in ((of_a_constant, {"solver": {"steps": 3}}), (of_a_constant, {}), (of_computed_keys, ["a", "b", "a"]),
                           (at_ranges, np.array([0, 2, 1, 1]))):
    assert repr(npcc.jit(target="cpu")(function)(argument)) == repr(function(argument)), function.__name__
