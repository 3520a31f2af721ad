# RUN: %python %s
"""numpy.ptp(out=) stored a difference that was computed without the array: NumPy stores the maximum there first, whose dtype counts then."""
import numpy as np

import npcc


def spread(a, out):
    return np.ptp(a, axis=0, out=out)


def outcome(function, a, out):
    try:
        result = function(a, out)
        return result is out, out.dtype, out.tolist()
    except TypeError as error:
        return str(error)


a = np.array([[0.1, 2.0], [1 / 3, 5.0]])
for given, dtype in ((a, "f8"), (a, "f4"), (a.astype("f4"), "f8"), (a.astype("i8"), "f4"), (a.astype("u8"), "i8"), (a.astype("i8"), "i1")):
    assert outcome(npcc.jit(spread, target="cpu"), given, np.zeros(2, dtype)) == outcome(spread, given, np.zeros(2, dtype)), (given.dtype, dtype)
