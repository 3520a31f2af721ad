"""numpy.polynomial: series in two and three variables: their values at points and on grids, and the matrices of their terms."""
import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from . import implements
from .series import chebval, chebvander, hermeval, hermval, lagval, legval, legvander, polyval, polyvander
from .series_fitting import hermevander, hermvander, lagvander


def _check_shapes(*variables):
    """The arrays, which have one shape."""
    arrays = [np.asarray(x) for x in variables]
    for x in arrays[1:]:
        if x.shape != arrays[0].shape:
            raise ValueError("x, y, z are incompatible" if len(arrays) == 3 else "x, y are incompatible")
    return arrays


def _value_2d(value, x, y, c):
    x, y = _check_shapes(x, y)
    return value(y, value(x, c), False)


def _value_3d(value, x, y, z, c):
    x, y, z = _check_shapes(x, y, z)
    return value(z, value(y, value(x, c), False), False)


def _terms_2d(terms, x, y, deg):
    x, y = _check_shapes(x, y)
    v = terms(x, deg[0])[..., :, None] * terms(y, deg[1])[..., None, :]
    return v.reshape(v.shape[:-2] + (-1,))


def _terms_3d(terms, x, y, z, deg):
    x, y, z = _check_shapes(x, y, z)
    v = terms(x, deg[0])[..., :, None, None] * terms(y, deg[1])[..., None, :, None] * terms(z, deg[2])[..., None, None, :]
    return v.reshape(v.shape[:-3] + (-1,))


@implements(polynomial.polyval2d)
def polyval2d(x, y, c):
    return _value_2d(polyval, x, y, c)


@implements(polynomial.polyval3d)
def polyval3d(x, y, z, c):
    return _value_3d(polyval, x, y, z, c)


@implements(polynomial.polygrid2d)
def polygrid2d(x, y, c):
    return polyval(y, polyval(x, c))


@implements(polynomial.polygrid3d)
def polygrid3d(x, y, z, c):
    return polyval(z, polyval(y, polyval(x, c)))


@implements(chebyshev.chebval2d)
def chebval2d(x, y, c):
    return _value_2d(chebval, x, y, c)


@implements(chebyshev.chebval3d)
def chebval3d(x, y, z, c):
    return _value_3d(chebval, x, y, z, c)


@implements(chebyshev.chebgrid2d)
def chebgrid2d(x, y, c):
    return chebval(y, chebval(x, c))


@implements(chebyshev.chebgrid3d)
def chebgrid3d(x, y, z, c):
    return chebval(z, chebval(y, chebval(x, c)))


@implements(legendre.legval2d)
def legval2d(x, y, c):
    return _value_2d(legval, x, y, c)


@implements(legendre.legval3d)
def legval3d(x, y, z, c):
    return _value_3d(legval, x, y, z, c)


@implements(legendre.leggrid2d)
def leggrid2d(x, y, c):
    return legval(y, legval(x, c))


@implements(legendre.leggrid3d)
def leggrid3d(x, y, z, c):
    return legval(z, legval(y, legval(x, c)))


@implements(hermite.hermval2d)
def hermval2d(x, y, c):
    return _value_2d(hermval, x, y, c)


@implements(hermite.hermval3d)
def hermval3d(x, y, z, c):
    return _value_3d(hermval, x, y, z, c)


@implements(hermite.hermgrid2d)
def hermgrid2d(x, y, c):
    return hermval(y, hermval(x, c))


@implements(hermite.hermgrid3d)
def hermgrid3d(x, y, z, c):
    return hermval(z, hermval(y, hermval(x, c)))


@implements(hermite_e.hermeval2d)
def hermeval2d(x, y, c):
    return _value_2d(hermeval, x, y, c)


@implements(hermite_e.hermeval3d)
def hermeval3d(x, y, z, c):
    return _value_3d(hermeval, x, y, z, c)


@implements(hermite_e.hermegrid2d)
def hermegrid2d(x, y, c):
    return hermeval(y, hermeval(x, c))


@implements(hermite_e.hermegrid3d)
def hermegrid3d(x, y, z, c):
    return hermeval(z, hermeval(y, hermeval(x, c)))


@implements(laguerre.lagval2d)
def lagval2d(x, y, c):
    return _value_2d(lagval, x, y, c)


@implements(laguerre.lagval3d)
def lagval3d(x, y, z, c):
    return _value_3d(lagval, x, y, z, c)


@implements(laguerre.laggrid2d)
def laggrid2d(x, y, c):
    return lagval(y, lagval(x, c))


@implements(laguerre.laggrid3d)
def laggrid3d(x, y, z, c):
    return lagval(z, lagval(y, lagval(x, c)))


@implements(polynomial.polyvander2d)
def polyvander2d(x, y, deg):
    return _terms_2d(polyvander, x, y, deg)


@implements(polynomial.polyvander3d)
def polyvander3d(x, y, z, deg):
    return _terms_3d(polyvander, x, y, z, deg)


@implements(chebyshev.chebvander2d)
def chebvander2d(x, y, deg):
    return _terms_2d(chebvander, x, y, deg)


@implements(chebyshev.chebvander3d)
def chebvander3d(x, y, z, deg):
    return _terms_3d(chebvander, x, y, z, deg)


@implements(legendre.legvander2d)
def legvander2d(x, y, deg):
    return _terms_2d(legvander, x, y, deg)


@implements(legendre.legvander3d)
def legvander3d(x, y, z, deg):
    return _terms_3d(legvander, x, y, z, deg)


@implements(hermite.hermvander2d)
def hermvander2d(x, y, deg):
    return _terms_2d(hermvander, x, y, deg)


@implements(hermite.hermvander3d)
def hermvander3d(x, y, z, deg):
    return _terms_3d(hermvander, x, y, z, deg)


@implements(hermite_e.hermevander2d)
def hermevander2d(x, y, deg):
    return _terms_2d(hermevander, x, y, deg)


@implements(hermite_e.hermevander3d)
def hermevander3d(x, y, z, deg):
    return _terms_3d(hermevander, x, y, z, deg)


@implements(laguerre.lagvander2d)
def lagvander2d(x, y, deg):
    return _terms_2d(lagvander, x, y, deg)


@implements(laguerre.lagvander3d)
def lagvander3d(x, y, z, deg):
    return _terms_3d(lagvander, x, y, z, deg)
