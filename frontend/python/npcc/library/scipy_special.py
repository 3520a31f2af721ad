"""scipy.special: elementwise functions, and sums of exponentials."""
import math

import numpy as np

from . import implements_of
from .routines import erf_of, erfc_of

_SPECIAL = implements_of("scipy.special")
_ROOT_OF_HALF = 0.7071067811865476


@_SPECIAL
def expit(x):
    return 1 / (1 + np.exp(-x))


@_SPECIAL
def logit(x):
    s = 2 * (x - 0.5)
    return np.where((x < 0.3) | (x > 0.65), np.log(x / (1 - x)), np.log1p(s) - np.log1p(-s))


@_SPECIAL
def log_expit(x):
    return np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x)))


@_SPECIAL
def exp10(x):
    return np.power(10.0, x)


@_SPECIAL
def xlogy(x, y):
    return np.where((x == 0) & ~np.isnan(y), 0, x * np.log(y))


@_SPECIAL
def xlog1py(x, y):
    return np.where((x == 0) & ~np.isnan(y), 0, x * np.log1p(y))


@_SPECIAL
def entr(x):
    return np.where(x > 0, -x * np.log(x), np.where(x == 0, 0, np.where(np.isnan(x), x, -np.inf)))


@_SPECIAL
def rel_entr(x, y):
    inside = (x > 0) & (y > 0)
    outside = np.where((x == 0) & (y >= 0), 0, np.where(np.isnan(x) | np.isnan(y), np.nan, np.inf))
    return np.where(inside, x * np.log(x / y), outside)


@_SPECIAL
def kl_div(x, y):
    inside = (x > 0) & (y > 0)
    outside = np.where((x == 0) & (y >= 0), y, np.where(np.isnan(x) | np.isnan(y), np.nan, np.inf))
    return np.where(inside, x * np.log(x / y) - x + y, outside)


@_SPECIAL
def huber(delta, r):
    size = np.abs(r)
    return np.where(delta < 0, np.inf, np.where(size <= delta, 0.5 * r * r, delta * (size - 0.5 * delta)))


@_SPECIAL
def pseudo_huber(delta, r):
    width, ends = delta.astype(np.float64), r.astype(np.float64)
    steps = ends / width
    size = width * width * np.expm1(0.5 * np.log1p(steps * steps))  # width^2 (sqrt(1 + steps^2) - 1), right for small steps too
    return np.where(width < 0, np.inf, np.where((width == 0) | (ends == 0), 0, size))


@_SPECIAL
def boxcox(x, lmbda):
    logarithm, factor = np.log(x.astype(np.float64)), lmbda.astype(np.float64)
    power = factor * logarithm
    large = np.sign(factor) * np.exp(power - np.log(np.abs(factor))) - 1 / factor
    return np.where(np.abs(factor) < 1e-19, logarithm, np.where(power < 709.78, np.expm1(power) / factor, large))


@_SPECIAL
def ndtr(a):
    """The integral of the normal density up to a."""
    x = a.astype(np.float64)
    size = np.abs(x) * _ROOT_OF_HALF
    tail = 0.5 * erfc_of(size)
    return np.where(size < _ROOT_OF_HALF, 0.5 + 0.5 * erf_of(x * _ROOT_OF_HALF), np.where(x > 0, 1 - tail, tail))


def _horner(x, coefficients):
    total = coefficients[0] * x + coefficients[1]
    for c in coefficients[2:]:
        total = total * x + c
    return total


# The inverse of the normal distribution (M. J. Wichura, Algorithm AS 241, Applied Statistics 37, 1988), the highest powers first: about the centre, and of
# the root of the tail's logarithm up to 5 and above.
_CENTRE = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457, 13731.693765509461125, 1971.5909503065514427,
     133.14166789178437745, 3.387132872796366608),
    (5226.495278852545925, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867, 5394.1960214247511077, 687.1870074920579083,
     42.313330701600911252, 1.0),
)
_NEAR = (
    (7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177, 1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055,
     4.6303378461565452959, 1.42343711074968357734),
    (1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494,
     2.05319162663775882187, 1.0),
)
_FAR = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386, 0.026532189526576123093, 0.29656057182850489123,
     1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772),
    (2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4, 0.0148753612908506148525,
     0.13692988092273580531, 0.59983220655588793769, 1.0),
)


