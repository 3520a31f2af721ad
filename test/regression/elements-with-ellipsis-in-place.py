# RUN: %python %s
# b[6, ...] is an array without axes, whose operations in place convert as ufuncs with an output do: a wider scalar of
# NumPy's was assigned as an element, and raised OverflowError.
import numpy as np

import npcc


def counted(a, b):
    b[6, ...] *= np.count_nonzero(a)
    b[..., 5] += np.int64(300)
    return b


def element(a, b):
    b[5] += np.int8(3)
    return b


def whole(a, b):
    c = b[1:2].reshape(())
    c[...] += np.int64(300)
    c[()] -= np.int8(1)
    return b


for function in counted, element, whole:
    arguments = [np.arange(1, 50).reshape(7, 7), np.arange(1, 8, dtype=np.int8)]
    expected = function(*[a.copy() for a in arguments])
    got = npcc.jit(target="cpu")(function)(*[a.copy() for a in arguments])
    np.testing.assert_array_equal(got, expected)
