# RUN: %python %s
"""Calls of arrays' methods with arguments that they do not take had the words of NumPy's functions, or were accepted (x.fill(value=3)); errors named functions
without those around them, and keyword-only arguments as positional ones. x.fill() of a list stored its elements."""
import numpy as np

import npcc


class Scale:
    def by(self, factor):
        return factor


def inner_lacks(x):
    def inner(a, *, b):
        return a + b

    return inner(x)


def inner_has_more(x):
    def outer():
        return (lambda a: a)(x, x)

    return outer()


CALLS = [
    lambda x: x.sum(foo=3), lambda x: x.sum(3, 4, 5, 6, 7, 8, 9), lambda x: x.mean(bar=1), lambda x: x.max(foo=1), lambda x: x.cumsum(foo=1),
    lambda x: x.std(correction=1), lambda x: x.any(foo=1), lambda x: x.argmax(foo=1), lambda x: x.fill(), lambda x: x.fill(1, 2), lambda x: x.fill(value=3),
    lambda x: x.swapaxes(0), lambda x: x.trace(1, 2, 3, 4, 5, 6), lambda x: x.item(foo=2), lambda x: x.tolist(1), lambda x: x.choose(),
    lambda x: x.__len__(1), lambda x: x.__getitem__(), lambda x: x.copy(1, 2), lambda x: Scale().by(), lambda x: Scale().by(1, 2), inner_lacks, inner_has_more,
    lambda x: x.fill([1, 2]), lambda x: x.fill([1]), lambda x: x.fill([]), lambda x: x.fill((3,)), lambda x: x.fill(None),
    lambda x: np.choose([0, 1], []), lambda x: np.choose([0, 1], 3), lambda x: np.choose([0, 1], [[1, 2], [3, 4]], mode=7),
    lambda x: np.choose([0, 1], [[1, 2], [3, 4]], out=3), lambda x: np.fromfunction(lambda a: a, 3), lambda x: np.fromfunction(lambda a: a, "a"),
    lambda x: np.fromfunction(lambda a: a, (3, 2)), lambda x: np.fromfunction(lambda a: a, (3,), foo=1),
]


def outcome(function, x):
    try:
        return repr(function(x)), repr(x)
    except Exception as error:
        return type(error).__name__, str(getattr(error, "msg", error)), repr(x)


for number, function in enumerate(CALLS):
    for dtype in ("f8", "i8", "c16", "?") if 22 < number < 28 else ("f8",):
        x = np.arange(3).astype(dtype)
        expected, got = outcome(function, x.copy()), outcome(npcc.jit(function, target="cpu"), x.copy())
        assert expected == got, (number, dtype, expected, got)
