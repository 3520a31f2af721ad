# RUN: %python %s
"""np.select took conditions of any dtype for true or false, and a list as the default for a dtype."""
import numpy as np

import npcc


def chosen(a):
    return np.select([a > 2, a < 1], [a, -a], default=[7])


def numbers(a):
    return np.select([a > 2, a], [a, -a])


a = np.arange(5)
np.testing.assert_array_equal(npcc.jit(target="cpu")(chosen)(a), chosen(a), strict=True)
for function in (numbers, npcc.jit(target="cpu")(numbers)):
    try:
        function(a)
    except (TypeError, npcc.CompileError) as error:
        assert "invalid entry 1 in condlist: should be boolean ndarray" in str(error), error
    else:
        raise AssertionError("numbers were taken for conditions")
