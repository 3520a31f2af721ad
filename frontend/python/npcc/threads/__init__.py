"""Thread-level kernels: Python functions that every thread of a grid runs, by the names that Numba has for them (npcc.cuda.jit)."""
from .kernel import Kernel, jit
from .names import *
from .names import __all__ as _names

__all__ = ["Kernel", "jit", *_names]
