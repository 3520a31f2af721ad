# RUN: %python %s
"""A float of the program's that meets a narrow float of NumPy's on another path has its dtype: it is rounded, as NumPy
rounds it wherever the two meet, but where it would become infinite, Python makes the call. An int, and a float that is known
when the function is compiled, stay Python's."""

import numpy as np

import npcc


def larger(x, y):
    return max(x, y)


def chosen(x, y):
    return x if y > 3 else y


def known(x):
    return max(x, 0.1)


def known_exactly(x):
    return max(x, 0.5)


def larger_and_stored(x, y, out):
    """What others see is done once."""
    out[0] = 1
    return max(x, y)


def check_large(function, *arguments):
    assert repr(npcc.jit(function, target="cpu")(*arguments)) == repr(function(*arguments)), (function, arguments)


def refused(function, *arguments):
    try:
        npcc.jit(function, target="cpu")(*arguments)
    except (OverflowError, npcc.CompileError) as error:
        assert "does not fit float" in str(error) and "another value of its name" in str(error), error
    else:
        raise AssertionError((function, arguments))


def huge(x):
    return max(x, 1e39)


for dtype in (np.float16, np.float32):
    check_large(larger, dtype(0), 1e39)
    check_large(chosen, dtype(0), -1e39)
    refused(larger_and_stored, dtype(0), 1e39, np.zeros(1))
    assert repr(npcc.jit(huge, target="cpu")(dtype(0))) == "1e+39"
    for y in (0.5, -2.0, np.inf, 7, 0.1):
        got = npcc.jit(larger, target="cpu")(dtype(1), y)
        assert got == max(dtype(1), dtype(y)), (got, y)
        assert type(got) is (int if y == 7 else dtype), (got, y)
    assert npcc.jit(known_exactly, target="cpu")(dtype(0)) == 0.5
    assert repr(npcc.jit(known, target="cpu")(dtype(0))) == "0.1"
    # What is not chosen may be any number.
    assert npcc.jit(chosen, target="cpu")(dtype(1), 5e4) == 1
assert npcc.jit(larger, target="cpu")(np.float64(0), 0.1) == 0.1
