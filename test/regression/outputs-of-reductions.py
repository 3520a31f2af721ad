# RUN: %python %s
"""A reduction stored into an output of more axes than its result, where NumPy raises; `where`, `mean` and `correction` of var() and its relatives
were unknown; and complex numbers with a NaN part were ordered."""
import numpy as np

import npcc


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error).__name__, str(error)


x = np.random.default_rng(0).normal(size=(3, 4))
where, nan = x > -0.5, complex(0, np.nan)
for call in (
    lambda x, where: np.sum(x, 0, out=np.ones((3, 4))),
    lambda x, where: np.max(x, 0, out=np.ones(4), keepdims=True),
    lambda x, where: np.mean(x, 0, out=np.ones((3, 4))),
    lambda x, where: np.median(x, 0, out=np.ones((3, 4))),
    lambda x, where: np.std(x, 0, out=np.ones((1, 4)), keepdims=True),
    lambda x, where: np.mean(x, 0, where=where),
    lambda x, where: np.var(x, 0, where=where, correction=1),
    lambda x, where: np.std(x, 1, mean=np.mean(x, 1, keepdims=True)),
    lambda x, where: np.var(x, ddof=1, correction=1),
    lambda x, where: np.nanmean(x, 1, where=where),
    lambda x, where: np.nanmax(x, 1, where=where, initial=-3.0),
    lambda x, where: np.nanargmin(np.where(where, x, np.nan), 1),
    lambda x, where: np.take_along_axis(x, np.argsort(x, 1), 1),
):
    expected, given = outcome(call, x, where), outcome(npcc.jit(call, target="cpu"), x, where)
    if isinstance(expected, tuple):
        assert expected == given, (expected, given)
    else:
        np.testing.assert_allclose(given, expected, rtol=1e-13, strict=True)

for call in (
    lambda a, b: np.maximum(a, b),
    lambda a, b: np.minimum(b, a),
):
    assert repr(npcc.jit(call, target="cpu")(1.0, nan)) == repr(call(1.0, nan))
with np.errstate(invalid="ignore"):
    assert not npcc.jit(lambda a, b: a > b, target="cpu")(np.array([1 + 0j]), np.array([nan])).any()
