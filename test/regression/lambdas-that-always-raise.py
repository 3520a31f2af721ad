# RUN: %python %s
"""A lambda that raises whatever its arguments hold was an internal error: a block ended twice. clip() took one bound, which NumPy's does not."""
import numpy as np

import npcc

a = np.arange(5)
for call in (
    lambda a: np.delete(a, False),
    lambda a: np.clip(a, 1),
    lambda a: np.clip(a, a_max=2),
    lambda a: np.clip(a, 1, 2, min=1),
):
    errors = []
    for function in (call, npcc.jit(call, target="cpu")):
        try:
            function(a)
        except (TypeError, ValueError) as error:
            errors.append((type(error), str(error)))
    assert len(errors) == 2 and errors[0] == errors[1], errors
for call in (
    lambda a: a.clip(2),
    lambda a: a.clip(max=3),
    lambda a: np.clip(a, None, 2),
    lambda a: np.clip(a, min=3),
):
    np.testing.assert_array_equal(npcc.jit(call, target="cpu")(a), call(a), strict=True)
