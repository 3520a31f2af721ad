# RUN: %python %s
"""`with` of objects with __enter__ and __exit__ and of contextlib.contextmanager's functions is compiled. It was Python's, or refused."""
import contextlib
import importlib

import numpy as np

import npcc

importlib.import_module("npcc.jit").Specialiser.may_use_python = False  # what cannot be compiled is an error here


class Section:
    """Notes when it begins and ends; ends divisions by zero."""

    depth = 0

    def __init__(self, name, log):
        self.name, self.log = name, log

    def __enter__(self):
        Section.depth += 1
        self.log.append("in " + self.name)
        return self

    def __exit__(self, kind, value, traceback):
        Section.depth -= 1
        self.log.append("out " + self.name if kind is None else "out " + self.name + " by " + kind.__name__ + ": " + str(value))
        return kind is not None and issubclass(kind, ZeroDivisionError)


class Scaled:
    """Asks for nothing of exceptions."""

    def __init__(self, array, factor):
        self.array, self.factor = array, factor

    def __enter__(self):
        self.array *= self.factor
        return self.array

    def __exit__(self, *exception):
        self.array /= self.factor

    @contextlib.contextmanager
    def shifted(self, by):
        self.array += by
        yield by
        self.array -= by


@contextlib.contextmanager
def noted(log, name):
    log.append("begin " + name)
    try:
        yield len(log)
    except KeyError:
        log.append("no key")
    finally:
        log.append("end " + name)


def divided(a, b):
    log = []
    x = 0
    with Section("a", log) as outer, Section("b", log):
        x = a // b
        log.append(outer.name)
    return log, x, Section.depth


def left(n):
    log = []
    for k in range(n):
        with Section(str(k), log):
            if k == 1:
                continue
            if k == 3:
                break
            if k == 5:
                return log, "returned"
            log.append("body")
    return log, "ended"


def raised(kind):
    log = []
    try:
        with Section("x", log):
            if kind == 1:
                raise KeyError("k")
            if kind == 2:
                raise ValueError("v")
            log.append("nothing raised")
    except (KeyError, ValueError) as error:
        log.append(type(error).__name__)
    return log


class Ignoring:
    """Ends one class of exceptions, and no other."""

    def __init__(self, kind):
        self.kind = kind

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return kind is IndexError and self.kind == 1 or type(value) == KeyError and self.kind == 2


def ignored(a, k, kind):
    with Ignoring(kind):
        a[k] = 1.0
        raise KeyError(k)
    return a.sum()


def scaled(a, i):
    total = 0.0
    try:
        with Scaled(a, 4.0) as b:
            total = b[i] + b.sum()
    except IndexError:
        total = -1.0
    with Scaled(a, 1.0).shifted(2.0) as by:
        total += by + a.sum()
    return total


def generated(i, names):
    log = []
    found = "none"
    with noted(log, "first") as count:
        log.append(str(count))
        found = {"a": "x", "b": "y"}[names[i]]
        log.append("found")
    for k in range(3):
        with noted(log, str(k)):
            if k == 1:
                break
    return log, found


def outcome(function, *arguments):
    arguments = [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
    try:
        given = function(*arguments)
    except (ValueError, LookupError, ZeroDivisionError) as error:
        given = repr(error)
    return repr((given, arguments))


CALLS = [
    (divided, 7, 2), (divided, 7, 0), (left, 3), (left, 8), (raised, 0), (raised, 1), (raised, 2), (scaled, np.arange(3.0), 1),
    (scaled, np.arange(3.0), 5), (ignored, np.zeros(2), 5, 1), (ignored, np.zeros(2), 5, 2), (ignored, np.zeros(2), 1, 2),
    (ignored, np.zeros(2), 1, 1), (generated, 0, ["a", "b"]), (generated, 1, ["a", "zz"])
]
for function, *arguments in CALLS:
    expected, found = outcome(function, *arguments), outcome(npcc.jit(function), *arguments)
    assert found == expected, (function.__name__, arguments, found, expected)


class Traced:
    def __enter__(self):
        return 1

    def __exit__(self, kind, value, traceback):
        print(traceback)


@npcc.jit(target="cpu")
def traced(x):
    with Traced():
        return x + 1


try:
    traced.inspect("np", "float")
except npcc.CompileError as error:
    assert "traceback" in str(error), error
else:
    raise AssertionError("compiled")
