# RUN: %python %s
"""sum() of a list of Python's floats was rounded otherwise than Python rounds it, and was 0.0 of an empty list; math.hypot() and dist() missed the
nearest number more often than Python's. A search that compares such sums took another way."""
import math
import random

import npcc


@npcc.jit(target="cpu")
def total(numbers, n):
    return sum(numbers), sum(x * x for x in numbers), sum([k / 7 for k in range(n)], 0.5), sum([x for x in numbers if x > 99])


random.seed(3)
for n in (0, 1, 7, 100, 1000):
    numbers = [random.uniform(-1, 1) * 10.0 ** random.randint(-5, 5) for _ in range(n)]
    assert repr(total(numbers, n)) == repr(total.py_func(numbers, n)), n


@npcc.jit(target="cpu")
def lengths(a, b):
    return [math.hypot(x, y) for x, y in zip(a, b)], math.dist(a, b), math.hypot(a[0], b[0], a[1])


a, b = ([random.uniform(-9, 9) * 10.0 ** random.choice([0, 0, 5, -300, -315, 290]) for _ in range(500)] for _ in range(2))
assert lengths(a, b) == lengths.py_func(a, b)
