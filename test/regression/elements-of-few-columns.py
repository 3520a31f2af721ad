# RUN: %python %s
# Rows of two to four elements are computed one element after the other where another operand has one for each row, or
# one for each column; other calls of the same function have other numbers of columns, and views of wider arrays.
import numpy as np

import npcc

random = np.random.default_rng(3)


@npcc.jit
def by_rows(x, w):
    return np.sqrt(x * w[:, None] + 1)


@npcc.jit
def by_columns(x, w):
    return (x - w) / 2


@npcc.jit
def in_place(x, w):
    x *= w[:, None]
    x[:, ::-1] += w[:, None]
    return x


for function in (by_rows, by_columns, in_place):
    for columns in (3, 4, 2, 1, 5, 7, 3):
        for rows in (1000, 5, 0):
            for dtype in ("f4", "f8", "i8"):
                wide = random.integers(0, 9, (rows, columns + 2)).astype(dtype)
                w = random.integers(1, 5, columns if function is by_columns else rows).astype(dtype)
                for x in (np.ascontiguousarray(wide[:, :columns]), wide[:, 1:columns + 1], np.asfortranarray(wide[:, :columns])):
                    got, expected = function(x.copy(), w), function.__wrapped__(x.copy(), w)
                    assert got.dtype == expected.dtype and np.allclose(got, expected, rtol=1e-6), (function, columns, rows, dtype)
                    view = x.copy()
                    if function is in_place:
                        function(wide[:, :columns], w)
                        wide = random.integers(0, 9, (rows, columns + 2)).astype(dtype)
