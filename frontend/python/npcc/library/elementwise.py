"""Elementwise functions that are compositions of others."""

import numpy as np

from . import implements
from .axes import stored
from .routines import check_operands, exponent_of, mantissa_of, stored_as_ufunc
from .shapes import broadcast_shapes


# What NumPy has as ufuncs gets its operands converted as the ufunc converts them, and the compiler gives the results
# the ufunc's dtypes.
@implements(np.deg2rad, np.radians)
def deg2rad(x, out=None):
    return np.multiply(x, np.pi / 180.0, out=out)


@implements(np.rad2deg, np.degrees)
def rad2deg(x, out=None):
    return np.multiply(x, 180.0 / np.pi, out=out)


def stored_results(results, out, name):
    """The results of a ufunc of several: those that the tuple `out` has an array for are stored there."""
    if out is None:
        return results
    if out is Ellipsis:  # arrays, also of numbers
        return tuple([np.asarray(result) for result in results])
    if not isinstance(out, tuple):
        raise TypeError("'out' must be a tuple of arrays")
    if len(out) != len(results):
        raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
    stored = ()
    for k in tuple(range(len(results))):
        if out[k] is None:
            stored = stored + (results[k],)
        else:
            stored = stored + (stored_as_ufunc(results[k], out[k], name),)
    return stored


@implements(np.divmod)
def divmod(x1, x2, *, out=None):
    return stored_results((np.floor_divide(x1, x2), np.remainder(x1, x2)), out, "divmod")


@implements(np.modf)
def modf(x, *, out=None):
    whole = np.trunc(x)
    return stored_results((np.copysign(np.where(np.isinf(x), 0.0, x - whole), x), whole), out, "modf")


@implements(np.frexp)
def frexp(x, *, out=None):
    return stored_results((mantissa_of(x), exponent_of(x) if out is None else exponent_of(x).astype(np.int32)), out, "frexp")


@implements(np.round, np.around)
def round(a, decimals=0, out=None):
    a = np.asarray(a)
    if isinstance(out, np.ndarray) and a.shape != out.shape:
        raise ValueError("invalid output shape")
    if a.dtype.kind == "b":
        if decimals != 0:
            raise TypeError(f"Cannot cast ufunc '{'multiply' if decimals > 0 else 'divide'}' output from dtype('float64') to dtype('bool') with casting rule 'same_kind'")
        a = a.astype(np.float16)
    if a.dtype.kind in "iu":
        if decimals < 0:  # in float64, as NumPy has it
            tens = np.divide(a, 10.0 ** -decimals, out=out)
            result = np.multiply(np.rint(tens), 10.0 ** -decimals).astype(a.dtype)
        else:
            result = np.positive(a, out=out)
    elif a.dtype.kind == "c":
        if decimals != 0:
            parts = np.empty(a.shape, a.dtype)
            parts.real = round(a.real, decimals)
            parts.imag = round(a.imag, decimals)
            result = stored(parts[()] if a.ndim == 0 else parts, out)
        else:
            result = np.rint(a, out=out)
    elif decimals == 0:
        result = np.rint(a, out=out)
    elif decimals > 0:
        scaled = np.multiply(a, 10.0 ** decimals)
        check_operands((a, scaled), scaled.dtype, out, "multiply", "same_kind")  # NumPy stores these, too
        result = np.divide(np.rint(scaled), 10.0 ** decimals, out=out)
    else:
        scaled = np.divide(a, 10.0 ** -decimals)
        check_operands((a, scaled), scaled.dtype, out, "divide", "same_kind")
        result = np.multiply(np.rint(scaled), 10.0 ** -decimals, out=out)
    return result


@implements(np.fix)
def fix(x, out=None):
    return np.trunc(x, out=out)


@implements(np.sinc)
def sinc(x):
    x = np.asarray(x)
    x = np.pi * x
    eps = np.finfo(x.dtype).eps if x.dtype.kind == "f" else 1e-20
    y = np.where(x, x, eps)
    return np.sin(y) / y


@implements(np.angle)
def angle(z, deg=False):
    z = np.asarray(z)
    if z.dtype.kind == "c":
        a = np.arctan2(z.imag, z.real)
    else:
        a = np.arctan2(0, z)
    if deg:
        a *= 180 / np.pi
    return a


