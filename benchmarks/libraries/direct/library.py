"""One of CUDA's libraries as a peer of the rows that are calls of it alone."""
from __future__ import annotations

import ctypes
import os

import npcc

FOLDER = "/usr/local/cuda/lib64"
TYPES = {"float32": 0, "float64": 1, "float16": 2, "complex64": 4, "complex128": 5, "bfloat16": 14}  # cudaDataType_t


def opened(variable, *names):
    """The library of the first file that there is: the one that `variable` names, if it is set, and these in the loader's path and in CUDA's folder."""
    for name in (os.environ.get(variable), *names, *(os.path.join(FOLDER, name) for name in names)):
        try:
            if name:
                return ctypes.CDLL(name)
        except OSError:
            continue
    raise ImportError(f"{names[0]} is not found")


def address(array):
    return ctypes.c_void_p(array.__cuda_array_interface__["data"][0])


def empty(shape, dtype):
    return npcc.empty(shape, dtype, device="cuda")


class Library:
    """Its functions are called with the arguments of a row. `library` is the file, which the class opens."""

    def __init__(self, library):
        self.library = library
        self.driver = ctypes.CDLL("libcuda.so.1")

    def ask(self, function, *arguments):
        status = getattr(self.library, function)(*arguments)
        if status:
            raise RuntimeError(f"{function} gave {status}")

    def made(self, function, *arguments):
        """What a function makes, which gives it through its first argument."""
        handle = ctypes.c_void_p()
        self.ask(function, ctypes.byref(handle), *arguments)
        return handle

    def put(self, argument):
        return npcc.asarray(argument, device="cuda")

    def prepare(self, row):
        """The row's call: what comes before it, as plans and memory, is made at the first one. It gives None where the result lies otherwise than NumPy's."""
        make = getattr(self, row.direct, None) if row.direct else None
        if make is None:
            return None
        calls = []

        def call(*arguments):
            if not calls:
                calls.append(make(*arguments))
            return calls[0]()

        return call

    def wait(self):
        self.driver.cuStreamSynchronize(None)  # on which all calls are
