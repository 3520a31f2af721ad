# RUN: %python %s
# Dicts of a global dict, whose values have different types: a loop over the items of the one that a name of run time
# chooses was refused where its body changes an array.
import numpy as np

import npcc

SHARES = {"kaolin": {"silica": 46.5, "alumina": 39.5}, "quartz": {"silica": 100}, "chalk": {"lime": 56.5}}


def sums(names):
    total = np.zeros(2)
    for name in names:
        for oxide, percent in SHARES[name].items():
            total[0] += percent
            total[1] += oxide == "silica"
    return total


def in_an_array(count):
    recipes = []
    for _ in range(count):
        recipes.append(["quartz", "kaolin"])
    return np.array([sums(recipe) for recipe in recipes])


def found(count, limit):
    names = []
    for k in range(count):
        names.append("chalk" if k % 2 else "kaolin" if k else "quartz")
    last = None
    for name in names:
        table = np.zeros(1)
        for oxide, percent in SHARES[name].items():
            table[0] += percent
            if percent < 40:
                break
            last = oxide
        else:
            last = "all"
        if table[0] < limit:
            return name, last, table
    return "none", last, np.zeros(1)


for function, *cases in ((in_an_array, (1,), (2,)), (found, (1, 50), (2, 60), (3, 10))):
    compiled = npcc.jit(function)
    for arguments in cases:
        expected, result = function(*arguments), compiled(*arguments)
        assert repr(result) == repr(expected), (function.__name__, arguments, result, expected)
