# RUN: %python %s
# Versions of one function whose results are put together in different ways were made one function, which took the
# second one's results for the first one's.
import numpy as np

import npcc
from npcc import _npcc


def code_of(function):
    code, diagnostics, *_ = _npcc.compile(function, ("float64[:]",), {"target": "cpu", "devices": 1, "cpu": "native"})
    assert code, diagnostics
    return _npcc.load(code)[0]


def array(a):
    return a + 1


def pair(a):
    return a.sum(), "text"


a = np.arange(3.0)
for first, second in (array, pair), (pair, array):
    merged = _npcc.merge(code_of(first), code_of(second))
    function = _npcc.function("f", ("a",), 0, 1, (), object(), lambda *_: (merged, -1, None), 1)
    np.testing.assert_equal(function(a), second(a))
