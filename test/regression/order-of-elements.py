# RUN: %python %s
"""order='F' was ignored: reshape, ravel and flatten gave the elements in C order, and new arrays lay in it."""
import sys
from pathlib import Path

import numpy as np

import npcc

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "frontend" / "Inputs"))
from against_numpy import same  # noqa: E402


def views(a):
    return (a.reshape(4, 6, order="F"), a.reshape(-1, order="F"), np.reshape(a, (6, -1), "F"), a.T.reshape(4, 6, order="F"), a.ravel("F"),
            a.T.ravel("F"), np.ravel(a, order="f"), a[0].reshape(3, 4, 1, order="F"), a[:, ::2].reshape(4, 4, order="F"), a[..., 1].ravel(order="F"),
            np.asarray(a, order="F"), np.asarray(a.T, order="F"), np.asarray(a, order="C"), np.asfortranarray(a), a.T.astype(a.dtype, order="F", copy=False))


def copies(a):
    return (a.flatten("F"), a.T.flatten("F"), a.copy("F"), np.copy(a, order="F"), np.array(a, order="F"), np.array(a.T, order="C"), np.zeros((2, 3), order="F"),
            np.ones((2, 3), int, "F"), np.full((2, 3), np.arange(3), order="F"), np.zeros_like(a, order="F"), np.full_like(a, 3, order="F"), np.eye(3, 4, order="F"),
            a.astype("f4", order="F"), np.array([[1, 2], [3, 4]], order="F"), np.asarray(a, "f4", order="F"), a.reshape(6, 4, copy=True), np.asarray(a, copy=True, order="C"),
            (a + 1).reshape((6, 4), order="F"), (a + 1).ravel("F"), a.reshape((6, 4), order="F", copy=True))


def stores(a):
    b = a.T.reshape((-1, 2), order="F")
    b[0] = 7
    c = a.reshape(-1, order="F")
    c[::2] = 1
    a.ravel("F")[3] = 9
    d = np.empty((2, 3), order="F")
    d[...] = a[0, 0, 0]
    d.ravel("F")[1] = -1
    return a, b, c, d


def as_it_lies(a):
    return (a.ravel("K"), a.ravel("A"), a.T.ravel("K"), a.T.ravel("A"), a.T.flatten("A"), a.reshape(4, 6, order="A"), a.T.reshape(6, 4, order="A"), (a + 1).ravel("K"),
            np.copy(a.T), np.zeros_like(a.T), np.zeros((2, 3)).ravel("K"), a.T.copy().ravel("K"), a.copy("F").ravel("K"))


def layouts():
    return [np.arange(24.0).reshape(2, 3, 4), np.arange(24.0).reshape(4, 3, 2).T, np.arange(48.0).reshape(2, 3, 8)[..., ::2], np.arange(24.0).reshape(2, 3, 4)[::-1]]


def shared(arrays):
    return [(i, j) for i, a in enumerate(arrays) for j, b in enumerate(arrays) if i < j and np.shares_memory(a, b)]


for function in (views, copies, stores, as_it_lies):
    compiled = npcc.jit(function, target="cpu")
    for k in range(1 if function is as_it_lies else len(layouts())):
        a, b = layouts()[k], layouts()[k]
        expected, mine = function(a), compiled(b)
        for number, (x, y) in enumerate(zip(expected, mine)):
            assert same(y, x) and (x.strides == y.strides or function is views), (function.__name__, k, number, x, y, x.strides, y.strides)
        assert np.array_equal(a, b) and shared([*expected, a]) == shared([*mine, b]), (function.__name__, k)


def refused(function, words, *arguments):
    try:
        npcc.jit(function, target="cpu")(*arguments)
    except (npcc.CompileError, TypeError, ValueError) as error:
        assert words in f"{type(error).__name__}: {error}", error
    else:
        raise AssertionError(function)


a = layouts()[0]
refused(lambda a: a.ravel("K"), "not known at compile time, so order='K' cannot be compiled", a.T)
refused(lambda a: (a[:, None] + 1).ravel("A"), "not known at compile time, so order='A' cannot be compiled", a.T)
refused(lambda a: a.reshape(4, 6, order="K"), "ValueError: order 'K' is not permitted for reshaping", a)
refused(lambda a: a.reshape(4, 6, order="X"), "ValueError: order must be one of 'C', 'F', 'A', or 'K' (got 'X')", a)
refused(lambda a: np.zeros((2, 3), order="K"), "ValueError: only 'C' or 'F' order is permitted", a)
refused(lambda a: np.array(a, dtype="f4", copy=False), "ValueError: Unable to avoid copy", a)
refused(lambda a: a.astype(int, casting="safe"), "TypeError: Cannot cast array data from dtype('float64') to dtype('int64') according to the rule 'safe'", a)
