"""numpy.polynomial: products, quotients and powers of series, and what one series is as another.

Each kind of series is a recurrence, by which x times a series is one again. So a product is Clenshaw's recurrence of one factor, whose sums are series: `step`
gives the sums with the coefficient of an order from those before, `last` the series of both. Series have as many places as the result needs; those of the
highest orders are zero until then."""
import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from . import implements
from .series import as_series, polymul, trimmed
from .signals import convolve

MOST_OF_A_POWER = 16  # what NumPy lets be the exponent of a series that is no polynomial

#---- x times a series of n places, whose last one is 0 ----


def _longer(c):
    wide = np.zeros(c.shape[0] + 1, c.dtype)
    wide[:c.shape[0]] = c
    return wide


def power_by_x(c):
    product = np.zeros_like(c)
    product[1:] = c[:-1]
    return product


def chebyshev_by_x(c):
    product = np.zeros_like(c)
    product[1:2] = c[:1]
    product[2:] = c[1:-1] / 2
    product[:-1] += c[1:] / 2
    return product


def legendre_by_x(c):
    product = np.zeros_like(c)
    order = np.arange(c.shape[0])
    product[1:] = c[:-1] * order[1:] / (2 * order[1:] - 1)
    product[:-1] += c[1:] * order[1:] / (2 * order[1:] + 1)
    return product


def hermite_by_x(c):
    product = np.zeros_like(c)
    product[1:] = c[:-1] / 2
    product[:-1] += c[1:] * np.arange(1, c.shape[0])
    return product


def hermite_e_by_x(c):
    product = np.zeros_like(c)
    product[1:] = c[:-1]
    product[:-1] += c[1:] * np.arange(1, c.shape[0])
    return product


def laguerre_by_x(c):
    order = np.arange(c.shape[0])
    product = c * (2 * order + 1)
    product[1:] -= c[:-1] * order[1:]
    product[:-1] -= c[1:] * order[1:]
    return product


@implements(chebyshev.chebmulx)
def chebmulx(c):
    return chebyshev_by_x(_longer(as_series(c)))


@implements(legendre.legmulx)
def legmulx(c):
    return legendre_by_x(_longer(as_series(c)))


@implements(hermite.hermmulx)
def hermmulx(c):
    return hermite_by_x(_longer(as_series(c)))


@implements(hermite_e.hermemulx)
def hermemulx(c):
    return hermite_e_by_x(_longer(as_series(c)))


@implements(laguerre.lagmulx)
def lagmulx(c):
    return laguerre_by_x(_longer(as_series(c)))


#---- Clenshaw's recurrences: `by_x` multiplies a series by x ----


def power_step(one, order, low, high, by_x):
    return one, low + by_x(high)


def chebyshev_step(one, order, low, high, by_x):
    return one - high, low + by_x(high) * 2


def plain_last(low, high, by_x):
    return low + by_x(high)


def legendre_step(one, order, low, high, by_x):
    return one - (high * (order - 1)) / order, low + (by_x(high) * (2 * order - 1)) / order


def hermite_step(one, order, low, high, by_x):
    return one - high * (2 * (order - 1)), low + by_x(high) * 2


def hermite_last(low, high, by_x):
    return low + by_x(high) * 2


def hermite_e_step(one, order, low, high, by_x):
    return one - high * (order - 1), low + by_x(high)


def laguerre_step(one, order, low, high, by_x):
    return one - (high * (order - 1)) / order, low + ((2 * order - 1) * high - by_x(high)) / order


def laguerre_last(low, high, by_x):
    return low + (high - by_x(high))


def composed(c, unit, step, last, by_x):
    """The series of the coefficients c, of x as `by_x` has it; `unit` is the series of 1, with a place for each order of the result."""
    n = c.shape[0]
    if n == 1:
        return c[0] * unit
    low, high = c[n - 2] * unit, c[n - 1] * unit
    for k in range(3, n + 1):
        low, high = step(c[n - k] * unit, n - k + 2, low, high, by_x)
    return last(low, high, by_x)


