# RUN: env NPCC_CACHE=0 %python %s
"""Where a function returns one of two arrays, the other result is empty. An axis that must have one element cannot be: that element is written, because
results are copied from a device as they are."""
import numpy as np

import npcc


def either(a, b, first):
    return a if first > 0 else b


for dtype in ("f8", "f4", "f2", "c16", "i1", "u8", "?"):
    one = np.ones(1, dtype)
    for second in (np.arange(3) + 0j, np.ones((1, 1))):
        compiled = npcc.jit(target="cpu")(either)
        for first in (1, -1):
            got, wanted = compiled(one, second, first), either(one, second, first)
            assert got.dtype == wanted.dtype and got.shape == wanted.shape and (got == wanted).all(), (dtype, second)

text = npcc.jit(target="cpu")(either).inspect("np", arguments=(np.ones(1), np.ones((1, 1)), 1))
assert "np.full" in text and "np.empty" not in text, text
