"""pycuda.cumath: functions of the elements of arrays on the GPU."""
import numpy as np

from .gpuarray import _compiled, _store

_NAMES = dict(ceil="ceil", floor="floor", fabs="abs", exp="exp", log="log", log10="log10", sqrt="sqrt", sin="sin", cos="cos", tan="tan", asin="arcsin",
              acos="arccos", atan="arctan", sinh="sinh", cosh="cosh", tanh="tanh")


def _make(name, numpys):
    ufunc = getattr(np, numpys)

    def function(a):
        return ufunc(a)

    function.__name__ = name
    compiled = _compiled(function)

    def call(array, out=None, stream=None):
        result = compiled(array)
        if out is None:
            return result
        _store(out, result)
        return out

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"numpy.{numpys} of an array on the GPU; `out`: an array that is filled."
    return call


for _name, _numpys in _NAMES.items():
    globals()[_name] = _make(_name, _numpys)

__all__ = list(_NAMES)
