"""Windows of spectral analysis, and the Bessel function that one of them needs."""

import numpy as np

from . import implements

# The Chebyshev expansions of exp(-x) I0(x) over [0, 8] in x / 2 - 2, and of exp(-x) sqrt(x) I0(x) beyond in 32 / x - 2, the
# coefficients of the highest orders first.
_NEAR = (
    -4.4153416464793395e-18, 3.3307945188222384e-17, -2.431279846547955e-16, 1.715391285555133e-15, -1.1685332877993451e-14, 7.676185498604936e-14,
    -4.856446783111929e-13, 2.95505266312964e-12, -1.726826291441556e-11, 9.675809035373237e-11, -5.189795601635263e-10, 2.6598237246823866e-09,
    -1.300025009986248e-08, 6.046995022541919e-08, -2.670793853940612e-07, 1.1173875391201037e-06, -4.4167383584587505e-06, 1.6448448070728896e-05,
    -5.754195010082104e-05, 0.00018850288509584165, -0.0005763755745385824, 0.0016394756169413357, -0.004324309995050576, 0.010546460394594998,
    -0.02373741480589947, 0.04930528423967071, -0.09490109704804764, 0.17162090152220877, -0.3046826723431984, 0.6767952744094761,
)
_FAR = (
    -7.233180487874754e-18, -4.830504485944182e-18, 4.46562142029676e-17, 3.461222867697461e-17, -2.8276239805165836e-16, -3.425485619677219e-16,
    1.7725601330565263e-15, 3.8116806693526224e-15, -9.554846698828307e-15, -4.150569347287222e-14, 1.54008621752141e-14, 3.8527783827421426e-13,
    7.180124451383666e-13, -1.7941785315068062e-12, -1.3215811840447713e-11, -3.1499165279632416e-11, 1.1889147107846439e-11, 4.94060238822497e-10,
    3.3962320257083865e-09, 2.266668990498178e-08, 2.0489185894690638e-07, 2.8913705208347567e-06, 6.889758346916825e-05, 0.0033691164782556943,
    0.8044904110141088,
)


def _chebyshev(x, coefficients):
    """The sum of coefficients and Chebyshev polynomials of x / 2, by Clenshaw's recurrence."""
    before = np.zeros_like(x)
    last = np.zeros_like(x)
    total = np.zeros_like(x)
    for coefficient in coefficients:
        before = last
        last = total
        total = x * last - before + coefficient
    return 0.5 * (total - before)


@implements(np.i0)
def i0(x):
    x = np.asarray(x)
    if x.dtype.kind == "c":
        raise TypeError("i0 not supported for complex values")
    if x.dtype.kind != "f":
        x = x.astype(np.float64)
    x = np.abs(x)
    near = np.exp(x) * _chebyshev(x / 2.0 - 2, _NEAR)
    divisor = np.where(x > 8, x, 8).astype(x.dtype)  # where the other expansion holds, anything
    far = np.exp(x) * _chebyshev(32.0 / divisor - 2.0, _FAR) / np.sqrt(divisor)
    return np.where(x <= 8, near, far)


def _places(M):
    """From -(M - 1) to M - 1 in steps of 2, and their distance, which of one point is none."""
    M = np.float64(M)
    return np.arange(1 - M, M, 2), np.maximum(M - 1, 1)


@implements(np.bartlett)
def bartlett(M):
    n, width = _places(M)
    return np.where(n <= 0, 1 + n / width, 1 - n / width)


@implements(np.blackman)
def blackman(M):
    n, width = _places(M)
    return 0.42 + 0.5 * np.cos(np.pi * n / width) + 0.08 * np.cos(2.0 * np.pi * n / width)


@implements(np.hamming)
def hamming(M):
    n, width = _places(M)
    return 0.54 + 0.46 * np.cos(np.pi * n / width)


@implements(np.hanning)
def hanning(M):
    n, width = _places(M)
    return 0.5 + 0.5 * np.cos(np.pi * n / width)


@implements(np.kaiser)
def kaiser(M, beta):
    M = np.float64(M)
    beta = np.float64(beta)
    n = np.arange(0, M)
    if M == 1:
        return np.ones_like(n)
    alpha = (M - 1) / 2.0
    return i0(beta * np.sqrt(1 - ((n - alpha) / alpha) ** 2.0)) / i0(beta)
