# RUN: %python %s
"""Arguments for parameters that compiled code does not have were TypeErrors. Those that say what holds anyway are taken, others are refused."""
import numpy as np

import npcc

a = np.arange(12.0).reshape(3, 4)
for call in (
    lambda a: np.concatenate((a, a), casting="same_kind"),
    lambda a: np.zeros(3, device="cpu", like=None),
    lambda a: np.broadcast_to(a, (2, 3, 4), subok=True),
    lambda a: np.take(a, 1, 0, None, "raise"),
    lambda a: np.partition(a, 2, -1, "introselect"),
    lambda a: np.trace(a, 0, 0, 1),
    lambda a: np.arange(3, 7, dtype=float),
):
    np.testing.assert_array_equal(npcc.jit(call, target="cpu")(a), call(a), strict=True)

for call in (
    lambda a: np.ndarray((2, 3), strides=(8, 8)),
):
    try:
        npcc.jit(call, target="cpu")(a)
    except npcc.CompileError as error:
        assert "the argument '" in error.msg, error
    else:
        raise AssertionError("dropped")
