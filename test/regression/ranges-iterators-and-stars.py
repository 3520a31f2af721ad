# RUN: %python %s
"""Of ranges with bounds of run time only loops were compiled; next() and iter() not at all; a star in a target needed a known length; sorted() of the
items of a dict that is empty at first."""
import numpy as np

import npcc


def of_ranges(x):
    n, s = int(x[1]), int(x[0])
    r = range(2, n, s)
    down = range(n, -n, -s)
    return (
        r[1], r[-1], len(r), list(r), sum(r), max(r), min(r), 5 in r, n in r, list(reversed(r)), r.start, r.stop, r.step, r[1:3][0], len(r[2:]), len(down),
        down[-1], n - s in down, n - 1 in down, list(down[::-2]), r,
    )  # fmt: skip


def of_iterators(x):
    n = int(x[1])
    numbers = iter(range(n))
    first, second = next(numbers), next(numbers)
    letters = iter(["a", "b"])
    rest = sum(numbers)
    return first, second, rest, next(numbers, -1), next(letters), next(letters), next(letters, "none")


def searched(x):
    n = int(x[1])
    return next(k for k in range(10**12) if k * k > n), next((k for k in range(n) if k > 100), None), 7 in (k * k for k in range(n))


def nothing_left(x):
    return next(k for k in range(int(x[1])) if k > 100)


def with_star(x):
    n = int(x[1])
    a, *b = [k * k for k in range(n)]
    *c, d = range(n)
    e, *f, g = x
    (h, *_), k = [float(m) for m in range(n)], n
    p, q, r = map(float, x)
    return a, b, c, d, e, f, g, h, k, p, q, r


def too_few(x):
    a, b, *c, d = [k for k in range(int(x[0]) - 1)]
    return a, b, c, d


def counted(x):
    counts = {}
    for k in x:
        counts[int(k)] = counts.get(int(k), 0) + 1
    return sorted(counts.items())


x = np.array([3, 17, 4])
for function in of_ranges, of_iterators, searched, with_star, counted:
    result, expected = npcc.jit(function, target="cpu", cache=False)(x), function(x)
    assert repr(result) == repr(expected), (function.__name__, result, expected)

for function, kind, words in (nothing_left, StopIteration, ""), (too_few, ValueError, "not enough values to unpack (expected at least 3, got 2)"):
    try:
        npcc.jit(function, target="cpu", cache=False)(x)
    except kind as error:
        assert str(error) == words, error
    else:
        raise AssertionError(function.__name__)
