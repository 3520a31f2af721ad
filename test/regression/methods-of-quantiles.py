# RUN: %python %s
"""quantile() and percentile() took no method, weights, q of two axes or out; a Python number as q was rounded to the array's dtype."""
import numpy as np

import npcc


def with_method(a, q, method):
    return np.quantile(a, q, axis=-1, method=method)


def weighted(a, q, w):
    return np.quantile(a, q, axis=-1, weights=w, method="inverted_cdf")


def percentiles(a, q):
    return np.percentile(a, q, 0, np.empty(4), False, "hazen", False)


def unknown(a, q):
    return np.quantile(a, q, method="median")


METHODS = (
    "inverted_cdf averaged_inverted_cdf closest_observation interpolated_inverted_cdf hazen weibull linear median_unbiased normal_unbiased "
    "lower higher midpoint nearest"
).split()
random = np.random.default_rng(1)
compiled = npcc.jit(with_method, target="cpu")
ARRAYS = np.array([3, 1, 2, 5, 4]), random.normal(size=(3, 4)).astype("f4"), np.array([1.0, np.nan, 2])
QUANTILES = 0.4, 1, np.array([0.0, 0.25, 0.75, 1.0]), np.array([[0.1, 0.9]])
# Each is a compilation of its own: all methods of one kind of arguments, and all arguments with a method of each kind.
for method in METHODS:
    for a in ARRAYS if method in ("closest_observation", "weibull", "midpoint") else ARRAYS[:2]:
        for q in QUANTILES if method in ("closest_observation", "weibull", "midpoint") else QUANTILES[2:3]:
            expected, given = with_method(a, q, method), compiled(a, q, method)
            assert expected.dtype == given.dtype and expected.shape == given.shape and np.allclose(expected, given, equal_nan=True), (method, a, q, expected, given)

a, q = random.normal(size=(3, 4)), np.array([0.0, 0.3, 1.0])
for w in (np.array([0.0, 1, 2, 0]), random.uniform(size=(3, 4))):
    np.testing.assert_array_equal(npcc.jit(weighted, target="cpu")(a, q, w), weighted(a, q, w), strict=True)
np.testing.assert_allclose(npcc.jit(percentiles, target="cpu")(a, 30), percentiles(a, 30))
for function, arguments in ((unknown, (a, 0.5)), (weighted, (a, 0.5, np.zeros(4))), (weighted, (a, 0.5, -np.ones(4))), (with_method, (a, 1.5, "lower"))):
    errors = []
    for one in (function, npcc.jit(function, target="cpu")):
        try:
            one(*arguments)
        except ValueError as error:
            errors.append(str(error))
    assert len(errors) == 2 and errors[0] == errors[1], errors
