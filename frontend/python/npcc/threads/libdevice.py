"""The functions of NVIDIA's libdevice for threads: `libdevice.sincos(x)`, `libdevice.fast_expf(x)`.

Each takes numbers, which become what its prototype declares (`__nv_sincos` of double; `sincosf` of float; ints are of 32 or 64 bits), and gives a NumPy scalar, or a
tuple of those where libdevice stores results through pointers. On the CPU it is computed by the host's own libm, so that the last places may differ; the names with
`fast_` are exact there. The prototypes are the rows of runtime/Libdevice.def.
"""
from .. import _npcc
from .names import ThreadName

__all__ = _npcc.libdevice_functions()
globals().update({name: ThreadName(f"libdevice.{name}") for name in __all__})
