# RUN: %python %s
"""A list whose length is known at run time, as an index of an array: positions or a mask, read and stored to."""

import numpy as np

import npcc


def chosen(x, low):
    found = [k for k in range(len(x)) if x[k] > low]
    return found, x[found], x[found].sum()


def grown(x, low):
    rows, columns = [], []
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > low:
                rows.append(i)
                columns.append(j)
    y = x.copy()
    y[rows, columns] = 0
    y[rows] += 1
    return y, x[rows, columns], x[:, columns], x[rows, 1:]


def masked(x, low):
    return x[[bool(v > low) for v in x]]


for low in (1.0, 9.0):
    x = np.array([1.0, 3.0, 2.0, 5.0, 1.0])
    for function, a in ((chosen, x), (grown, x[:4].reshape(2, 2)), (masked, x)):
        got, want = npcc.jit(function, target="cpu")(a.copy(), low), function(a.copy(), low)
        assert repr(got) == repr(want), (function.__name__, got, want)
