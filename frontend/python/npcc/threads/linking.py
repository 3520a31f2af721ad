"""Code of other compilers in kernels: cuda.declare_device names a function, link= the files that have it."""
import hashlib
import os

import numpy as np

from ..kernels import images
from . import signatures

KINDS = {"ptx", "cu"}
REFUSED = {"cubin": "machine code", "fatbin": "machine code", "a": "machine code", "o": "machine code", "ltoir": "code for NVIDIA's linker alone"}


def files(link):
    """The files of link= as paths. RuntimeError for kinds that cannot be linked, FileNotFoundError for those that are not there."""
    paths = tuple(map(os.fspath, (link,) if isinstance(link, (str, os.PathLike)) else link))
    for path in paths:
        kind = os.path.splitext(path)[1][1:]
        if not kind:
            raise RuntimeError(f"Don't know how to link file with no extension: {path}")
        if kind in REFUSED:
            raise RuntimeError(f"Don't know how to link file with extension .{kind}: {path} is {REFUSED[kind]}; PTX (.ptx) and CUDA C (.cu) are linked")
        if kind not in KINDS:
            raise RuntimeError(f"Don't know how to link file with extension .{kind}: {path}; PTX (.ptx) and CUDA C (.cu) are linked")
        if not os.path.exists(path):
            raise FileNotFoundError(f"{path} not found")
    return paths


def digest(paths):
    """What code depends on in the files."""
    return tuple(hashlib.sha256(open(path, "rb").read()).hexdigest() for path in paths)


def code(paths, arch, label):
    """The PTX of all files. CompileError for CUDA C that NVRTC refuses, RuntimeError where there is no NVRTC."""
    texts = []
    for path in paths:
        with open(path) as file:
            text = file.read()
        if path.endswith(".cu"):
            options = (f"--gpu-architecture={arch.replace('sm_', 'compute_')}", "--relocatable-device-code=true")
            image = images.Source(text, options, label=os.path.basename(path)).image()
            text = image.data.rstrip(b"\0").decode()
        texts.append(text)
    return "\n".join(texts)


class DeviceFunction:
    """A function of another compiler's, which kernels call: `name`, and `sig` with the types of its parameters and result. Made by declare_device."""

    def __init__(self, name, sig):
        self.name, self.sig = name, sig
        returned, types = signatures.split(sig)
        self.returned = None if returned is None else _dtype(returned)
        self.parameters = tuple(map(_dtype, types))

    def py_func_options(self):
        """What code that calls it depends on."""
        return (self.name, self.returned, self.parameters)

    @staticmethod
    def py_func():
        """For what reads kernels: there is no Python function."""

    def __call__(self, *args):
        raise RuntimeError(f"'{self.name}' is a function of linked code: kernels call it")

    def __repr__(self):
        return f"<npcc device function {self.name} of linked code>"


def _dtype(text):
    """The dtype of a number's type; what is none stays a text."""
    return text if "[" in str(text) else np.dtype(signatures.PLAIN.get(text, text).removesuffix("_"))


def declare_device(name, sig):
    """Declares a function that linked code has, for kernels to call: declare_device("bar", "int32(int32)"), with link=["bar.cu"] at the kernel.

    The function is `extern "C" __device__ int bar(int *result, int x)`: it stores its result where its first parameter points and returns 0, as Numba has it.
    It takes and gives numbers. TypeError for a signature without a result.
    """
    returned = getattr(sig, "return_type", None)
    if isinstance(sig, str):
        returned = sig.partition("(")[0].strip() or None
    if returned is None or isinstance(sig, tuple):
        raise TypeError("Return type must be provided for device declarations")
    return DeviceFunction(name, signatures.as_signature(sig))


__all__ = ["declare_device"]
