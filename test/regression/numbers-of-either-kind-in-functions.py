# RUN: %python %s
"""Functions of NumPy's took a number that is Python's on one path and NumPy's on another as NumPy's: sum() of no items is Python's 0, which leaves the
dtype to the others."""
import warnings

import numpy as np

import npcc

warnings.simplefilter("ignore")


def chosen(b, d):
    return np.where(d > 1, sum(b), d), np.select([d > 1], [d], default=sum(b)), np.clip(d, 0, sum(b))


def put_together(b, d):
    return np.array([sum(b), d[0]]), np.append(d, sum(b)), np.concatenate([d, [sum(b)]]), np.array([(sum(b), 1)])


def made(b, d):
    return np.full(2, sum(b)), np.asarray(sum(b)), np.linspace(sum(b), 1, 3), np.arange(sum(b)), np.full_like(d, sum(b))


def computed(b, d):
    return np.round(sum(b), 1), np.dot(d, sum(b)), np.sum([sum(b)]), np.mean([sum(b), 2]), np.isclose(sum(b), 0), np.sum(d, initial=sum(b))


def stored(b, d):
    d = d.copy()
    d.fill(sum(b))
    e = np.zeros(3, np.float32)
    np.copyto(e, sum(b))
    return d, e, d.clip(0, sum(b)), np.pad(e, 1, constant_values=sum(b))


def described(value):
    if isinstance(value, tuple):
        return [described(item) for item in value]
    return (str(value.dtype), value.tolist()) if isinstance(value, np.ndarray) else (type(value).__name__, repr(value))


def outcome(function, *arguments):
    try:
        return described(function(*arguments))
    except (TypeError, ValueError) as error:
        return type(error).__name__


for function in (chosen, put_together, made, computed, stored):
    compiled = npcc.jit(function, target="cpu")
    for dtype in (np.float32, np.uint8, np.float64):
        for b in (np.array([], dtype), np.array([1, 2], dtype)):
            arguments = b, np.array([1, 2, 3], np.float32)
            expected, found = outcome(function, *arguments), outcome(compiled, *arguments)
            assert expected == found, (function.__name__, dtype, len(b), expected, found)