def _quantile(q, tail):
    """Of the normal distribution at 0.5 + q; `tail` is the smaller of that and of what is missing to 1."""
    r = 0.180625 - q * q
    centre = q * (_horner(r, _CENTRE[0]) / _horner(r, _CENTRE[1]))
    root = np.sqrt(-np.log(tail))
    near, far = root - 1.6, root - 5
    side = np.where(root <= 5, _horner(near, _NEAR[0]) / _horner(near, _NEAR[1]), _horner(far, _FAR[0]) / _horner(far, _FAR[1]))
    side = np.where(tail == 0, np.inf, side)
    return np.where(np.abs(q) <= 0.425, centre, np.where(tail < 0, np.nan, np.copysign(side, q)))


@_SPECIAL
def ndtri(p):
    x = p.astype(np.float64)
    return _quantile(x - 0.5, np.minimum(x, 1 - x))


@_SPECIAL
def erfinv(x):
    y = x.astype(np.float64)
    return _quantile(0.5 * y, 0.5 * (1 - np.abs(y))) * _ROOT_OF_HALF


# Lanczos' approximation of the gamma function, as a quotient of two polynomials, the constant terms first.
_SHIFT = 6.024680040776729583740234375
_ABOVE = (
    23531376880.41075968857200767445163675473076, 42919803642.64909876895789904700198885093263, 35711959237.35566804944018545154716670596048,
    17921034426.03720969991975575445893111267140, 6039542586.352028005064291644307297921069938, 1439720407.311721673663223072794912393971549,
    248874557.8620541565114603864132294232163212, 31426415.58540019438061423162831820536287469, 2876370.628935372441225409051620849613599114,
    186056.2653952234950402949897160456992822078, 8071.672002365816210638002902272250613821852, 210.8242777515793458725097339207133627116697,
    2.506628274631000270164908177133837338626431,
)
_BELOW = (0.0, 39916800.0, 120543840.0, 150917976.0, 105258076.0, 45995730.0, 13339535.0, 2637558.0, 357423.0, 32670.0, 1925.0, 66.0, 1.0)


def _lanczos(size):
    """The quotient at size > 0; of large numbers it is taken in 1 / size, which does not overflow."""
    is_small = size < 5
    t = np.where(is_small, size, 1 / size)
    above = np.where(is_small, _ABOVE[12], _ABOVE[0])
    below = np.where(is_small, _BELOW[12], _BELOW[0])
    for k in range(1, 13):
        above = above * t + np.where(is_small, _ABOVE[12 - k], _ABOVE[k])
        below = below * t + np.where(is_small, _BELOW[12 - k], _BELOW[k])
    return above / below


def _sine_of_pi(size):
    """sin(pi size) of size >= 0, by the nearest half."""
    y = np.fmod(size, 2.0)
    half = np.rint(2 * y)
    rest = math.pi * (y - 0.5 * half)
    value = np.where((half == 1) | (half == 3), np.cos(rest), np.sin(rest))
    return np.where((half == 2) | (half == 3), -value, value)


@_SPECIAL
def gammaln(x):
    y = x.astype(np.float64)
    size = np.abs(y)
    value = np.log(_lanczos(size)) - _SHIFT + (size - 0.5) * (np.log(size + _SHIFT - 0.5) - 1)
    value = np.where((y == 1) | (y == 2), 0, np.where(size < 1e-20, -np.log(size), value))
    value = np.where(size > 1e300, np.inf, value)
    mirrored = math.log(math.pi) - np.log(np.abs(_sine_of_pi(size)) * size) - value
    value = np.where((y <= 0) & (y == np.floor(y)), np.inf, np.where(y < 0, mirrored, value))
    return np.where(y == -np.inf, y, value)


