"""What the library's functions ask of the runtime: in compiled code `routine` is a call of it, here NumPy does the same."""

import numpy as np


def writable_diagonal(a, axis1, axis2):
    """numpy.diagonal as numpy.einsum gives it: a view that may be stored into."""
    diagonal = np.diagonal(a, 0, axis1, axis2)
    if a.flags.writeable:
        diagonal.flags.writeable = True
    return diagonal


def is_known(value):
    """Whether compiled code knows a value when it is made; Python itself knows them all."""
    return True


def mantissa_of(x):
    return np.frexp(x)[0]


def exponent_of(x):
    """Of the type of `x`."""
    return np.frexp(x)[1].astype(x.dtype)


def stretched(array, shape):
    """numpy.broadcast_to as numpy.broadcast_arrays gives it: a view that may be stored into."""
    return np.broadcast_arrays(array, np.empty(shape))[0]


def routine(name, *arrays):
    """Runs a routine of linear algebra (runtime/LinearAlgebra.h) in place on stacks of column-major matrices; the number, from 1, of the first one
    that has no result, or 0."""
    for k in range(arrays[0].shape[0]):
        try:
            _run(name, *(a[k].T for a in arrays))
        except np.linalg.LinAlgError:
            return k + 1
    return 0


def _run(name, a, b=None):
    if name == "cholesky":
        a[...] = np.linalg.cholesky(a)
    elif name == "lu":
        # The factors themselves are LAPACK's: what is read of them is the determinant.
        sign, logarithm = np.linalg.slogdet(a)
        a[...] = 0
        a.flat[:: a.shape[0] + 1] = 1
        if a.shape[0]:
            a[0, 0] = np.exp(logarithm)
        b[...] = sign
    elif name == "solve":
        b[...] = np.linalg.solve(a, b)
    elif name == "eigvalsh":
        b[...] = np.linalg.eigvalsh(a)
    else:
        b[...], a[...] = np.linalg.eigh(a)
