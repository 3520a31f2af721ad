"""Compiles loop-form text and calls it on NumPy arrays, through the real engine and runtime."""
import ctypes
import os

import numpy as np

MAX_RANK = 32
DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128"]


class Array(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("data", ctypes.c_void_p), ("dtype", ctypes.c_int32), ("rank", ctypes.c_int32), ("device", ctypes.c_int32),
                ("flags", ctypes.c_int32), ("shape", ctypes.c_int64 * MAX_RANK), ("strides", ctypes.c_int64 * MAX_RANK)]


class Complex(ctypes.Structure):
    _fields_ = [("re", ctypes.c_double), ("im", ctypes.c_double)]


class Value(ctypes.Union):
    _fields_ = [("i", ctypes.c_int64), ("u", ctypes.c_uint64), ("f", ctypes.c_double), ("c", Complex), ("a", ctypes.POINTER(Array))]


class Status(ctypes.Structure):
    _fields_ = [("error", ctypes.c_int32), ("line", ctypes.c_int32), ("file", ctypes.c_char * 256), ("message", ctypes.c_char * 512)]


class Param(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("kind", ctypes.c_int32), ("dtype", ctypes.c_int32), ("rank", ctypes.c_int32), ("weak", ctypes.c_int32),
                ("written", ctypes.c_int32), ("unit_axes", ctypes.c_uint32), ("is_view", ctypes.c_int32)]


class Function(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("signature", ctypes.c_char_p), ("file", ctypes.c_char_p), ("line", ctypes.c_int32),
                ("param_count", ctypes.c_int32), ("result_count", ctypes.c_int32), ("variant_count", ctypes.c_int32), ("result_form", ctypes.c_char_p), ("generator_count", ctypes.c_int32),
                ("params", ctypes.POINTER(Param)), ("results", ctypes.POINTER(Param)), ("variants", ctypes.c_void_p)]


class CallOptions(ctypes.Structure):
    _fields_ = [("device", ctypes.c_int32), ("device_count", ctypes.c_int32), ("asynchronous", ctypes.c_int32)]


_folder = os.environ.get("NPCC_LIB") or os.path.join(os.path.dirname(__file__), "..", "..", "..", "build", "lib")
runtime = ctypes.CDLL(os.path.join(_folder, "libnpcc_rt.so"), ctypes.RTLD_GLOBAL)
library = ctypes.CDLL(os.path.join(_folder, "libnpcc_jit_test.so"))
library.npcc_test_compile.restype = ctypes.c_void_p
library.npcc_test_compile.argtypes = [ctypes.c_char_p] * 4
library.npcc_test_error.restype = ctypes.c_char_p
library.npcc_test_function.restype = ctypes.POINTER(Function)
library.npcc_test_function.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
runtime.npcc_rt_call.restype = Status
runtime.npcc_rt_call.argtypes = [ctypes.POINTER(Function), ctypes.POINTER(CallOptions), ctypes.POINTER(Value), ctypes.POINTER(Value)]
runtime.npcc_rt_release.argtypes = [ctypes.c_void_p]
runtime.npcc_rt_refcount.restype = ctypes.c_int64
runtime.npcc_rt_refcount.argtypes = [ctypes.c_void_p]


library.npcc_test_link.restype = ctypes.c_bool
library.npcc_test_link.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]


class Failure(Exception):
    """What npcc_rt_call returned."""

    def __init__(self, status):
        super().__init__(status.message.decode())
        self.error, self.line, self.file = status.error, status.line, status.file.decode()


def describe(array):
    """The npcc_array of a NumPy array."""
    out = Array(array.ctypes.data, array.ctypes.data, DTYPES.index(array.dtype.name), array.ndim, -1, 0)
    for axis in range(array.ndim):
        out.shape[axis] = array.shape[axis]
        out.strides[axis] = array.strides[axis] // array.itemsize
    return out


def to_numpy(array):
    """A copy of what an npcc_array refers to."""
    dtype = np.dtype(DTYPES[array.dtype])
    shape = tuple(array.shape[: array.rank])
    strides = tuple(s * dtype.itemsize for s in array.strides[: array.rank])
    low = sum(min(0, (n - 1) * s) for n, s in zip(shape, strides)) if 0 not in shape else 0
    high = sum(max(0, (n - 1) * s) for n, s in zip(shape, strides)) + dtype.itemsize if 0 not in shape else 0
    raw = ctypes.string_at(array.data + low, high - low)
    return np.ndarray(shape, dtype, bytearray(raw) or bytearray(1), -low, strides).copy()


class Compiled:
    def __init__(self, text, cpu="native", target="cpu"):
        self.handle = library.npcc_test_compile(text.encode(), cpu.encode(), b"", target.encode())
        if not self.handle:
            raise RuntimeError(library.npcc_test_error().decode())

    def function(self, name):
        return library.npcc_test_function(self.handle, name.encode())

    def link(self, output):
        """Makes a C library; returns the text of its header."""
        good = library.npcc_test_link(self.handle, output.encode(), os.path.join(_folder, "libnpcc_rt.so").encode())
        text = library.npcc_test_error().decode()
        if not good:
            raise RuntimeError(text)
        return text

    def __call__(self, name, *args):
        function = self.function(name)
        info = function.contents
        values, results, keep = (Value * max(len(args), 1))(), (Value * max(info.result_count, 1))(), []
        for value, arg, k in zip(values, args, range(len(args))):
            if info.params[k].kind == 1:
                keep.append(describe(arg))
                value.a = ctypes.pointer(keep[-1])
            elif isinstance(arg, complex):
                value.c = Complex(arg.real, arg.imag)
            elif isinstance(arg, float):
                value.f = arg
            else:
                value.i = int(arg)
        outs = []
        for k in range(info.result_count):
            if info.results[k].kind == 1:
                outs.append(Array())
                results[k].a = ctypes.pointer(outs[-1])
            else:
                outs.append(None)
        status = runtime.npcc_rt_call(function, ctypes.byref(CallOptions(-1, 1, 0)), values, results)
        if status.error:
            raise Failure(status)
        found = []
        for k, out in enumerate(outs):
            dtype = DTYPES[info.results[k].dtype]
            if out is not None:
                found.append(to_numpy(out))
                runtime.npcc_rt_release(out.base)
            elif dtype.startswith("complex"):
                found.append(np.dtype(dtype).type(complex(results[k].c.re, results[k].c.im)))
            elif dtype.startswith("float"):
                found.append(np.dtype(dtype).type(results[k].f))
            else:
                found.append(np.dtype(dtype).type(results[k].i))
        return found[0] if len(found) == 1 else tuple(found)


def emit(text, kind, cpu="native"):
    """The text of a phase: "llvm" or "asm"."""
    library.npcc_test_compile(text.encode(), cpu.encode(), kind.encode(), b"cpu")
    return library.npcc_test_error().decode()
