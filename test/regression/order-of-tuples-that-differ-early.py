# RUN: %python %s
"""Tuples whose first items differ raised the TypeError of items behind them that cannot be ordered."""
import npcc


def settings(count, name):
    held = {"count": count, "weights": name, "tol": 0.5}
    return [f"{key}={value!r}" for key, value in sorted(held.items())]


def pairs(a, b):
    return sorted([("k", a), ("w", b)]), max([("b", "x"), ("a", a)]), [("a", 1, a)] < [("a", 2, b)]


def refused(first, second):
    try:
        return sorted([(first, 1), (second, "x"), ("b", 2)])
    except TypeError as error:
        return str(error)


for f, arguments in ((settings, (3, "uniform")), (pairs, (3, "u")), (refused, ("a", "c")), (refused, ("a", "a"))):
    expected, found = f(*arguments), npcc.jit(target="cpu", fallback=False)(f)(*arguments)
    assert repr(expected) == repr(found), (f.__name__, expected, found)
