"""npcc: NumPy-style Python, compiled to CPUs and GPUs.

    import npcc

    @npcc.jit
    def step(u, v): ...
"""
import os as _os
import sys as _sys

# Of LLVM's and MLIR's functions most are never called: the linker looks for each at its first call. All of them at once take a third of this import.
_flags = _sys.getdlopenflags()
_sys.setdlopenflags(_flags & ~_os.RTLD_NOW | _os.RTLD_LAZY)
from . import _npcc  # noqa: E402

_sys.setdlopenflags(_flags)
from .errors import CompileError
from .host_arrays import overlap, pinned
from .jit import jit
from .mixed_precision import GradScaler, autocast
from .ndarray import array, asarray, asnumpy, empty, from_dlpack, full, ndarray, ones, zeros
from .profiling import profile
from .streams import stream
from .types import OTHER_NAMES as _OTHER_NAMES
from .types import scalars as _scalars
from .types import from_dtype, void

__version__ = _npcc.version
# Found when they are first asked for, as most programs have no use for them: names here, and the modules that they are in.
_LATER = {name: "kernels" for name in ("ElementwiseKernel", "In", "InOut", "Out", "RawKernel", "RawModule", "ReductionKernel", "SourceModule")}
_LATER.update(vectorize="ufuncs", guvectorize="ufuncs", **dict.fromkeys(_OTHER_NAMES, "types"))
_LATER_MODULES = ("cuda", "kernels", "random")

bool_, i8, i16, i32, i64 = (_scalars[name] for name in ("bool_", "i8", "i16", "i32", "i64"))
u8, u16, u32, u64 = (_scalars[name] for name in ("u8", "u16", "u32", "u64"))
f16, bf16, f32, f64, c64, c128 = (_scalars[name] for name in ("f16", "bf16", "f32", "f64", "c64", "c128"))
int8, int16, int32, int64, uint8, uint16, uint32, uint64 = i8, i16, i32, i64, u8, u16, u32, u64
float16, bfloat16, float32, float64, complex64, complex128 = f16, bf16, f32, f64, c64, c128


def supported():
    """What of NumPy and Python's math can be compiled: a list of dicts with `name`, `keywords` and `targets`."""
    from .targets import TARGETS
    return [dict(row, targets=list(TARGETS)) for row in _npcc.supported()]


def devices():
    """The devices that can be used: a list of dicts, the CPU first, with `device`, `name` and `memory` or `threads`."""
    gpus = [dict(device=f"cuda:{k}", **_npcc.device_info(k)) for k in range(_npcc.cuda_device_count())]
    return [dict(device="cpu", threads=_npcc.cpu_threads()), *gpus]


def counters():
    """What was done since the process began: compilations, allocations, launches, bytes copied, ..."""
    return _npcc.counters()


def __getattr__(name):
    module = _LATER.get(name, name if name in _LATER_MODULES else None)
    if module is None:
        raise AttributeError(f"module 'npcc' has no attribute {name!r}")
    import importlib
    found = importlib.import_module(f".{module}", __name__)
    return found if module == name else getattr(found, name)


def __dir__():
    return sorted({*globals(), *__all__, *_LATER_MODULES})


def synchronize(device=None):
    """Waits until all work on a device (by default on all) is done; raises what went wrong in it."""
    from .ndarray import device_number
    if device is not None:
        return _npcc.synchronize(device_number(device))
    for ordinal in range(_npcc.cuda_device_count()):
        _npcc.synchronize(ordinal)


__all__ = ["CompileError", "ElementwiseKernel", "GradScaler", "In", "InOut", "Out", "RawKernel", "RawModule", "ReductionKernel", "SourceModule", "array", "asarray",
           "asnumpy", "autocast", "counters", "devices", "empty", "from_dlpack", "from_dtype", "full", "guvectorize", "jit", "ndarray", "ones", "overlap", "pinned", "profile", "stream", "supported", "synchronize",
           "vectorize", "zeros",
           "void", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
           "bool_", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64", "c64", "c128"]
