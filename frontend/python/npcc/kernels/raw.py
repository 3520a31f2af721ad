"""RawKernel and RawModule: CUDA C, PTX and machine code, as CuPy has them."""
import functools

import numpy as np

from .. import _npcc
from . import images, parameters

ATTRIBUTES = ("max_threads_per_block", "shared_size_bytes", "const_size_bytes", "local_size_bytes", "num_regs", "ptx_version", "binary_version",
              "cache_mode_ca", "max_dynamic_shared_size_bytes", "preferred_shared_memory_carveout")


class Kernel(_npcc.Kernel):
    """A kernel: `kernel(grid, block, args, shared_mem=0, stream=None)` launches it and does not wait.

    grid, block: an integer or up to three. args: a tuple of arrays on the GPU (npcc's, CuPy's, PyTorch's, any with
    `__cuda_array_interface__` or `__dlpack__`, passed without a copy; mapped and managed memory of npcc.cuda), numbers, and structs
    (`numpy.void`, `ctypes.Structure`). A NumPy scalar has the type of the parameter. A Python number becomes what the kernel declares, or int64,
    float64, complex128, bool where that is not known. shared_mem: bytes of dynamic shared memory. stream: npcc's, CuPy's, PyTorch's or
    its handle; by default the one that npcc's work goes to.

    TypeError for arguments that do not fit the parameters, ValueError for grids, blocks and shared memory that the GPU does not have, RuntimeError
    for what CUDA reports, each with the kernel's name. An illegal address is reported by the next call that waits; no work on the GPU is
    possible afterwards in the process.
    """

    def _bind(self, source, name, cooperative=False, shown=None):
        """Makes this the kernel `name` of `source`; nothing is compiled before it is needed. shown: its name in messages."""
        self._source = source
        self._lookup = name
        self.name = shown or name
        self._symbol = None
        self._setup(self.name, None, self._prepare, cooperative)

    def _find(self, device=None):
        """The image, and what the C part should know of the parameters."""
        image = self._source.image(device)
        if self._symbol is None:
            symbol = image.symbol(self._lookup)
            self._declare(parameters.of_kernel(symbol, self._source.text))
            self._symbol = symbol
        return image

    def _prepare(self, device):
        """Called by the C part at the first launch on a device: the kernel's handle there."""
        image = self._find(device)
        return _npcc.module_function(device, images.module(image, device, self.name), image.symbol(self._lookup), self.name)

    def _attribute_values(self):
        return _npcc.function_attributes(self._handle(_npcc.selected_device()))

    @property
    def attributes(self):
        """A dict with the driver's numbers on the current device: num_regs (registers of a thread), shared_size_bytes (declared shared memory),
        local_size_bytes, const_size_bytes, max_threads_per_block, max_dynamic_shared_size_bytes, ptx_version, binary_version, ..."""
        return dict(zip(ATTRIBUTES, self._attribute_values()))

    def __repr__(self):
        return f"<npcc kernel {self.name}>"


def _attribute(position, settable):
    def read(self):
        return self._attribute_values()[position]

    def write(self, value):
        _npcc.function_set_attribute(self._handle(_npcc.selected_device()), position, int(value))

    return property(read, write if settable else None, doc=f"`attributes['{ATTRIBUTES[position]}']`" + (", which can be set" if settable else ""))


for _position, _name in enumerate(ATTRIBUTES):
    setattr(Kernel, _name, _attribute(_position, _position >= 8))


def check_backend(backend, jitify):
    if backend != "nvrtc":
        raise ValueError(f"backend is 'nvrtc', not {backend!r}: code that nvcc compiled is given as a file")
    if jitify:
        raise ValueError("jitify=True is not supported: the toolkit's headers are found without it")


