# RUN: %python %s
"""[first, *others], list(reversed(others)) and others[::-1] of arrays whose lengths differ raised ValueError: the new list was taken for one array."""
import numpy as np

import npcc


def halves(x, level):
    parts = []
    for _ in range(level):
        parts.append(x[1::2])
        x = x[::2]
    parts.append(x)
    return parts


def displayed(x, level):
    parts = halves(x, level)
    return [parts[0], *(2 * part for part in parts[1:])], [*parts, x], [x, *parts], tuple([*parts])


def joined(x, level):
    parts = halves(x, level)
    return [x] + parts, parts + [x], list(reversed(parts)), parts[::-1], list(x[k:] for k in range(level))


def summed(x, level):
    first, *others = [2 * x, *halves(x, level)]
    for part in others:
        first = first[: len(part)] + part
    return first


def described(value):
    return [described(item) for item in value] if isinstance(value, (tuple, list)) else value.tolist()


for function in (displayed, joined, summed):
    compiled = npcc.jit(function, target="cpu")
    for level in (1, 3):
        assert described(compiled(np.arange(8.0), level)) == described(function(np.arange(8.0), level)), function.__name__
