# RUN: %python %s
"""np.array_split into a number of parts that run time knows put each part into a tuple of all parts before it."""
import numpy as np

import npcc


def batches(x, y, size):
    totals = []
    for part in np.array_split(x, max(1, len(x) // size)):
        totals.append(y[part].sum())
    return totals, [len(part) for part in np.split(x, len(x) // size)], np.array_split(y, len(y) // size, axis=-1)


x, y = np.random.default_rng(0).permutation(12), np.arange(24.0).reshape(12, 2)
compiled = npcc.jit(target="cpu")(batches)
for size in (3, 4):
    totals, lengths, parts = compiled(x, y, size)
    assert (totals, lengths) == batches(x, y, size)[:2]
    for mine, numpys in zip(parts, batches(x, y, size)[2], strict=True):
        np.testing.assert_array_equal(mine, numpys, strict=True)
try:
    compiled(x[:11], y, 2)
except ValueError as error:
    assert str(error) == "array split does not result in an equal division", error
else:
    raise AssertionError
