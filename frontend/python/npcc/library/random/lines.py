"""Distributions of vectors: the last axis of a result."""

import numpy as np

from . import method
from ..decompositions import host_eigh
from ..routines import runs_on_gpu
from ..singular_values import factored
from .discrete import whole
from .elements import complain_of, shape_of
from .primitives import class_of, draw

# What numpy.allclose says of a tolerance of None.
NO_TOLERANCE = ("ufunc 'isfinite' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the "
                "casting rule ''safe''")


@method("Generator", "RandomState")
def dirichlet(self, alpha, size=None):
    count = len(alpha)
    alpha = np.asarray(alpha).astype(np.float64)
    if alpha.ndim > 1:
        raise ValueError("object too deep for desired array")
    out = np.empty(leading(size) + (count,), np.float64)
    if runs_on_gpu() and size is not None and class_of(self) == "Generator" and _are_shapes(alpha):
        if np.all(alpha == alpha[0]):
            draw(self, "standard_gamma", out, (alpha[0],), ())
        else:
            draw(self, "standard_gamma", out, (), (np.broadcast_to(alpha, out.shape),))
        return _shares(out)
    draw(self, "dirichlet", out, (), (alpha,))
    return out


def _are_shapes(alpha):
    """Whether NumPy makes the lines of gamma numbers of these shapes, which a device can draw. Shapes below .1 alone are another method."""
    if alpha.shape[0] == 0:
        return False
    return bool(np.all(alpha >= 0)) and bool(np.any(alpha >= 0.1))


def _shares(numbers):
    """Each number divided by its line's sum, as NumPy does it: the numbers are added up one after the other and multiplied by one quotient."""
    total = np.zeros(numbers.shape[:-1], np.float64)
    for k in range(numbers.shape[-1]):
        total = total + numbers[..., k]
    return numbers * (1 / total)[..., None]


def leading(size):
    return () if size is None else shape_of(size)


@method("Generator")
def multinomial(self, n, pvals, size=None):
    pvals = np.asarray(pvals).astype(np.float64)
    length = pvals.shape[-1] if pvals.ndim > 0 else 0
    if length == 0:
        raise ValueError("pvals must have at least 1 dimension and the last dimension of pvals must be greater than 0.")
    if np.ndim(n) == 0 and pvals.ndim == 1:
        return one_multinomial(self, n, pvals, size)
    counts = np.asarray(n)
    if size is None:
        shape = np.broadcast_shapes(counts.shape, pvals.shape[:-1])
    else:
        shape = shape_of(size)
        wide = np.broadcast_shapes(counts.shape, pvals.shape[:-1], shape)
        if wide != shape:
            complain_of(shape, wide)
    out = np.empty(shape + (length,), np.int64)
    draw(self, "multinomial", out, (length, pvals.ndim), (np.broadcast_to(counts, shape), np.broadcast_to(pvals, out.shape)))
    return out


@method("RandomState")
def multinomial_(self, n, pvals, size=None):
    pvals = np.asarray(pvals).astype(np.float64)
    if pvals.ndim == 0:
        raise TypeError("pvals must be a 1-d sequence")
    if pvals.ndim > 1:
        raise ValueError("object too deep for desired array")
    if np.ndim(n) > 0:
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    return one_multinomial(self, n, pvals, size)


def one_multinomial(generator, n, pvals, size):
    length = pvals.shape[0]
    out = np.empty(leading(size) + (length,), np.int64)
    draw(generator, "multinomial", out, (length, 1), (np.asarray(whole(n)).reshape(1), pvals))
    return out


@method("Generator")
def multivariate_hypergeometric(self, colors, nsample, size=None, method="marginals"):
    if method != "count" and method != "marginals":
        raise ValueError('method must be "count" or "marginals".')
    if not isinstance(nsample, (int, np.integer)):
        raise ValueError("nsample must be an integer")
    colors = np.asarray(colors)
    if colors.ndim != 1 or colors.dtype.kind not in "iu":
        raise ValueError("colors must be a one-dimensional sequence of nonnegative integers not exceeding 9223372036854775807.")
    out = np.empty(leading(size) + colors.shape, np.int64)
    draw(self, "multivariate_hypergeometric", out, (nsample, 1 if method == "count" else 0), (colors,))
    return out


@method("Generator")
def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd"):
    if method != "eigh" and method != "svd" and method != "cholesky":
        raise ValueError("method must be one of {'eigh', 'svd', 'cholesky'}")
    mean = np.asarray(mean)
    cov = np.asarray(cov)
    if mean.dtype.kind == "c" or cov.dtype.kind == "c":
        raise TypeError("mean and cov must not be complex")
    _check_shapes(mean, cov)
    x = np.empty(leading(size) + mean.shape, np.float64)
    draw(self, "standard_normal", x, (), ())
    cov = cov.astype(np.float64)
    if method == "cholesky":
        return mean + x @ np.linalg.cholesky(cov).T
    if method == "eigh":
        s, u = host_eigh(cov)
        _check_semidefinite(check_valid, tol, "bad operand type for unary -: 'NoneType'", lambda: not np.any(s < -tol))
        return mean + x @ (u * np.sqrt(np.abs(s))).T
    u, s, v = factored(cov, True, on_host=True)
    _check_semidefinite(check_valid, tol, NO_TOLERANCE, lambda: np.allclose(np.dot(v.T * s, v), cov, rtol=tol, atol=tol))
    return mean + x @ (u * np.sqrt(s)).T


@method("RandomState")
def multivariate_normal_(self, mean, cov, size=None, check_valid="warn", tol=1e-8):
    mean = np.asarray(mean)
    cov = np.asarray(cov)
    _check_shapes(mean, cov)
    x = np.empty(leading(size) + mean.shape, np.float64)
    draw(self, "legacy_standard_normal", x, (), ())
    cov = cov.astype(np.float64)
    u, s, v = factored(cov, True, on_host=True)
    _check_semidefinite(check_valid, tol, NO_TOLERANCE, lambda: np.allclose(np.dot(v.T * s, v), cov, rtol=tol, atol=tol))
    return mean + x @ (np.sqrt(s)[:, None] * v)


def _check_shapes(mean, cov):
    if mean.ndim != 1:
        raise ValueError("mean must be 1 dimensional")
    if cov.ndim != 2 or cov.shape[0] != cov.shape[1]:
        raise ValueError("cov must be 2 dimensional and square")
    if mean.shape[0] != cov.shape[0]:
        raise ValueError("mean and cov must have same length")


def _check_semidefinite(check_valid, tol, complaint, is_semidefinite):
    if check_valid == "ignore":
        return
    if check_valid != "warn" and check_valid != "raise":
        raise ValueError("check_valid must equal 'warn', 'raise', or 'ignore'")
    if tol is None:
        raise TypeError(complaint)
    if check_valid == "raise" and not is_semidefinite():
        raise ValueError("covariance is not symmetric positive-semidefinite.")
