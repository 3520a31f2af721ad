"""Elementwise functions that are compositions of others."""

import numpy as np

from . import implements


def _inexact(x):
    """As the functions for floats take it: bools and small integers become the smallest float that holds them."""
    x = np.asarray(x)
    if x.dtype.kind in "biu":
        return x.astype(np.sqrt.resolve_dtypes((x.dtype, None))[0])
    return x


@implements(np.deg2rad, np.radians)
def deg2rad(x, out=None):
    x = _inexact(x)
    return np.multiply(x, np.pi / 180.0, out=out)


@implements(np.rad2deg, np.degrees)
def rad2deg(x, out=None):
    x = _inexact(x)
    return np.multiply(x, 180.0 / np.pi, out=out)


@implements(np.float_power)
def float_power(x1, x2, out=None):
    kind = np.float64
    if np.asarray(x1).dtype.kind == "c" or np.asarray(x2).dtype.kind == "c":
        kind = np.complex128
    return np.power(np.asarray(x1).astype(kind), np.asarray(x2).astype(kind), out=out)


@implements(np.heaviside)
def heaviside(x1, x2):
    x1 = _inexact(x1)
    x2 = _inexact(x2)
    kind = np.result_type(x1.dtype, x2.dtype)
    x1 = x1.astype(kind)
    x2 = x2.astype(kind)
    return np.where(np.isnan(x1), x1, np.where(x1 == 0, x2, (x1 > 0).astype(kind)))


@implements(np.logaddexp)
def logaddexp(x1, x2):
    difference = np.subtract(_inexact(x1), _inexact(x2))
    # Equal infinities have no difference.
    rest = np.where(difference == 0, np.log(2.0), np.log1p(np.exp(-np.abs(difference))))
    return np.where(np.equal(x1, x2), _inexact(x1) + np.log(2.0), np.maximum(_inexact(x1), _inexact(x2)) + rest).astype(difference.dtype)


@implements(np.divmod)
def divmod(x1, x2):
    return np.floor_divide(x1, x2), np.remainder(x1, x2)


@implements(np.modf)
def modf(x):
    x = _inexact(x)
    whole = np.trunc(x)
    return np.copysign(np.where(np.isinf(x), 0.0, x - whole).astype(x.dtype), x), whole


@implements(np.round, np.around)
def round(a, decimals=0, out=None):
    a = np.asarray(a)
    if a.dtype.kind == "b":
        a = a.astype(np.float16)
    if a.dtype.kind in "iu":
        if decimals < 0:
            raise NotImplementedError("numpy.round of integers to negative decimals cannot be compiled")
        result = np.positive(a, out=out)
    elif a.dtype.kind == "c":
        if decimals != 0:
            raise NotImplementedError("numpy.round of complex numbers to decimals cannot be compiled")
        result = np.rint(a, out=out)
    elif decimals == 0:
        result = np.rint(a, out=out)
    elif decimals > 0:
        result = np.divide(np.rint(np.multiply(a, 10.0 ** decimals)), 10.0 ** decimals, out=out)
    else:
        result = np.multiply(np.rint(np.divide(a, 10.0 ** -decimals)), 10.0 ** -decimals, out=out)
    return result


@implements(np.fix)
def fix(x, out=None):
    return np.trunc(x, out=out)


@implements(np.sinc)
def sinc(x):
    x = _inexact(x)
    y = x * np.pi
    # Away from 0, where the limit is 1.
    near = np.where(y == 0, 1.0, y).astype(y.dtype)
    return np.where(y == 0, 1.0, np.sin(near) / near).astype(y.dtype)


@implements(np.angle)
def angle(z, deg=False):
    z = np.asarray(z)
    if z.dtype.kind == "c":
        a = np.arctan2(z.imag, z.real)
    else:
        a = np.arctan2(np.zeros((), z.dtype), z)
    if deg:
        a = a * (180 / np.pi)
    return a


@implements(np.real)
def real(val):
    return np.asarray(val).real


@implements(np.imag)
def imag(val):
    return np.asarray(val).imag


@implements(np.polyval)
def polyval(p, x):
    x = np.asarray(x)
    if isinstance(p, (tuple, list)):
        y = np.zeros_like(x)
        for c in p:
            y = y * x + c
        return y
    p = np.asarray(p)
    y = np.zeros(x.shape, np.result_type(p.dtype, x.dtype))
    for k in range(p.shape[0]):
        y = y * x + p[k]
    return y


@implements(np.select)
def select(condlist, choicelist, default=0):
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    result = default
    for k in tuple(range(len(condlist) - 1, -1, -1)):
        result = np.where(condlist[k], choicelist[k], result)
    return result


@implements(np.piecewise)
def piecewise(x, condlist, funclist):
    x = np.asarray(x)
    result = np.zeros(x.shape, x.dtype)
    if len(funclist) == len(condlist) + 1:
        rest = funclist[len(condlist)]
        result = np.broadcast_to(np.asarray(rest(x) if callable(rest) else rest), x.shape).astype(x.dtype)
    elif len(funclist) != len(condlist):
        raise ValueError(f"with {len(condlist)} condition(s), either {len(condlist)} or {len(condlist) + 1} functions are expected")
    for k in tuple(range(len(condlist))):
        chosen = funclist[k](x) if callable(funclist[k]) else funclist[k]
        result = np.where(condlist[k], chosen, result).astype(x.dtype)
    return result
