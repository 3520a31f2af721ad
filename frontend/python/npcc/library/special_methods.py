"""The special methods of arrays, where a program calls them by their names: `a.__add__(b)` is `a + b`."""

import operator

import numpy as np

from . import implements_method


@implements_method
def __add__(a, other):
    return a + other


@implements_method
def __radd__(a, other):
    return other + a


@implements_method
def __iadd__(a, other):
    a += other
    return a


@implements_method
def __sub__(a, other):
    return a - other


@implements_method
def __rsub__(a, other):
    return other - a


@implements_method
def __isub__(a, other):
    a -= other
    return a


@implements_method
def __mul__(a, other):
    return a * other


@implements_method
def __rmul__(a, other):
    return other * a


@implements_method
def __imul__(a, other):
    a *= other
    return a


@implements_method
def __truediv__(a, other):
    return a / other


@implements_method
def __rtruediv__(a, other):
    return other / a


@implements_method
def __itruediv__(a, other):
    a /= other
    return a


@implements_method
def __floordiv__(a, other):
    return a // other


@implements_method
def __rfloordiv__(a, other):
    return other // a


@implements_method
def __ifloordiv__(a, other):
    a //= other
    return a


@implements_method
def __mod__(a, other):
    return a % other


@implements_method
def __rmod__(a, other):
    return other % a


@implements_method
def __imod__(a, other):
    a %= other
    return a


@implements_method
def __pow__(a, other):
    return a ** other


@implements_method
def __rpow__(a, other):
    return other ** a


@implements_method
def __ipow__(a, other):
    a **= other
    return a


@implements_method
def __matmul__(a, other):
    return a @ other


@implements_method
def __rmatmul__(a, other):
    return other @ a


@implements_method
def __imatmul__(a, other):
    a @= other
    return a


@implements_method
def __and__(a, other):
    return a & other


@implements_method
def __rand__(a, other):
    return other & a


@implements_method
def __iand__(a, other):
    a &= other
    return a


@implements_method
def __or__(a, other):
    return a | other


@implements_method
def __ror__(a, other):
    return other | a


@implements_method
def __ior__(a, other):
    a |= other
    return a


@implements_method
def __xor__(a, other):
    return a ^ other


@implements_method
def __rxor__(a, other):
    return other ^ a


@implements_method
def __ixor__(a, other):
    a ^= other
    return a


@implements_method
def __lshift__(a, other):
    return a << other


@implements_method
def __rlshift__(a, other):
    return other << a


@implements_method
def __ilshift__(a, other):
    a <<= other
    return a


@implements_method
def __rshift__(a, other):
    return a >> other


@implements_method
def __rrshift__(a, other):
    return other >> a


@implements_method
def __irshift__(a, other):
    a >>= other
    return a


@implements_method
def __lt__(a, other):
    return a < other


@implements_method
def __le__(a, other):
    return a <= other


@implements_method
def __gt__(a, other):
    return a > other


@implements_method
def __ge__(a, other):
    return a >= other


@implements_method
def __eq__(a, other):
    return a == other


@implements_method
def __ne__(a, other):
    return a != other


@implements_method
def __neg__(a):
    return -a


@implements_method
def __pos__(a):
    return +a


@implements_method
def __invert__(a):
    return ~a


@implements_method
def __abs__(a):
    return abs(a)


@implements_method
def __divmod__(a, other):
    return divmod(a, other)


@implements_method
def __rdivmod__(a, other):
    return divmod(other, a)


@implements_method
def __len__(a):
    return len(a)


@implements_method
def __contains__(a, value):
    return value in a


@implements_method
def __getitem__(a, key):
    return a[key]


@implements_method
def __setitem__(a, key, value):
    a[key] = value


@implements_method
def __copy__(a):
    return a.copy()


@implements_method
def __deepcopy__(a, memo):
    return a.copy()


@implements_method
def __bool__(a):
    return bool(a)


@implements_method
def __int__(a):
    return int(a)


@implements_method
def __float__(a):
    return float(a)


@implements_method
def __complex__(a):
    return complex(a)


@implements_method
def __index__(a):
    if a.ndim > 0 or a.dtype.kind not in "iu":
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    return operator.index(a[()])


@implements_method
def __iter__(a):
    if a.ndim == 0:
        raise TypeError("iteration over a 0-d array")
    return iter(a)


@implements_method
def __delitem__(a, key):
    raise ValueError("cannot delete array elements")


@implements_method
def __array__(a, dtype=None, *, copy=None):
    if copy is None:
        return np.asarray(a, dtype)
    return np.array(a, dtype, copy=copy)


@implements_method
def __str__(a):
    return str(a)


@implements_method
def __repr__(a):
    return repr(a)


@implements_method
def __format__(a, format_spec):
    return format(a, format_spec)


@implements_method
def __hash__(a):
    raise TypeError("'NoneType' object is not callable")
