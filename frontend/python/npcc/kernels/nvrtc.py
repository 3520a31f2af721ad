"""NVRTC, NVIDIA's run-time compiler of CUDA C, opened when the first source is compiled. It needs no GPU."""
import contextlib
import ctypes
import functools
import glob
import os
import sys
from pathlib import Path

from .. import _npcc

COMPILE_ERROR = 6  # NVRTC_ERROR_COMPILATION
INSTALL = ("install the CUDA toolkit, or `python3 -m pip install nvidia-cuda-nvrtc` (nvidia-cuda-nvrtc-cu12 for drivers of CUDA 12); "
           "NPCC_NVRTC names the library where it is elsewhere")


# What programs written for CuPy and PyCUDA include; the toolkit has the same under other names. A SourceModule includes it inside of extern "C".
COMPLEX_FUNCTIONS = "abs acos acosh arg asin asinh atan atanh conj cos cosh exp imag log log10 norm polar pow real sin sinh sqrt tan tanh".split()
HEADERS = {
    "cupy/complex.cuh": "#pragma once\nextern \"C++\" {\n#include <cuda/std/complex>\ntemplate <typename T> using complex = cuda::std::complex<T>;\n}\n",
    "pycuda-complex.hpp": "#pragma once\nextern \"C++\" {\n#include <cuda/std/complex>\nnamespace pycuda {\nusing cuda::std::complex;\n"
                          + "".join(f"using cuda::std::{name};\n" for name in COMPLEX_FUNCTIONS) + "}\n}\n",
}


class Failure(Exception):
    """NVRTC refused a program; the text is its log."""


def toolkit_folders():
    """Where toolkits may be, the most specific first."""
    folders = [Path(os.environ[name]) for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    folders.append(Path("/usr/local/cuda"))
    for place in dict.fromkeys(filter(None, sys.path)):
        folders += sorted(Path(place, "nvidia").glob("cu[0-9]*")) + [Path(place, "nvidia", "cuda_nvrtc")]
    return list(dict.fromkeys(folders))


def library_files():
    """The names to try. A driver runs the machine code of its own CUDA and of those before."""
    given = os.environ.get("NPCC_NVRTC")
    if given:
        return [] if given == "none" else [given]
    version = _npcc.driver_version()
    names = ["libnvrtc.so.13", "libnvrtc.so.12"]
    if version and version < 13000:
        names.reverse()
    files = []
    for name in names:
        files += [name] + [str(folder / part / name) for folder in toolkit_folders() for part in ("lib64", "lib")]
    return files


class Library:
    """The functions of one libnvrtc."""

    def __init__(self, functions):
        self.functions = functions
        functions.nvrtcGetErrorString.restype = ctypes.c_char_p
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.check(functions.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
        self.version = (major.value, minor.value)

    def check(self, result):
        if result:
            raise Failure(self.functions.nvrtcGetErrorString(result).decode())

    @functools.cached_property
    def capabilities(self):
        """What it compiles for: 75, 80, ..., in ascending order."""
        count = ctypes.c_int()
        self.check(self.functions.nvrtcGetNumSupportedArchs(ctypes.byref(count)))
        numbers = (ctypes.c_int * count.value)()
        self.check(self.functions.nvrtcGetSupportedArchs(numbers))
        return sorted(numbers)

    def arch_for(self, capability):
        """"sm_90" if it knows the device, else what a newer device can make of the newest that it knows."""
        known = [c for c in self.capabilities if c <= capability]
        if not known:
            raise Failure(f"NVRTC {self.version[0]}.{self.version[1]} does not compile for compute capability {capability // 10}.{capability % 10}")
        return f"sm_{known[-1]}" if known[-1] // 10 == capability // 10 else f"compute_{known[-1]}"

    def compile(self, source, name, options, expressions, machine_code):
        """(image, {expression: symbol}, log). Failure with the log where it does not compile."""
        program = ctypes.c_void_p()
        texts, names = ((ctypes.c_char_p * len(HEADERS))(*(t.encode() for t in part)) for part in (HEADERS.values(), HEADERS))
        self.check(self.functions.nvrtcCreateProgram(ctypes.byref(program), source.encode(), name.encode(), len(HEADERS), texts, names))
        try:
            for expression in expressions:
                self.check(self.functions.nvrtcAddNameExpression(program, expression.encode()))
            encoded = [option.encode() for option in options]
            result = self.functions.nvrtcCompileProgram(program, len(encoded), (ctypes.c_char_p * len(encoded))(*encoded))
            log = self.text(program, "ProgramLog")
            if result:
                raise Failure(log if log.strip() else self.functions.nvrtcGetErrorString(result).decode())
            symbols = {}
            for expression in expressions:
                symbol = ctypes.c_char_p()
                self.check(self.functions.nvrtcGetLoweredName(program, expression.encode(), ctypes.byref(symbol)))
                symbols[expression] = symbol.value.decode()
            return self.data(program, "CUBIN" if machine_code else "PTX"), symbols, log
        finally:
            self.functions.nvrtcDestroyProgram(ctypes.byref(program))

    def data(self, program, what):
        size = ctypes.c_size_t()
        self.check(getattr(self.functions, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
        buffer = ctypes.create_string_buffer(size.value)
        self.check(getattr(self.functions, f"nvrtcGet{what}")(program, buffer))
        return buffer.raw[:size.value]

    def text(self, program, what):
        return self.data(program, what).rstrip(b"\0").decode(errors="replace")


@functools.cache
def library():
    """The library; RuntimeError that says what is missing."""
    problems = []
    for file in library_files():
        try:
            # It opens this one by its name alone, which nobody finds where the toolkit is not among the loader's folders.
            for builtins in glob.glob(os.path.join(os.path.dirname(file), "libnvrtc-builtins.so.*")) if os.path.isabs(file) else ():
                with contextlib.suppress(OSError):
                    ctypes.CDLL(builtins)
            return Library(ctypes.CDLL(file))
        except OSError as error:
            if os.path.exists(file):  # there, but it cannot be opened
                problems.append(str(error))
        except (AttributeError, Failure) as error:
            problems.append(f"{file}: {error}")
    what = os.environ.get("NPCC_NVRTC") or "libnvrtc.so.13, libnvrtc.so.12"
    reason = f" ({'; '.join(problems)})" if problems else ""
    raise RuntimeError(f"own kernels are compiled by NVRTC, which was not found: {what}{reason}. To have it, {INSTALL}")


@functools.cache
def include_folders():
    """The toolkit's headers: cuda_fp16.h, cooperative_groups.h, cuda/std/complex."""
    found = []
    for folder in toolkit_folders():
        for part in ("include", "include/cccl"):
            if (folder / part).is_dir():
                found.append(str(folder / part))
        if found:
            return tuple(found)
    return ()
