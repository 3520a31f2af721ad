# RUN: %python %s
"""pad() took no statistics and ramps, and widths that are no integers, empty axes and arguments of other modes gave errors of another class."""
import numpy as np

import npcc

a, b, empty = np.arange(6).reshape(2, 3), np.random.default_rng(0).normal(size=3), np.zeros((0, 3))
for call in (
    lambda a, b, empty: np.pad(b, (1, 2), "maximum"),
    lambda a, b, empty: np.pad(a, ((1, 2), (0, 3)), mode="mean"),
    lambda a, b, empty: np.pad(a, [(1, 1)], mode="median", stat_length=1),
    lambda a, b, empty: np.pad(a, 2, "minimum", stat_length=((1, 2), (2, 1))),
    lambda a, b, empty: np.pad(a, (2, 3), "linear_ramp"),
    lambda a, b, empty: np.pad(b, (2, 3), "linear_ramp", end_values=(5, -4)),
    lambda a, b, empty: np.pad(a, ((1,), (2,)), "wrap"),
    lambda a, b, empty: np.pad(a, np.array([[1, 2], [0, 1]]), "edge"),
    lambda a, b, empty: np.pad(empty, ((0, 0), (1, 1)), "reflect"),
):
    np.testing.assert_allclose(npcc.jit(call, target="cpu")(a, b, empty), call(a, b, empty), rtol=1e-14, strict=True)


def error_of(function):
    try:
        function(a, b, empty)
    except Exception as error:
        return type(error), str(error)
    raise AssertionError(function)


for call in (
    lambda a, b, empty: np.pad(a, 3.4, "symmetric"),
    lambda a, b, empty: np.pad(a, -1, "symmetric"),
    lambda a, b, empty: np.pad(empty, 1, "reflect"),
    lambda a, b, empty: np.pad(a, 1, "nowhere"),
    lambda a, b, empty: np.pad(a, 1, "constant", end_values=3),
    lambda a, b, empty: np.pad(a, 2, "minimum", stat_length=0),
    lambda a, b, empty: np.pad(a, (1, 2, 3)),
):
    assert error_of(call) == error_of(npcc.jit(call, target="cpu")), (error_of(call), error_of(npcc.jit(call, target="cpu")))