class RawKernel(Kernel):
    """RawKernel(code, name, options=()): the kernel `name` of CUDA C source text.

    `name` is that of an `extern "C" __global__` function, of another one, or an instance of a template ("scale<float>"). options: NVRTC's, a tuple
    of strings ("-std=c++17", "-I/include/path", "--use_fast_math"). Compiled at the first launch on a device (or by `compile()`), and kept in
    npcc's cache on disk. CompileError with the source line where it does not compile; RuntimeError where NVRTC is missing;
    ValueError where there is no such kernel. `enable_cooperative_groups` launches so that the whole grid can synchronise. Calls: see Kernel.
    """

    def __init__(self, code, name, options=(), backend="nvrtc", *, translate_cucomplex=False, enable_cooperative_groups=False, jitify=False):
        check_backend(backend, jitify)
        expressions = (name,) if "<" in name else ()
        self.code, self.options, self.backend, self.file_path = code, tuple(options), backend, None
        self.enable_cooperative_groups = enable_cooperative_groups
        self._bind(images.Source(code, options, expressions, name), name, enable_cooperative_groups)

    def compile(self, log_stream=None):
        """Compiles for the current device (without one, for compute capability 9.0) now; the compiler's warnings go to log_stream.write."""
        image = self._find(_npcc.selected_device())
        if log_stream is not None and image.log:
            log_stream.write(image.log)


class GlobalVariable:
    """A `__device__` or `__constant__` variable: `ptr`, `size` in bytes, and views of it as arrays on the GPU."""

    def __init__(self, ptr, size, device, owner):
        self.ptr, self.size, self.device_id, self._owner = ptr, size, device, owner

    def view(self, dtype, shape=None):
        """An npcc.ndarray of the variable; shape: by default one axis with all of it, () for a scalar. ValueError where it is larger."""
        dtype = np.dtype(dtype)
        shape = (self.size // dtype.itemsize,) if shape is None else shape if isinstance(shape, tuple) else (shape,)
        if dtype.itemsize * int(np.prod(shape, dtype=np.int64)) > self.size:
            raise ValueError(f"the variable has {self.size} bytes, not as many as {shape} elements of {dtype}")
        return device_view(self.ptr, shape, dtype, self.device_id, self)

    @property
    def __cuda_array_interface__(self):
        return self.view(np.uint8).__cuda_array_interface__

    def __int__(self):
        return self.ptr

    __index__ = __int__


class _Memory:
    """What the array interface needs to show device memory that is not npcc's."""

    def __init__(self, ptr, shape, dtype, device, owner):
        self.owner = owner
        self.device = self
        self.id = device
        self.__cuda_array_interface__ = dict(shape=shape, typestr=dtype.str, data=(ptr, False), strides=None, version=3)


def device_view(ptr, shape, dtype, device, owner):
    """An npcc.ndarray of device memory at `ptr`, which `owner` keeps alive."""
    return _npcc.from_object(_Memory(ptr, shape, dtype, device, owner))


class RawModule:
    """RawModule(code=..., options=(), name_expressions=None) of CUDA C, or RawModule(path=...) of a PTX, cubin or fatbin file.

    `get_function(name)` is a kernel (see Kernel), `get_global(name)` a variable. name_expressions: the instances of templates that are compiled
    ("scale<float>"), by which `get_function` then finds them. Errors as RawKernel's.
    """

    def __init__(self, *, code=None, path=None, options=(), backend="nvrtc", translate_cucomplex=False, enable_cooperative_groups=False,
                 name_expressions=None, jitify=False):
        if (code is None) == (path is None):
            raise TypeError("RawModule takes either code= or path=")
        check_backend(backend, jitify)
        self.code, self.file_path, self.options, self.backend = code, path, tuple(options), backend
        self.name_expressions, self.enable_cooperative_groups = name_expressions, enable_cooperative_groups
        self._source = images.File(path) if code is None else images.Source(code, options, name_expressions or (), "module")

    def compile(self, log_stream=None):
        """Compiles for the current device (without one, for compute capability 9.0) now; the compiler's warnings go to log_stream.write."""
        image = self._source.image(_npcc.selected_device())
        if log_stream is not None and image.log:
            log_stream.write(image.log)

    def get_function(self, name):
        """The kernel of that name. ValueError if there is none."""
        self._source.image(_npcc.selected_device()).symbol(name)
        kernel = Kernel()
        kernel._bind(self._source, name, self.enable_cooperative_groups)
        return kernel

    def get_global(self, name):
        """The variable of that name on the current device. ValueError if there is none."""
        device = _npcc.selected_device()
        image = self._source.image(device)
        address, size = _npcc.module_global(device, images.module(image, device, self._source.label), image.lowered.get(name, name))
        return GlobalVariable(address, size, device, self)

    @functools.cached_property
    def kernels(self):
        """The names of the kernels, those of C++ with their types; None where they cannot be read (a fatbin file)."""
        names = self._source.image(_npcc.selected_device()).kernels
        return None if names is None else [images.symbols.demangled(name).removeprefix("void ") for name in names]
