# RUN: %python %s
"""numpy.seterr in a function was refused. It is about the interpreter and not about arrays, so Python makes the call; errors that compiled code does not raise
are refused all the same."""
import numpy as np

import npcc


def quiet(x):
    np.seterr(divide="ignore", invalid="ignore")
    return 1 / x


def for_a_while(x):
    old = np.seterr(all="ignore")
    y = x / (x - x)
    np.seterr(**old)
    return y, np.geterr()["divide"], old["over"]


def raising(x):
    np.seterr(all="raise")
    return 1 / x


start = np.geterr()
for function in quiet, for_a_while:
    np.seterr(**start)
    expected, settings = function(np.arange(3.0)), np.geterr()
    np.seterr(**start)
    found = npcc.jit(function)(np.arange(3.0))
    assert repr(found) == repr(expected) and np.geterr() == settings, (found, expected, np.geterr(), settings)
np.seterr(**start)
try:
    npcc.jit(raising)(np.arange(3.0))
except npcc.CompileError as error:
    assert "seterr" in str(error), error
else:
    raise AssertionError("compiled")
assert np.geterr() == start
