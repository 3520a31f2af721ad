"""Arrays of unsigned integers that are put together of parts are values like any other: a roll of one is read where it is used, by one kernel."""
# RUN: %python %s
import numpy as np
import npcc


def neighbours(c):
    return np.roll(c & 1, 1, axis=1) | np.roll(c & 2, -1, axis=0)


def joined(c):
    return np.concatenate((c, c[:, :2] + np.ones((), c.dtype)), axis=1) * 2, np.pad(c, 1)[1:-1] ^ 5


rng = np.random.default_rng(1)
for dtype in (np.uint8, np.uint16, np.uint32, np.uint64):
    c = rng.integers(0, 200, (7, 9)).astype(dtype)
    for function in (neighbours, joined):
        for got, expected in zip(npcc.jit(target="cpu")(function)(c), function(c)):
            np.testing.assert_array_equal(got, expected)
            assert got.dtype == expected.dtype
    kernels = npcc.jit(target="cuda")(neighbours).inspect("kernels", arguments=(c,)).count("np.kernel")
    assert kernels == 1, kernels
