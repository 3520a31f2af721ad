"""PTX of a function without a launch, by Numba's names."""
from ..types import void
from . import signatures
from .kernel import Kernel


def compile(pyfunc, sig, debug=False, lineinfo=False, device=False, fastmath=False, cc=None, opt=True, abi="c", abi_info=None, output="ptx"):
    """The PTX of a kernel for types of its arguments, and the type of its result: always void.

    sig: as declared types of a kernel ("void(float32[:], int32)", or a tuple of types). cc: the compute capability, (9, 0) or "9.0"; by default that of this machine's GPU, or the
    compiler's own default. TypeError for a declared result, NotImplementedError for device functions, which are compiled into kernels only.
    """
    returned, types = signatures.split(sig)
    if device:
        raise NotImplementedError("the PTX of a device function alone: functions are compiled with the kernels that call them")
    if returned is not None:
        raise TypeError("CUDA kernel must have void return type.")
    if output != "ptx":
        raise NotImplementedError(f"Unsupported output type: {output}")
    arch = None if cc is None else "compute_" + "".join(map(str, cc if isinstance(cc, tuple) else str(cc).split(".")))
    kernel = Kernel(pyfunc, debug=debug, fastmath=fastmath, target="cuda", arch=arch)
    return kernel.inspect("ptx", types), void


def compile_ptx(pyfunc, sig, debug=False, lineinfo=False, device=False, fastmath=False, cc=None, opt=True, abi="numba", abi_info=None):
    """As compile()."""
    return compile(pyfunc, sig, debug, lineinfo, device, fastmath, cc, opt)


def compile_for_current_device(pyfunc, sig, **options):
    """As compile(), for this thread's GPU."""
    from .. import cuda
    return compile(pyfunc, sig, cc=cuda.get_current_device().compute_capability, **options)


compile_ptx_for_current_device = compile_for_current_device

__all__ = ["compile", "compile_ptx", "compile_for_current_device", "compile_ptx_for_current_device"]
