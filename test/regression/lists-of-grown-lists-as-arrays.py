# RUN: %python %s
"""numpy.array() and its relatives of lists that grew, in a list; lists of arrays put together of several, sorted in place, and as tuples' items."""
import numpy as np

import npcc


def curves(n):
    falling, rising, whole = [1.0], [2.0], [0]
    for k in range(n):
        falling.append(falling[-1] * 0.5)
        rising.append(rising[-1] + 1)
        whole.append(k)
    return np.array([falling, rising]), np.column_stack([falling, rising]), np.vstack((falling, whole)), np.array([whole, whole])


def simplex(n):
    corners = [np.zeros(2)] + [np.zeros(2) + 0.5 * e for e in np.eye(2)]
    for _ in range(n):
        corners.sort(key=lambda p: p[0] - p[1])
        corners[2] = corners[0] + 1
    return corners


def means(x, labels):
    found = {}
    for label in sorted(set(labels.tolist())):
        part = x[labels == label]
        found[label] = (part.mean(axis=0), len(part) / len(x))
    return [found[label] for label in found]


x = np.arange(10.0).reshape(5, 2)
for function, *arguments in ((curves, 3), (simplex, 3), (means, x, np.array([1, 0, 1, 2, 0]))):
    got, want = npcc.jit(function, target="cpu")(*arguments), function(*arguments)
    assert repr(got) == repr(want), (function.__name__, got, want)