@implements(np.real)
def real(val):
    return np.asarray(val).real if isinstance(val, (tuple, list)) else val.real


@implements(np.imag)
def imag(val):
    return np.asarray(val).imag if isinstance(val, (tuple, list)) else val.imag


@implements(np.select)
def select(condlist, choicelist, default=0):
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    if isinstance(condlist, np.ndarray) and isinstance(choicelist, np.ndarray):
        return _select_rows(condlist, choicelist, default if type(default) in (int, float, complex) else np.asarray(default))
    choices = ()
    for one in tuple(choicelist) + (default,):
        choices = choices + (one if type(one) in (int, float, complex) else np.asarray(one),)
    dtype = np.result_type(*choices)
    for k in tuple(range(len(condlist))):
        if np.asarray(condlist[k]).dtype.kind != "b":
            raise TypeError(f"invalid entry {k} in condlist: should be boolean ndarray")
    conditions = broadcast_shapes(*[np.shape(one) for one in condlist])
    broadcast_shapes(conditions, broadcast_shapes(*[np.shape(one) for one in choices]))  # for NumPy's words where they do not fit
    result = np.asarray(default).astype(dtype)
    for k in tuple(range(len(condlist) - 1, -1, -1)):
        choice = np.asarray(choices[k])
        if not np.can_cast(choice.dtype, dtype, "same_kind"):
            what = "array data" if choice.ndim or np.ndim(condlist[k]) else "scalar"
            raise TypeError(f"Cannot cast {what} from dtype('{choice.dtype.name}') to dtype('{dtype.name}') according to the rule 'same_kind'")
        result = np.where(condlist[k], choice.astype(dtype), result)
    return result


def _select_rows(conditions, choices, default):
    """The conditions and the choices are the rows of an array each."""
    if conditions.dtype.kind != "b":
        raise TypeError("invalid entry 0 in condlist: should be boolean ndarray")
    dtype = np.result_type(choices, default)
    shape = broadcast_shapes(conditions.shape[1:], broadcast_shapes(choices.shape[1:], np.shape(default)))
    result = np.full(shape, default, dtype)
    for k in range(conditions.shape[0] - 1, -1, -1):
        result = np.where(conditions[k], choices[k].astype(dtype), result)
    return result


def _put(result, condition, values):
    """result[condition] = values of a result without axes."""
    given = np.asarray(values, dtype=result.dtype)
    if given.ndim == 0:
        return np.where(condition, given, result).astype(result.dtype)
    if given.ndim > 1:
        raise ValueError("NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, "
                         f"input has {given.ndim} dimensions")
    n = given.shape[0]
    count = 1 if np.any(condition) else 0
    if n != 1 and n != count:
        raise ValueError(f"NumPy boolean array indexing assignment cannot assign {n} input values to the {count} output "
                         "values where the mask is true")
    if count > 0:
        result = given[0]
    return result


@implements(np.piecewise)
def piecewise(x, condlist, funclist, *args, **kw):
    x = np.asarray(x)
    if np.isscalar(condlist):
        condlist = (condlist,)
    elif x.ndim != 0 and not isinstance(condlist[0], (list, np.ndarray)):
        condlist = (condlist,)
    conditions = ()
    for condition in tuple(condlist):
        conditions = conditions + (np.asarray(condition).astype(bool),)
    if len(funclist) == len(conditions) + 1:
        other = conditions[0]
        for condition in conditions[1:]:
            other = other | condition
        conditions = conditions + (~other,)
    elif len(funclist) != len(conditions):
        raise ValueError(f"with {len(conditions)} condition(s), either {len(conditions)} or {len(conditions) + 1} functions are expected")
    result = np.zeros(x.shape, x.dtype)
    for k in tuple(range(len(conditions))):
        if callable(funclist[k]):
            result = np.where(conditions[k], funclist[k](x, *args, **kw), result).astype(x.dtype)
        elif x.ndim == 0:
            result = _put(result, conditions[k], funclist[k])
        else:
            result[conditions[k]] = funclist[k]
    return np.asarray(result)
