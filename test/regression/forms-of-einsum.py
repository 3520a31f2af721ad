# RUN: %python %s
"""einsum() took letters only: an ellipsis, lists of subscripts, `optimize`, `out` and `dtype` were refused or called unknown."""
import numpy as np

import npcc

a, b, c = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4), np.arange(24.0).reshape(4, 2, 3)
for call in (
    lambda a, b, c: np.einsum("ij,jk", a, b, optimize=True),
    lambda a, b, c: np.einsum("...j,jk->...k", c, b),
    lambda a, b, c: np.einsum("...ij->...ji", c),
    lambda a, b, c: np.einsum("...,...", c, a),
    lambda a, b, c: np.einsum("i...->...", a),
    lambda a, b, c: np.einsum(a, [0, 1], b, [1, 2], [0, 2]),
    lambda a, b, c: np.einsum(c, [Ellipsis, 1], b, [1, 2]),
    lambda a, b, c: np.einsum("abc,ab...,c", c, c, b[:, 0]),
    lambda a, b, c: np.einsum("ij->i", a, dtype="f4", casting="unsafe"),
    lambda a, b, c: np.einsum("ij->i", a, out=np.ones(2)),
):
    np.testing.assert_array_equal(npcc.jit(call, target="cpu")(a, b, c), call(a, b, c), strict=True)


def error_of(function):
    try:
        function(a, b)
    except Exception as error:
        return type(error), str(error)
    raise AssertionError(function)


for call in (
    lambda a, b: np.einsum("ij,jk->ik", a, a),
    lambda a, b: np.einsum("ij,jk,kl", a, b, b),
    lambda a, b: np.einsum("ii", a),
    lambda a, b: np.einsum("ij->k", a),
    lambda a, b: np.einsum("i..j", a),
    lambda a, b: np.einsum("i", a),
    lambda a, b: np.einsum(a, [0, 100]),
    lambda a, b: np.einsum("ij->", a, dtype="i4"),
):
    assert error_of(call) == error_of(npcc.jit(call, target="cpu")), (error_of(call), error_of(npcc.jit(call, target="cpu")))
