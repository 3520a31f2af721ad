"""SourceModule, In, Out, InOut: own kernels as PyCUDA has them."""
import time

import numpy as np

from .. import _npcc
from ..streams import current_device, handle_of
from ..streams import stream as use_stream
from .images import Source, module
from .raw import GlobalVariable, Kernel


class ArgumentHandler:
    """A NumPy array that is copied to the GPU for a launch, or back after it."""
    goes_in = goes_out = False

    def __init__(self, array):
        self.array = array if self.goes_out else np.asarray(array)
        if not isinstance(self.array, np.ndarray):
            raise TypeError(f"{type(self).__name__} takes a NumPy array, not {type(array).__name__}")
        if not (self.array.flags.c_contiguous or self.array.flags.f_contiguous):
            raise ValueError(f"{type(self).__name__} takes a contiguous array: copy it first")

    def bring(self, device):
        """The array on the GPU: its bytes, whatever its dtype."""
        flat = self.array.ravel(order="K").view(np.uint8)
        memory = _npcc.empty(flat.shape, flat.dtype, device)
        if self.goes_in and flat.size:
            memory._assign(_npcc.from_object(flat))
        return memory

    def take_back(self, memory):
        if self.goes_out and self.array.size:
            flat = self.array.ravel(order="K").view(np.uint8)  # a view, as the array is contiguous
            _npcc.from_object(flat)._assign(memory)


class In(ArgumentHandler):
    """In(array): the kernel gets a copy of the array on the GPU."""
    goes_in = True


class Out(ArgumentHandler):
    """Out(array): the kernel gets memory of the array's size, which is copied to the array after the launch."""
    goes_out = True


class InOut(ArgumentHandler):
    """InOut(array): copied to the GPU before the launch, and back after it."""
    goes_in = goes_out = True


class Function:
    """A kernel of a SourceModule: `function(*args, block=(x, y, z), grid=(1, 1, 1), shared=0, stream=None, time_kernel=False)`.

    args: arrays on the GPU, numbers, structs (see RawKernel's), and NumPy arrays wrapped in In, Out or InOut. Waits for the GPU only where an array is copied
    back, or time_kernel is true: then it gives the seconds that the launch took. Errors are RawKernel's.
    """

    def __init__(self, source, name):
        self.kernel = Kernel()
        self.kernel._bind(source, name)
        self.name = name

    def __getattr__(self, name):  # num_regs, shared_size_bytes, local_size_bytes, ...
        if name.startswith("_") or name == "kernel":
            raise AttributeError(name)
        return getattr(self.kernel, name)

    def __repr__(self):
        return f"<npcc kernel {self.name}>"

    def __call__(self, *args, block=None, grid=(1, 1, 1), shared=0, stream=None, time_kernel=False, texrefs=()):
        if block is None:
            raise ValueError(f"kernel '{self.name}': say how many threads a block has: block=(256, 1, 1)")
        if texrefs:
            raise ValueError(f"kernel '{self.name}': texture references are no longer part of CUDA")
        if stream is not None:
            with use_stream(stream):
                return self._launch(args, block, grid, shared, time_kernel)
        return self._launch(args, block, grid, shared, time_kernel)

    def _launch(self, args, block, grid, shared, time_kernel):
        device = current_device()
        memories = [(a, a.bring(device)) for a in args if isinstance(a, ArgumentHandler)]
        brought = iter(memories)
        arguments = tuple(next(brought)[1] if isinstance(a, ArgumentHandler) else a for a in args)
        if time_kernel:
            _npcc.stream_synchronize(device, handle_of(None, device))
            start = time.perf_counter()
        self.kernel(grid, block, arguments, shared)
        seconds = None
        if time_kernel:
            _npcc.stream_synchronize(device, handle_of(None, device))
            seconds = time.perf_counter() - start
        for handler, memory in memories:
            handler.take_back(memory)
        return seconds

    #---- Prepared calls ----

    def prepare(self, arg_types, texrefs=()):
        """For programs that prepare their calls: the types of arguments are known from the kernel. Gives the function back."""
        self._prepared = arg_types
        return self

    def prepared_call(self, grid, block, *args, shared_size=0):
        self.kernel(grid, block, args, shared_size)

    def prepared_async_call(self, grid, block, stream, *args, shared_size=0):
        self.kernel(grid, block, args, shared_size, stream)

    def prepared_timed_call(self, grid, block, *args, shared_size=0):
        """Launches, and gives a function that waits and says how many seconds it took."""
        seconds = self._launch(args, block, grid, shared_size, True)
        return lambda: seconds


# What nvcc, which PyCUDA calls, has from the host's headers.
NVCC_NAMES = "typedef unsigned int uint; typedef unsigned short ushort; typedef unsigned long ulong;"


class SourceModule:
    """SourceModule(source, options=None, no_extern_c=False, arch=None, include_dirs=()): CUDA C for `get_function(name)` and `get_global(name)`.

    The source stands in `extern "C"` unless no_extern_c is true (then kernels are found by their C++ names too). options: NVRTC's. arch: "sm_90"; by
    default this thread's GPU. It is compiled now: CompileError with the source line, RuntimeError without NVRTC.
    """

    def __init__(self, source, nvcc=None, options=None, keep=False, no_extern_c=False, arch=None, code=None, cache_dir=None, include_dirs=()):
        places = {"kernel.cu": source}
        if not no_extern_c:
            source = f'{NVCC_NAMES}\nextern "C" {{\n#line 1 "kernel.cu"\n{source}\n}}\n'
        options = [*(options or ()), *(f"--include-path={folder}" for folder in include_dirs)]
        if arch:
            options.append(f"--gpu-architecture={arch}")
        self._source = Source(source, options, (), "kernel", places)
        self._source.image(_npcc.selected_device())

    def get_function(self, name):
        """The kernel of that name. ValueError if there is none."""
        self._source.image(_npcc.selected_device()).symbol(name)
        return Function(self._source, name)

    def get_global(self, name):
        """(variable, bytes): the variable is its address (`int(variable)`), with views of it as arrays (`variable.view(dtype)`). ValueError if there is none."""
        device = current_device()
        image = self._source.image(device)
        address, size = _npcc.module_global(device, module(image, device, name), image.lowered.get(name, name))
        return GlobalVariable(address, size, device, self), size

    def get_texref(self, name):
        """NotImplementedError: CUDA C has no texture references any more."""
        raise NotImplementedError(f"'{name}': textures and surfaces are not there: give the kernel the array's address")

    get_surfref = get_texref
