# RUN: %python %s
"""A temporary that lost all its axes was a NumPy scalar; any() and all() took initial=; round() of complex numbers was refused; a program that itself
raised NotImplementedError ran a second time, on what the first run had left."""
import numpy as np

import npcc


def losing(a, z):
    return (a + 1).reshape(()), np.reshape(a * 2, ()), (a + 1).squeeze(), (a + 2).squeeze(axis=0), (a + 1).squeeze() * 2, np.sum(a).reshape(()), \
        np.round(z), z[0].round(), np.logical_or.reduce(a > 5, initial=True), np.logical_and.reduce(a > -5, initial=False)


a, z = np.array([1.5]), np.array([1.5 + 2.5j, complex(np.inf, -0.4), -0.4 - 3.5j])
for expected, given in zip(losing(a, z), npcc.jit(losing, target="cpu")(a, z)):
    assert type(expected) is type(given) and repr(expected) == repr(given), (expected, given)


def refused(function, words, *arguments):
    try:
        npcc.jit(function, target="cpu")(*arguments)
    except (npcc.CompileError, TypeError, ValueError) as error:
        assert words in f"{type(error).__name__}: {error}", error
    else:
        raise AssertionError(function)


refused(lambda a: np.any(a, initial=True), "initial", a)
refused(lambda a: np.all(a, initial=True), "initial", a)
refused(lambda x: round(x), "type complex doesn't define __round__ method", 1j)


@npcc.jit(target="cpu")
def twice(a, n):
    a += 1
    return np.squeeze(a[:n])


b = np.zeros((3, 3))
try:
    twice(b, 1)
except NotImplementedError as error:
    assert "squeeze() would drop axis 0" in str(error)
else:
    raise AssertionError("squeeze")
assert np.all(b == 1)
