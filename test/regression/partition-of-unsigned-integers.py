# RUN: %python %s
"""numpy.partition of unsigned integers ordered them as signed ones: memory does not say which they are, and nobody else told the library."""
import numpy as np

import npcc

x = np.random.default_rng(0).integers(0, 256, 100).astype("u1")
for target in ("cpu", "debug"):
    for dtype in ("u1", "u2", "u4", "u8"):
        given = x.astype(dtype) << (8 * (np.dtype(dtype).itemsize - 1))
        at = npcc.jit(target=target)(lambda a: np.partition(a, 50)[50])(given)
        assert at == np.partition(given, 50)[50], (target, dtype, at)
        places = npcc.jit(target=target)(lambda a: np.argpartition(a, 50))(given)
        assert given[places[50]] == at, (target, dtype)
