# RUN: %python %s
"""An IndexError of positions that an array holds left the call though a clause would take it: the kernel that reads the elements found it."""
import numpy as np

import npcc


def read(x, i):
    try:
        return x[i].sum()
    except IndexError:
        return -1.0


def stored(x, i):
    try:
        x[i] = 3
    except IndexError as error:
        return str(error), x
    return "", x


def of_pairs(x, i):
    try:
        return x.reshape(2, 3)[i % 2, i]
    except IndexError as error:
        return str(error)


def added(x, i):
    try:
        np.add.at(x, i, 1)
    except Exception as error:
        return str(error), x
    return "", x


def taken(x, i):
    try:
        return np.take(x.reshape(2, 3), i, axis=1), np.take_along_axis(x[None], i[None], 1)
    except LookupError as error:
        return str(error)


def in_loop(x, i):
    total, missed = 0.0, 0
    for k in range(len(i)):
        try:
            total += float(x[i[k:]].sum())
        except IndexError:
            missed += 1
    return total, missed


def not_taken(x, i):
    try:
        return x[i].sum()
    except KeyError:
        return -1.0


def outcome(function, i):
    try:
        return repr(function(np.arange(6.0), np.array(i)))
    except IndexError as error:
        return repr(error)


for function in (read, stored, of_pairs, added, taken, in_loop, not_taken):
    compiled = npcc.jit(target="cpu")(function)
    for i in ([0, 1, 2], [2, 7, -9, 1], [-1, -7], [2, 4]):
        assert outcome(function, i) == outcome(compiled, i), (function, i, outcome(function, i), outcome(compiled, i))
