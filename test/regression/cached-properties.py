# RUN: %python %s
"""A cached property was computed at each access, and not kept in the object."""
import functools

import numpy as np

import npcc


class Model:
    def __init__(self, a):
        self.a = a
        self.calls = 0

    @functools.cached_property
    def inverse(self):
        self.calls += 1
        return np.linalg.inv(self.a)

    @functools.cached_property
    def size(self):
        return self.a.shape[0]


def solved(model, b, n):
    total = np.zeros(2)
    for _ in range(n):
        total += model.inverse @ b
        model.a += 1
    return total, model.size + model.size


def some(model, is_asked):
    return model.size if is_asked else model.calls


def many(a, n):
    models = [Model(a + k) for k in range(n)]
    total = sum(model.inverse.sum() for model in models for _ in range(2))
    return round(float(total), 9), [model.calls for model in models]


def fresh():
    return Model(np.array([[2.0, 1.0], [1.0, 3.0]]))


def kept():
    model = fresh()
    model.size, model.inverse
    model.a *= 3
    return model


for function, make in ((solved, lambda: (fresh(), np.ones(2), 3)), (solved, lambda: (kept(), np.ones(2), 3)),
                       (solved, lambda: (fresh(), np.ones(2), 0)), (some, lambda: (fresh(), True)), (some, lambda: (fresh(), False)),
                       (many, lambda: (np.array([[2.0, 1.0], [1.0, 3.0]]), 3))):
    given, expected_of = make(), make()
    found, expected = npcc.jit(function, target="cpu")(*given), function(*expected_of)
    assert str(found) == str(expected), (function.__name__, found, expected)
    if isinstance(given[0], Model):
        assert str(vars(given[0])) == str(vars(expected_of[0])), (vars(given[0]), vars(expected_of[0]))
