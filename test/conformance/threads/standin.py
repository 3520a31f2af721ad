"""npcc.cuda in the place of numba.cuda, for Numba's tests: what an import of `numba.cuda`, `numba.vectorize` and `numba.guvectorize` finds.

Numba itself stays as it is installed: its tests declare types by it (`numba.float32`), and its helpers for tests are used. Of `numba.cuda` only the package's place
is kept, so that its tests are found; what it exports is npcc's. A module of it that has no counterpart here is Numba's own, and finds no driver.
"""

from __future__ import annotations

import builtins
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import os
import sys
import types

import numpy as np

import npcc
import npcc.cuda

# Modules of numba.cuda that programs import, and what npcc has for them.
COUNTERPARTS = {
    "numba.cuda.libdevice": "npcc.threads.libdevice",
    "numba.cuda.compiler": "npcc.cuda",
    "numba.cuda.random": "npcc.threads.random",
    "numba.cuda.errors": "npcc.errors",
    "numba.cuda.args": "npcc.threads.extensions",
    "numba.cuda.cudadrv.devicearray": "npcc.threads.devicearray",
}


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the counterparts by Numba's names."""

    def find_spec(self, name, path, target=None):
        counterpart = COUNTERPARTS.get(name)
        if counterpart is None or not self.exists(counterpart):
            return None
        return importlib.machinery.ModuleSpec(name, self)

    @staticmethod
    def exists(name):
        try:
            return importlib.util.find_spec(name) is not None
        except ModuleNotFoundError:
            return False

    def create_module(self, spec):
        return exporting(spec.name, importlib.import_module(COUNTERPARTS[spec.name]))

    def exec_module(self, module):
        pass


def exporting(name, module):
    """A module of another name that has what `module` has."""
    made = types.ModuleType(name)
    made.__dict__.update({k: v for k, v in vars(module).items() if not (k.startswith("__") and k.endswith("__"))})
    return made


def execute(source, names=None, local=None, /, **keywords):
    """exec() whose text can be read again: npcc compiles from the source of functions, where Numba reads their bytecode."""
    caller = sys._getframe(1)
    names = caller.f_globals if names is None else names
    local = (caller.f_locals if names is caller.f_globals else names) if local is None else local
    if isinstance(source, str):
        file = f"<text {hashlib.sha256(source.encode()).hexdigest()[:16]}>"
        linecache.cache[file] = len(source), None, source.splitlines(True), file
        source = compile(source, file, "exec")
    return EXEC(source, names, local, **keywords)


EXEC = builtins.exec


def readable_command():
    """The text of `python -c` can be read again, too."""
    if sys.orig_argv[1:2] == ["-c"]:
        source = sys.orig_argv[2]
        linecache.cache["<string>"] = len(source), None, source.splitlines(True), "<string>"


def comparable_types():
    """npcc's types are equal to those of Numba's that they stand for."""
    equal = npcc.types.Type.__eq__

    def is_equal(self, other):
        if type(other).__module__.startswith("numba.core.types"):
            text = {"none": "void", "boolean": "bool_", "bool": "bool_"}.get(str(other))
            return self.text == (text or npcc.threads.signatures.parameter(other))
        return equal(self, other)

    npcc.types.Type.__eq__ = is_equal


def install():
    # Where the package numba-cuda is installed it takes the place of Numba's own kernels, whose tests these are.
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != "_numba_cuda_redirector"]
    import numba
    import numba.core.errors

    if builtins.exec is execute:
        return numba.cuda
    place = os.path.join(os.path.dirname(numba.__file__), "cuda")
    for loaded in [name for name in sys.modules if name == "numba.cuda" or name.startswith("numba.cuda.")]:
        del sys.modules[loaded]
    cuda = exporting("numba.cuda", npcc.cuda)
    cuda.__path__ = [place]
    cuda.__spec__ = importlib.machinery.ModuleSpec("numba.cuda", None, is_package=True)
    cuda.__spec__.submodule_search_locations = [place]
    sys.modules["numba.cuda"] = numba.cuda = cuda
    sys.meta_path.insert(0, Finder())
    import numba.cuda.cudadrv
    numba.cuda.cudadrv.devicearray = importlib.import_module("numba.cuda.cudadrv.devicearray")
    importlib.import_module("numba.cuda.errors").CudaLoweringError = npcc.CompileError
    for name in ("vectorize", "guvectorize"):
        if hasattr(npcc, name):
            setattr(numba, name, getattr(npcc, name))
    # What cannot be compiled is one class of errors in npcc.
    for name in ("TypingError", "UnsupportedError", "LoweringError"):
        setattr(numba.core.errors, name, npcc.CompileError)
    numba.from_dtype = npcc.from_dtype
    comparable_types()
    readable_command()
    # What tests ask of the device before they run.
    from numba.cuda.cudadrv import devices
    devices.get_context, devices.reset = npcc.cuda.current_context, npcc.cuda.close
    builtins.exec = execute
    from numba.cuda import testing
    testing.CUDATestCase.skip_if_lto = lambda self, reason: None  # there is no such linker here
    return cuda