@_SPECIAL
def gamma(x):
    y = x.astype(np.float64)
    size = np.abs(y)
    shifted = size + _SHIFT - 0.5
    lost = np.where(size > _SHIFT - 0.5, (shifted - size) - (_SHIFT - 0.5), (shifted - (_SHIFT - 0.5)) - size) * _SHIFT / shifted
    quotient = _lanczos(size)
    root = np.power(shifted, size / 2 - 0.25)
    above = quotient / np.exp(shifted)
    above = (above + lost * above) * root * root
    below = -math.pi / _sine_of_pi(size) / size * np.exp(shifted) / quotient
    below = (below - lost * below) / root / root
    value = np.where(y < 0, below, above)
    value = np.where(size < 1e-20, 1 / y, np.where(size > 200, np.where(y > 0, np.inf, 0.0), value))
    return np.where((y < 0) & ((y == np.floor(y)) | np.isinf(y)), np.nan, value)


@_SPECIAL
def betaln(a, b):
    return gammaln(a) + gammaln(b) - gammaln(a + b)


@_SPECIAL
def beta(a, b):
    return np.where(np.abs(a) + np.abs(b) < 100, gamma(a) * gamma(b) / gamma(a + b), np.exp(betaln(a, b)))


@_SPECIAL
def binom(x, y):
    """As a product of few factors where y, or what is missing to x, is a small integer."""
    n, k = x.astype(np.float64), y.astype(np.float64)
    k = np.where((n == np.floor(n)) & (n > 0) & (k == np.floor(k)) & (k > n / 2), n - k, k)
    product = np.ones_like(n + k)
    for i in range(1, 20):
        product = product * np.where(i <= k, (n - k + i) / i, 1)
    general = np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))
    return np.where((k == np.floor(k)) & (k < 20), np.where(k < 0, 0, product), general)


def _check_not_exact(exact, name):
    if exact:
        raise NotImplementedError(f"scipy.special.{name} with exact=True cannot be compiled")


@_SPECIAL
def comb(N, k, *, exact=False, repetition=False):
    _check_not_exact(exact, "comb")
    n, k = np.asarray(N).astype(np.float64), np.asarray(k).astype(np.float64)
    if repetition:
        n = n + k - 1
    return np.where((k <= n) & (n >= 0) & (k >= 0), binom(n, k), 0.0)[()]


@_SPECIAL
def factorial(n, exact=False, extend="zero"):
    _check_not_exact(exact, "factorial")
    n = np.asarray(n)
    return np.where(n < 0, 0.0, gamma(n.astype(np.float64) + 1))[()]


@_SPECIAL
def psi(x):
    """The derivative of the logarithm of the gamma function: its asymptotic series, above 10."""
    y = x.astype(np.float64)
    at = np.where(y <= 0, 1 - y, y)
    total = np.zeros_like(at)
    for _ in range(10):
        is_small = at < 10
        total = total - np.where(is_small, 1 / at, 0)
        at = np.where(is_small, at + 1, at)
    t = 1 / (at * at)
    series = _horner(t, (1 / 12, -691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12)) * t
    value = total + np.log(at) - 0.5 / at - series
    angle = math.pi * np.fmod(y, 1.0)
    mirrored = value - math.pi / np.tan(angle)
    pole = np.where(y == 0, np.copysign(np.inf, -y), np.nan)
    return np.where((y <= 0) & (y == np.floor(y)), pole, np.where(y <= 0, mirrored, value))


digamma = psi


@_SPECIAL
def i0(x):
    return np.i0(x)


def _as_floats(a):
    a = np.asarray(a)
    return a if a.dtype.kind == "f" or a.dtype.kind == "c" else a.astype(np.float64)


@_SPECIAL
def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    if return_sign:
        raise NotImplementedError("scipy.special.logsumexp with return_sign cannot be compiled")
    a = _as_floats(a)
    if b is not None:
        a = np.where(b == 0, -np.inf, a)
    most = np.max(a, axis=axis, keepdims=True)
    most = np.where(np.isfinite(most), most, 0)
    terms = np.exp(a - most)
    if b is not None:
        terms = b * terms
    total = np.log(np.sum(terms, axis=axis, keepdims=keepdims))
    return total + (most if keepdims else np.squeeze(most, tuple(range(a.ndim)) if axis is None else axis))


@_SPECIAL
def softmax(x, axis=None):
    x = _as_floats(x)
    terms = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return terms / np.sum(terms, axis=axis, keepdims=True)


@_SPECIAL
def log_softmax(x, axis=None):
    x = _as_floats(x)
    most = np.max(x, axis=axis, keepdims=True)
    shifted = x - np.where(np.isfinite(most), most, 0)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))
