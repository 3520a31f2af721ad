"""The compilers and libraries that run the programs: how each is asked, waited for, and read back.

A peer gives `prepare(program)` -> function, `put(host array)`, `wait()` and `get(value)` -> host array. It is loaded in the
process that measures it; ImportError means that it is not installed, which is a line of the report.
"""
from __future__ import annotations

import importlib
import os
import types

import numpy as np


class Unsupported(Exception):
    """The peer has no version of this program, or refuses it."""


def with_module(function, module):
    """The same function with `np` (in its own globals, and its helpers') standing for another module."""
    names = dict(function.__globals__, np=module)
    for name, value in list(names.items()):
        if isinstance(value, types.FunctionType) and value.__globals__ is function.__globals__:
            names[name] = types.FunctionType(value.__code__, names, name, value.__defaults__, value.__closure__)
    return names[function.__name__]


class NumPy:
    """Plain NumPy: the reference, and the CPU's baseline."""
    targets = ("cpu",)

    def __init__(self, target):
        self.version = np.__version__

    def prepare(self, program):
        return program.run

    def put(self, array):
        return array

    def wait(self):
        pass

    def get(self, value):
        return np.asarray(value)

    def look(self, result):
        """The result as arrays that can be sliced."""
        return result

    def spoil(self, array):
        array[...] = -1 if "int" in str(array.dtype) else float("nan")


class Npcc(NumPy):
    """The compiler of this project. Its device arrays are its own; CuPy, where installed, only looks at results through them."""
    targets = ("cpu", "cuda")

    def __init__(self, target, module="npcc"):
        self.module, self.target = importlib.import_module(module), target
        self.version = getattr(self.module, "__version__", "development")
        self.cupy = None
        if target == "cuda":
            try:
                self.cupy = importlib.import_module("cupy")
            except ImportError:
                pass

    def prepare(self, program):
        try:
            return self.module.jit(target=self.target)(program.run)
        except getattr(self.module, "CompileError", ()) as refused:
            raise Unsupported(str(getattr(refused, "msg", refused))) from refused

    def put(self, array):
        return array if self.target == "cpu" else self.module.asarray(array, device=self.target)

    def wait(self):
        if self.target == "cuda":
            (self.module.synchronize if hasattr(self.module, "synchronize") else self.cupy.cuda.Device().synchronize)()

    def look(self, result):
        if self.cupy is None:
            return result
        if isinstance(result, (tuple, list)):
            return type(result)(map(self.look, result))
        return self.cupy.asarray(result) if hasattr(result, "__cuda_array_interface__") else result

    def get(self, value):
        return self.cupy.asnumpy(value) if self.cupy and isinstance(value, self.cupy.ndarray) else np.asarray(value)

    def spoil(self, array):
        super().spoil(self.look(array))
        # CuPy writes on its own stream: the memory is npcc's again, and used by the next call, once the array is gone.
        if self.cupy:
            self.cupy.cuda.Device().synchronize()


class CuPy(NumPy):
    targets = ("cuda",)

    def __init__(self, target):
        self.cupy = importlib.import_module("cupy")
        self.version = self.cupy.__version__

    def prepare(self, program):
        return getattr(program, "cupy_run", lambda cupy: with_module(program.run, cupy))(self.cupy)

    def put(self, array):
        return self.cupy.asarray(array)

    def wait(self):
        self.cupy.cuda.Device().synchronize()

    def get(self, value):
        return self.cupy.asnumpy(value)


class Jax(NumPy):
    targets = ("cpu", "cuda")

    def __init__(self, target):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        os.environ["JAX_PLATFORMS"] = "cuda" if target == "cuda" else "cpu"
        self.jax = importlib.import_module("jax")
        self.jax.config.update("jax_enable_x64", True)
        self.version, self.last = self.jax.__version__, None

    def prepare(self, program):
        if hasattr(program, "jax_run"):
            function = program.jax_run(self.jax)
        else:
            function = self.jax.jit(with_module(program.run, self.jax.numpy))

        def run(*arguments):
            self.last = function(*arguments)
            return self.last
        return run

    def put(self, array):
        return self.jax.numpy.asarray(array)

    def wait(self):
        if self.last is not None:
            self.jax.block_until_ready(self.last)

    def spoil(self, array):
        """JAX's arrays are immutable: what XLA leaves unwritten cannot be shown this way."""


class Torch(NumPy):
    targets = ("cpu", "cuda")

    def __init__(self, target):
        self.torch, self.target = importlib.import_module("torch"), target
        self.version = self.torch.__version__
        if target == "cuda" and not self.torch.cuda.is_available():
            raise ImportError("this PyTorch has no CUDA")

    def prepare(self, program):
        if not hasattr(program, "torch_run"):
            raise Unsupported("no PyTorch version of this program")
        return program.torch_run(self.torch)

    def put(self, array):
        return self.torch.as_tensor(array, device=self.target)

    def wait(self):
        if self.target == "cuda":
            self.torch.cuda.synchronize()

    def get(self, value):
        return value.cpu().numpy() if hasattr(value, "cpu") else np.asarray(value)


class Numba(NumPy):
    targets = ("cpu",)

    def __init__(self, target):
        self.numba = importlib.import_module("numba")
        self.version = self.numba.__version__

    def prepare(self, program):
        if hasattr(program, "numba_run"):
            return program.numba_run(self.numba)
        jit = self.numba.njit(parallel=True)
        names = dict(program.run.__globals__)
        for name, value in list(names.items()):
            if isinstance(value, types.FunctionType) and value.__globals__ is program.run.__globals__ and \
                    name in program.run.__code__.co_names:
                names[name] = jit(value)
        return jit(types.FunctionType(program.run.__code__, names, "run"))


PEERS = {"numpy": NumPy, "npcc": Npcc, "cupy": CuPy, "jax": Jax, "torch": Torch, "numba": Numba}


def of_target(target):
    return [name for name, peer in PEERS.items() if target in peer.targets]
