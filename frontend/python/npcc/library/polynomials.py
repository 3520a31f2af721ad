"""Polynomials as arrays of their coefficients, the highest power first: arithmetic, derivatives and integrals."""

import numpy as np

from . import implements
from .signals import convolve


@implements(np.polyval)
def polyval(p, x):
    if hasattr(p, "coeffs"):  # a numpy.poly1d
        p = p.coeffs
    x = np.asarray(x)
    if isinstance(p, (tuple, list)):
        kind = np.asarray(p).dtype
        y = np.zeros_like(x)
        for c in p:
            y = y * x + np.asarray(c, dtype=kind)
        return y
    p = np.asarray(p)
    if p.ndim == 0:
        raise TypeError("iteration over a 0-d array")
    y = np.zeros(x.shape, np.result_type(p.dtype, x.dtype))
    for k in range(p.shape[0]):
        y = y * x + p[k]
    return y


def _aligned(a, b):
    """Both with as many coefficients as the longer one has."""
    a = np.atleast_1d(a)
    b = np.atleast_1d(b)
    n = max(a.shape[0], b.shape[0])
    wide = np.zeros(n, a.dtype)
    wide[n - a.shape[0]:] = a
    other = np.zeros(n, b.dtype)
    other[n - b.shape[0]:] = b
    return wide, other


@implements(np.polyadd)
def polyadd(a1, a2):
    left, right = _aligned(a1, a2)
    return left + right


@implements(np.polysub)
def polysub(a1, a2):
    left, right = _aligned(a1, a2)
    return left - right


def without_leading_zeros(c):
    c = np.atleast_1d(c)
    is_kept = c != 0
    count = c.shape[0] - int(np.argmax(is_kept)) if np.any(is_kept) else 1
    return c[c.shape[0] - count:] if c.shape[0] > 0 else np.zeros(1, c.dtype)


@implements(np.polymul)
def polymul(a1, a2):
    return convolve(without_leading_zeros(a1), without_leading_zeros(a2))


@implements(np.polydiv)
def polydiv(u, v):
    u = np.atleast_1d(u) + 0.0
    v = np.atleast_1d(v) + 0.0
    dtype = np.result_type(u.dtype, v.dtype)
    m = u.shape[0] - 1
    n = v.shape[0] - 1
    scale = 1.0 / v[0]
    q = np.zeros(max(m - n + 1, 1), dtype)
    r = u.astype(dtype)
    for k in range(m - n + 1):
        d = scale * r[k]
        q[k] = d
        r[k:k + n + 1] -= d * v
    # The coefficients before the first that is not nearly zero are none; the last one stays.
    large = ~(np.abs(r) <= 1e-8)
    large[-1] = True
    return q, r[np.argmax(large):]


@implements(np.polyder)
def polyder(p, m=1):
    m = int(m)
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    p = np.asarray(p)
    if m > 0:
        p = _factors(p, m)
    return p


def _factors(p, m):
    """The coefficient of x^n times n (n - 1) ... (n - m + 1), without those that this makes zero."""
    count = max(p.shape[0] - m, 0)
    powers = np.arange(p.shape[0] - 1, p.shape[0] - 1 - count, -1)
    y = p[:count] * powers
    for k in range(1, m):
        y = y * (powers - k)
    return y


@implements(np.polyint)
def polyint(p, m=1, k=None):
    m = int(m)
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    constants = np.zeros(m, float) if k is None else np.atleast_1d(k)
    if constants.shape[0] == 1 and m > 1:
        constants = constants[0] * np.ones(m, float)
    if constants.shape[0] < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    p = np.asarray(p)
    if m == 0:
        return p
    n = p.shape[0]
    dtype = np.result_type(p.dtype, np.float64, constants.dtype)
    y = np.zeros(n + m, dtype)
    y[:n] = p
    for step in range(m):
        y[:n + step] = y[:n + step] / np.arange(n + step, 0, -1)
        y[n + step] = constants[step]
    return y


@implements(np.poly)
def poly(seq_of_zeros):
    if isinstance(seq_of_zeros, (int, float, complex, np.generic)):
        raise TypeError("dispatcher for __array_function__ did not return an iterable")
    zeros = np.atleast_1d(seq_of_zeros)
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1] and zeros.shape[0] != 0:
        zeros = np.linalg.eigvals(zeros)
    if zeros.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    n = zeros.shape[0]
    if n == 0:
        return 1.0
    a = np.zeros(n + 1, zeros.dtype if zeros.dtype.itemsize >= 4 and zeros.dtype.kind in "fc" else np.float64)
    a[0] = 1
    for k in range(n):
        a[1:k + 2] = a[1:k + 2] - zeros[k] * a[:k + 1]
    if a.dtype.kind == "c":  # of pairs of conjugate numbers the coefficients are real
        if np.all(np.sort(zeros) == np.sort(np.conjugate(zeros))):
            return a.real.copy()
    return a
