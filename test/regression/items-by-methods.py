# RUN: %python %s
"""`__getitem__`, `__contains__` and `__len__` of lists, tuples, strings and arrays as values: Python ran all that they were part of."""
import numpy as np

import npcc


def chosen(n, a, text):
    found = np.zeros((n, n), int)
    for i in range(1, n):
        for j in range(1, n):
            options = (0, found[i - 1, j - 1] + 1, found[i - 1, j] - 2, j)
            place = max(range(4), key=options.__getitem__)
            found[i, j] = options[place]
    lengths = [n * 1.5, 3.0, 1.0]
    order = sorted(range(3), key=lengths.__getitem__)
    lengths.append(0.5)
    vowels = list(map("aeiou".__contains__, text))
    longest = max(range(len(lengths)), key=lengths.__getitem__)
    return found, order, longest, list(map(a.__getitem__, order)), vowels, list(filter(lengths.__contains__, a)), a.__len__()


arguments = 6, np.array([3.0, 1.0, 7.0]), "canoe"
compiled = npcc.jit(chosen, target="cpu")
assert repr(compiled(*arguments)) == repr(chosen(*arguments))
