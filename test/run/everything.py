"""Compares a function's results, arguments and errors in Python and compiled, whatever they are: containers, objects, strings, arrays."""
import copy
import unittest

import numpy as np

import executed
import harness


def same(mine, theirs):
    """An explanation of how two values differ, or None. Floats may differ by rounding."""
    if type(mine) is not type(theirs):
        return f"{mine!r} is a {type(mine).__name__}, {theirs!r} a {type(theirs).__name__}"
    if isinstance(mine, np.ndarray):
        if mine.dtype != theirs.dtype or mine.shape != theirs.shape:
            return f"{mine.dtype} {mine.shape}, {theirs.dtype} {theirs.shape}"
        if mine.dtype.names is not None:
            return same(mine.dtype.type, theirs.dtype.type) or same([mine[name] for name in mine.dtype.names], [theirs[name] for name in mine.dtype.names])
        if mine.dtype.kind not in "biufc":
            return None if np.array_equal(mine, theirs) else f"{mine}, {theirs}"
        return None if np.allclose(mine, theirs, rtol=1e-12, equal_nan=True) else f"{mine}, {theirs}"
    if isinstance(mine, np.void):
        return same(np.asarray(mine), np.asarray(theirs))
    if isinstance(mine, (list, tuple)):
        if len(mine) != len(theirs):
            return f"{mine!r}, {theirs!r}"
        return next(filter(None, map(same, mine, theirs)), None)
    if isinstance(mine, dict):
        return same(list(mine), list(theirs)) or same(list(mine.values()), list(theirs.values()))
    if isinstance(mine, (float, complex, np.inexact)):
        return None if np.isclose(mine, theirs, rtol=1e-12, equal_nan=True) else f"{mine!r}, {theirs!r}"
    if hasattr(mine, "__dict__") and not callable(mine):
        return same(vars(mine), vars(theirs))
    return None if mine == theirs else f"{mine!r}, {theirs!r}"


def run(function, arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return (type(error), str(error))


class Everything(unittest.TestCase):
    def check(self, function, *arguments):
        """The compiled function is right in its results and in what it does to its arguments; given once more, too."""
        compiled = harness.jit(function)
        for _ in range(2):
            for_python, for_compiled = copy.deepcopy(arguments), copy.deepcopy(arguments)
            expected, got = run(function, for_python), run(compiled, for_compiled)
            self.assertIsNone(same(expected, got), f"{function.__name__}{arguments}: {expected!r}, compiled {got!r}")
            self.assertIsNone(same(for_python, for_compiled), f"{function.__name__}{arguments}: the arguments")
        executed.note(function.__code__.co_filename, function)
