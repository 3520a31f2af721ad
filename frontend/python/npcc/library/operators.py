"""What of the module operator is more than one operation (frontend/importer/OperatorModule.cpp has the others)."""
import operator

from . import implements
from .iteration import count_of


@implements(operator.iadd)
def iadd(a, b):
    a += b
    return a


@implements(operator.isub)
def isub(a, b):
    a -= b
    return a


@implements(operator.imul)
def imul(a, b):
    a *= b
    return a


@implements(operator.imatmul)
def imatmul(a, b):
    a @= b
    return a


@implements(operator.itruediv)
def itruediv(a, b):
    a /= b
    return a


@implements(operator.ifloordiv)
def ifloordiv(a, b):
    a //= b
    return a


@implements(operator.imod)
def imod(a, b):
    a %= b
    return a


@implements(operator.ipow)
def ipow(a, b):
    a **= b
    return a


@implements(operator.iand)
def iand(a, b):
    a &= b
    return a


@implements(operator.ior)
def ior(a, b):
    a |= b
    return a


@implements(operator.ixor)
def ixor(a, b):
    a ^= b
    return a


@implements(operator.ilshift)
def ilshift(a, b):
    a <<= b
    return a


@implements(operator.irshift)
def irshift(a, b):
    a >>= b
    return a


@implements(operator.concat)
def concat(a, b):
    return a + b


@implements(operator.iconcat)
def iconcat(a, b):
    a += b
    return a


@implements(operator.contains)
def contains(a, b):
    return b in a


@implements(operator.countOf)
def countOf(a, b):
    return count_of(a, b)


@implements(operator.indexOf)
def indexOf(a, b):
    position = 0
    for item in a:
        if item == b:
            return position
        position += 1
    raise ValueError("sequence.index(x): x not in sequence")


@implements(operator.setitem)
def setitem(a, b, c):
    a[b] = c


@implements(operator.delitem)
def delitem(a, b):
    del a[b]


@implements(operator.not_)
def not_(a):
    return not a


@implements(operator.truth)
def truth(a):
    return bool(a)


@implements(operator.is_)
def is_(a, b):
    return a is b


@implements(operator.is_not)
def is_not(a, b):
    return a is not b
