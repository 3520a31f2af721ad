# RUN: %python %s
"""The reshape of an array that is not known to be contiguous was a copy, and a store into it was refused; NumPy gives a view where the strides allow."""
import sys
from pathlib import Path

import numpy as np

import npcc

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "frontend" / "Inputs"))
from against_numpy import outcome, same  # noqa: E402


def several(a):
    return (a.reshape(-1), a.ravel(), a.T.reshape(-1), np.rot90(a).reshape(-1, 1), a[::2].reshape(-1, 2, 2), a[0, ::2].ravel(), a[:, :1].reshape(-1),
            np.ascontiguousarray(a), a[0].reshape(2, -1))


def stores(a):
    b = a.reshape((a.shape[0], -1, 1))
    b[0] = 7
    a.ravel()[::2] = 1
    c = a[:, ::2].reshape(-1)
    a[1] = 9
    return a, b, c + 1


def in_loop(a):
    total = 0.0
    for _ in range(3):
        b = a[::-1].reshape(-1)
        a[0, 0] += b[1]
        total += b.sum()
    return total, (a.T.reshape(-1) + a.reshape(-1)).sum()


def wrong(a):
    return a.reshape(5, -1)


def layouts():
    return [np.arange(16.0).reshape(4, 4), np.arange(48.0).reshape(6, 8)[:4, :4], np.arange(16.0).reshape(4, 4)[::-1], np.arange(16.0).reshape(4, 4).T,
            np.asfortranarray(np.arange(24.0).reshape(4, 6)), np.arange(32.0).reshape(4, 8)[:, ::2]]


def shared(arrays):
    return [(i, j) for i, a in enumerate(arrays) for j, b in enumerate(arrays) if i < j and np.size(a) and np.size(b) and np.shares_memory(a, b)]


for function in (several, stores, in_loop, wrong):
    compiled = npcc.jit(function, target="cpu")
    for k in range(len(layouts())):
        runs = []
        for call in (function, compiled):
            a = layouts()[k]
            try:
                result = call(a)
            except ValueError as error:
                result = (str(error),)
            results = list(result) if isinstance(result, tuple) else [result]
            runs.append((results, shared([*results, a]) if not isinstance(results[0], str) else None, a.copy()))
        (expected, sharing, after), (mine, our_sharing, our_after) = runs
        assert all(map(same, mine, expected)) and same(our_after, after), (function.__name__, k, mine, expected)
        assert our_sharing == sharing, (function.__name__, k, our_sharing, sharing)
