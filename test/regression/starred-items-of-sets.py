# RUN: %python %s
"""A set of the items of a list of run-time length raised TypeError: cannot unpack a list."""
import numpy as np

import npcc


def sums(m):
    found = {*m.sum(0).tolist(), *m.sum(1).tolist(), int(np.trace(m))}
    return sorted(found), len({*found, -1}), sorted({0, *range(len(m))}), sorted({*(), 3})


def words(text, more):
    return sorted({*text.split(), *more, "x"}), sorted({*text})


def optional(a, k):
    names = [] if k == 0 else a.tolist()
    return len({*names})


a = np.array([1, 1, 2])
for f, arguments in ((sums, (np.arange(9).reshape(3, 3) % 4,)), (words, ("a b a", ("c",))), (optional, (a, 0)), (optional, (a, 1))):
    expected, found = f(*arguments), npcc.jit(target="cpu", fallback=False)(f)(*arguments)
    assert repr(expected) == repr(found), (f.__name__, expected, found)
