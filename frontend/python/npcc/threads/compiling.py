"""PTX of a function without a launch, by Numba's names."""
import itertools
import linecache

import numpy as np

from ..errors import CompileError
from ..types import from_dtype, void
from . import signatures
from .kernel import Kernel
from .names import ThreadName

LTOIR = "LTO-IR is made by NVIDIA's compilers alone: npcc gives PTX, which nvJitLink and the driver link too"
GIVES = "CUDA kernel must have void return type."
_sources = itertools.count()


class Returned(ThreadName):
    """What the code of a function that is compiled alone gives its result to: the compiler tells the dtype, or converts to the one that is declared."""
    __slots__ = ("declared", "dtype")

    def __init__(self, declared):
        super().__init__("returned")
        self.declared, self.dtype = declared, None

    def note(self, dtype):
        self.dtype = dtype


def entry_name(function, abi_info):
    name = (abi_info or {}).get("abi_name", function.__name__)
    return name if name.isidentifier() else "_lambda_"


def device_kernel(function, name, abi, count, returned, **options):
    """The kernel whose code becomes that of a function which kernels call: it gives `returned` the result of `function`."""
    names = ", ".join(f"a{k}" for k in range(count))
    source = f"def {name}({names}):\n    returned(function({names}))\n"
    file = f"<function {next(_sources)} of {function.__qualname__}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope = {"function": function, "returned": returned, "__name__": "npcc.functions"}
    exec(compile_text(source, file, "exec"), scope)
    return Kernel(scope[name], target="cuda", entry=f"{abi}:{name}", use_cache=False, **options)


compile_text = compile


def arch_of(cc):
    """"sm_90" for (9, 0), 9.0 or "9.0"; None for None."""
    return None if cc is None else "sm_" + "".join(map(str, cc if isinstance(cc, tuple) else str(cc).split(".")))


def device_code(function, types, returned_type=None, phase="ptx", abi="c", abi_info=None, **options):
    """(text of a phase, type of the result) of a function that kernels call."""
    declared = None if returned_type is None else np.dtype(returned_type.removesuffix("_"))
    returned = Returned(declared)
    kernel = device_kernel(function, entry_name(function, abi_info), abi, len(types), returned, **options)
    text = kernel.inspect(phase, types)
    return text, void if returned.dtype is None else from_dtype(returned.dtype)


def compile(pyfunc, sig, debug=False, lineinfo=False, device=False, fastmath=False, cc=None, opt=True, abi=None, abi_info=None, output="ptx"):
    """The PTX of a kernel, or with device=True of a function that kernels call, for types of its arguments, and the type of its result.

    sig: declared types ("void(float32[:], int32)", or a tuple of types); with device=True the result becomes what they declare, or is as it comes: one
    number, or none. The entry has the function's name, or abi_info["abi_name"], and the parameters in order: numbers as they are, an array (C-contiguous)
    as its address and its extents, which are int64. abi of a function: "c" returns the result; "numba" has a first parameter, a pointer that the result is
    stored to, and returns 0 as an int32. cc: the compute capability, (9, 0) or "9.0"; by default that of this machine's GPU, or 9.0. lineinfo: with the Python lines;
    debug: with debug information too; nothing is checked. TypeError for a kernel with a result; NotImplementedError for another abi, and for output="ltoir".
    """
    if abi not in (None, "numba", "c"):
        raise NotImplementedError(f"Unsupported ABI: {abi}")
    if abi == "c" and not device:
        raise NotImplementedError("The C ABI is not supported for kernels")
    if output == "ltoir":
        raise NotImplementedError(f"Unsupported output type: ltoir. {LTOIR}")
    if output != "ptx":
        raise NotImplementedError(f"Unsupported output type: {output}")
    returned, types = signatures.split(sig)
    # What checks find is told to npcc's runtime, which is not where this code runs.
    options = dict(lineinfo=2 if debug else lineinfo, fastmath=fastmath, arch=arch_of(cc))
    if device:
        return device_code(pyfunc, types, returned, abi=abi or "c", abi_info=abi_info, **options)
    if returned is not None:
        raise TypeError(GIVES)
    kernel = Kernel(pyfunc, target="cuda", entry=f"kernel:{entry_name(pyfunc, abi_info)}", use_cache=False, **options)
    try:
        return kernel.inspect("ptx", types), void
    except CompileError as error:
        if "a kernel returns nothing" not in str(error):
            raise
        raise TypeError(f"{GIVES} {error}") from None


def compile_ptx(pyfunc, sig, debug=False, lineinfo=False, device=False, fastmath=False, cc=None, opt=True, abi="numba", abi_info=None):
    """As compile(), with Numba's ABI for functions."""
    return compile(pyfunc, sig, debug, lineinfo, device, fastmath, cc, opt, abi, abi_info)


def _current():
    from .. import cuda
    return cuda.get_current_device().compute_capability


def compile_for_current_device(pyfunc, sig, **options):
    """As compile(), for this thread's GPU."""
    return compile(pyfunc, sig, cc=_current(), **options)


def compile_ptx_for_current_device(pyfunc, sig, **options):
    """As compile_ptx(), for this thread's GPU."""
    return compile_ptx(pyfunc, sig, cc=_current(), **options)


__all__ = ["compile", "compile_ptx", "compile_for_current_device", "compile_ptx_for_current_device"]