def _product(c1, c2, step, last, by_x):
    first, second = as_series(c1), as_series(c2)
    dtype = np.result_type(first, second)
    count = first.shape[0] + second.shape[0] - 1
    if first.shape[0] > second.shape[0]:
        c, other = second.astype(dtype), first.astype(dtype)
    else:
        c, other = first.astype(dtype), second.astype(dtype)
    if c.shape[0] == 1:
        return trimmed(_widened(c[0] * other))
    unit = np.zeros(count, dtype)
    unit[:other.shape[0]] = other
    return trimmed(composed(c, unit, step, last, by_x))


def _widened(c):
    """In double precision: what NumPy's functions add to a float64 of their own."""
    return c.astype(np.result_type(c.dtype, np.float64))


def _mirrored(c):
    """Coefficients of z^k and z^-k, of which cosines are made."""
    n = c.shape[0]
    z = np.zeros(2 * n - 1, c.dtype)
    z[n - 1:] = c / 2
    return z + z[::-1]


def _halved(z):
    c = z[z.shape[0] // 2:].copy()
    c[1:] *= 2
    return c


@implements(chebyshev.chebmul)
def chebmul(c1, c2):
    return trimmed(_halved(convolve(_mirrored(as_series(c1)), _mirrored(as_series(c2)))))


@implements(legendre.legmul)
def legmul(c1, c2):
    return _product(c1, c2, legendre_step, plain_last, legendre_by_x)


@implements(hermite.hermmul)
def hermmul(c1, c2):
    return _product(c1, c2, hermite_step, hermite_last, hermite_by_x)


@implements(hermite_e.hermemul)
def hermemul(c1, c2):
    return _product(c1, c2, hermite_e_step, plain_last, hermite_e_by_x)


@implements(laguerre.lagmul)
def lagmul(c1, c2):
    return _product(c1, c2, laguerre_step, laguerre_last, laguerre_by_x)


#---- Other bases: a series of x times x, in one basis, by the recurrence of the other ----


def _from_powers(pol, by_x):
    pol = _widened(as_series(pol))
    n = pol.shape[0]
    total = np.zeros_like(pol)
    for k in range(n - 1, -1, -1):
        total = by_x(total)
        total[0] += pol[k]
    return trimmed(total)


def _to_powers(c, step, last):
    c = as_series(c)
    unit = np.zeros_like(c)
    unit[0] = 1
    return trimmed(composed(c, unit, step, last, power_by_x))


@implements(chebyshev.poly2cheb)
def poly2cheb(pol):
    return _from_powers(pol, chebyshev_by_x)


@implements(legendre.poly2leg)
def poly2leg(pol):
    return _from_powers(pol, legendre_by_x)


@implements(hermite.poly2herm)
def poly2herm(pol):
    return _from_powers(pol, hermite_by_x)


@implements(hermite_e.poly2herme)
def poly2herme(pol):
    return _from_powers(pol, hermite_e_by_x)


@implements(laguerre.poly2lag)
def poly2lag(pol):
    return _from_powers(pol, laguerre_by_x)


@implements(chebyshev.cheb2poly)
def cheb2poly(c):
    return _to_powers(c, chebyshev_step, plain_last)


@implements(legendre.leg2poly)
def leg2poly(c):
    return _to_powers(c, legendre_step, plain_last)


@implements(hermite.herm2poly)
def herm2poly(c):
    return _to_powers(c, hermite_step, hermite_last)


@implements(hermite_e.herme2poly)
def herme2poly(c):
    return _to_powers(c, hermite_e_step, plain_last)


@implements(laguerre.lag2poly)
def lag2poly(c):
    return _to_powers(c, laguerre_step, laguerre_last)


#---- Quotients ----


def _quotient(c1, c2, product):
    """Long division: each step takes the highest order away, by a multiple of the divisor and the series of that order alone."""
    first, second = _division(c1, c2)
    n, m = first.shape[0], second.shape[0]
    if n < m:
        return first[:1] * 0, first
    if m == 1:
        return first / second[0], first[:1] * 0
    quotient = np.zeros(n - m + 1, first.dtype)
    rest = _widened(first)
    for k in range(n - m, -1, -1):
        unit = np.zeros(k + 1)
        unit[k] = 1
        p = product(unit, second)
        factor = rest[k + m - 1] / p[k + m - 1]
        rest[:k + m - 1] -= factor * p[:k + m - 1]
        quotient[k] = factor
    return quotient, trimmed(rest[:m - 1])


def _division(c1, c2):
    first, second = as_series(c1), as_series(c2)
    if second[-1] == 0:
        raise ZeroDivisionError
    dtype = np.result_type(first, second)
    return first.astype(dtype), second.astype(dtype)


@implements(polynomial.polydiv)
def polydiv(c1, c2):
    first, second = _division(c1, c2)
    n, m = first.shape[0], second.shape[0]
    if n < m:
        return first[:1] * 0, first
    if m == 1:
        return first / second[0], first[:1] * 0
    scale = second[m - 1]
    lower = second[:m - 1] / scale
    rest = first.copy()
    for k in range(n - m, -1, -1):
        rest[k:k + m - 1] -= lower * rest[k + m - 1]
    return rest[m - 1:] / scale, trimmed(rest[:m - 1])


@implements(chebyshev.chebdiv)
def chebdiv(c1, c2):
    first, second = _division(c1, c2)
    if first.shape[0] < second.shape[0]:
        return first[:1] * 0, first
    if second.shape[0] == 1:
        return first / second[0], first[:1] * 0
    rest = _mirrored(first)
    divisor = _mirrored(second)
    count = divisor.shape[0]
    last = rest.shape[0] - count  # the highest power of the quotient, which is as symmetric as the others
    scale = divisor[0]
    divisor = divisor / scale
    quotient = np.zeros(last + 1, rest.dtype)
    for k in range(last // 2):
        factor = rest[k]
        quotient[k] = factor
        quotient[last - k] = factor
        rest[k:k + count] -= factor * divisor
        rest[last - k:last - k + count] -= factor * divisor
    middle = last // 2
    factor = rest[middle]
    quotient[middle] = factor
    rest[middle:middle + count] -= factor * divisor
    return trimmed(_halved(quotient / scale)), trimmed(_halved(rest[middle + 1:middle - 1 + count]))


@implements(legendre.legdiv)
def legdiv(c1, c2):
    return _quotient(c1, c2, legmul)


@implements(hermite.hermdiv)
def hermdiv(c1, c2):
    return _quotient(c1, c2, hermmul)


@implements(hermite_e.hermediv)
def hermediv(c1, c2):
    return _quotient(c1, c2, hermemul)


@implements(laguerre.lagdiv)
def lagdiv(c1, c2):
    return _quotient(c1, c2, lagmul)


#---- Powers ----


def power_of(c, exponent, most, product):
    c = as_series(c)
    power = int(exponent)
    if power != exponent or power < 0:
        raise ValueError("Power must be a non-negative integer.")
    if most is not None and power > most:
        raise ValueError("Power is too large")
    if power == 0:
        return np.ones(1, c.dtype)
    total = c
    for _ in range(power - 1):
        total = product(total, c)
    return total


@implements(polynomial.polypow)
def polypow(c, pow, maxpower=None):
    return power_of(c, pow, maxpower, polymul)


@implements(chebyshev.chebpow)
def chebpow(c, pow, maxpower=MOST_OF_A_POWER):
    return power_of(c, pow, maxpower, chebmul)


@implements(legendre.legpow)
def legpow(c, pow, maxpower=MOST_OF_A_POWER):
    return power_of(c, pow, maxpower, legmul)


@implements(hermite.hermpow)
def hermpow(c, pow, maxpower=MOST_OF_A_POWER):
    return power_of(c, pow, maxpower, hermmul)


@implements(hermite_e.hermepow)
def hermepow(c, pow, maxpower=MOST_OF_A_POWER):
    return power_of(c, pow, maxpower, hermemul)


@implements(laguerre.lagpow)
def lagpow(c, pow, maxpower=MOST_OF_A_POWER):
    return power_of(c, pow, maxpower, lagmul)
