# RUN: %python %s
"""copy=numpy._CopyMode.IF_NEEDED, which libraries say for None, was taken for False: scipy.signal.butter and windows were a ValueError."""
import numpy as np

import npcc


@npcc.jit(target="cpu", fallback=False)
def made(x):
    view = np.array(x, copy=np._CopyMode.IF_NEEDED)
    view[0] = 7
    copied = np.array(x, copy=np._CopyMode.ALWAYS)
    copied[1] = 8
    same = np.array(x, copy=np._CopyMode.NEVER)
    return view.sum(), copied, same.sum(), np.array([1.0, 2.0], copy=np._CopyMode.IF_NEEDED), np.array(x, dtype=np.float32, copy=np._CopyMode.IF_NEEDED)


x, y = np.arange(4.0), np.arange(4.0)
for mine, expected in zip(made(x), made.__wrapped__(y)):
    assert np.array_equal(mine, expected) and mine.dtype == expected.dtype, (mine, expected)
assert np.array_equal(x, y)
