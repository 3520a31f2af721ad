"""pycuda.driver: memory, copies, streams, events and devices, by the names of PyCUDA."""
import builtins

import numpy as np

from .. import _npcc, cuda
from ..device_attributes import NUMBERS
from ..errors import CompileError
from ..kernels import In, InOut, Out
from ..kernels.raw import RawModule
from ..kernels.source_module import Function
from ..streams import Event as _Event
from ..streams import NON_BLOCKING, current_device
from ..streams import Stream as _Stream
from ..streams import stream as _use

Error = LogicError = LaunchError = builtins.RuntimeError  # what npcc raises for failures of the driver
RuntimeError, MemoryError = builtins.RuntimeError, builtins.MemoryError


class device_attribute:
    """What Device.get_attribute tells, as `device_attribute.WARP_SIZE`; of a device, `device.warp_size` too."""


for _name, _number in NUMBERS.items():
    setattr(device_attribute, _name, _number)
device_attribute.MAX_THREADS_PER_MULTIPROCESSOR = NUMBERS["MAX_THREADS_PER_MULTI_PROCESSOR"]


class mem_attach_flags:
    GLOBAL, HOST, SINGLE = 1, 2, 4


class host_alloc_flags:
    PORTABLE, DEVICEMAP, WRITECOMBINED = 1, 2, 4


class event_flags:
    DEFAULT, BLOCKING_SYNC, DISABLE_TIMING = 0, 1, 2


#---- Devices and contexts ----

def init(flags=0):
    """Opens the driver. RuntimeError that says why there is no GPU."""
    current_device()


class Context:
    """The device's one context. It is always there, so pushing and popping it does nothing."""

    def __init__(self, device=None):
        self._device = device

    def push(self):
        pass

    detach = pop = push

    @staticmethod
    def get_device():
        return Device(current_device())

    @staticmethod
    def synchronize():
        """Waits for all work on the GPU; raises what went wrong in it."""
        cuda.synchronize()


class Device(cuda.Device):
    """A GPU: `name()`, `compute_capability()`, `total_memory()`, `make_context()`."""

    def __init__(self, number):
        super().__init__(number)
        if not 0 <= number < max(_npcc.cuda_device_count(), 1):
            raise LogicError(f"there is no CUDA device {number}: this machine has {_npcc.cuda_device_count()}")

    @staticmethod
    def count():
        return _npcc.cuda_device_count()

    def name(self):
        return self._info()["name"]

    def compute_capability(self):
        return divmod(self._info()["capability"], 10)

    def total_memory(self):
        return self._info()["memory"]

    def get_attribute(self, attribute):
        """One of device_attribute."""
        return self.attribute(attribute)

    def get_attributes(self):
        """All of them, by their numbers."""
        return {number: self.attribute(number) for number in NUMBERS.values()}

    def pci_bus_id(self):
        return f"{self.PCI_DOMAIN_ID:04x}:{self.PCI_BUS_ID:02x}:{self.PCI_DEVICE_ID:02x}.0"

    def __getattr__(self, name):
        return super().__getattr__(name.upper() if name.islower() else name)

    def make_context(self, flags=0):
        """Makes the GPU this thread's."""
        cuda.select_device(self.id)
        return Context(self)

    retain_primary_context = make_context


def mem_get_info():
    """(free, total) in bytes."""
    return tuple(cuda.current_context().get_memory_info())


#---- Memory of the GPU ----

class DeviceAllocation:
    """Memory of the GPU: `int(allocation)` is its address. It is freed when nobody holds the object, or by `free()`."""

    def __init__(self, size):
        self.array = _npcc.empty((int(size),), np.dtype(np.uint8), current_device())
        self.size = int(size)

    @property
    def __cuda_array_interface__(self):
        if self.array is None:
            raise LogicError("the memory has been freed")
        return self.array.__cuda_array_interface__

    def __int__(self):
        if self.array is None:
            raise LogicError("the memory has been freed")
        return self.array.ptr

    __index__ = __int__

    def __add__(self, offset):
        return int(self) + offset

    def free(self):
        self.array = None


def mem_alloc(bytes):
    """So many bytes on the GPU, of undefined contents. MemoryError where there are not as many."""
    return DeviceAllocation(bytes)


def mem_alloc_like(array):
    return DeviceAllocation(array.nbytes)


class _Raw:
    def __init__(self, address, size):
        self.__cuda_array_interface__ = dict(shape=(size,), typestr="|u1", data=(int(address), False), strides=None, version=3, stream=None)


def _on_device(memory, size):
    """`size` bytes at an address, in an allocation, or of an array, as an array of bytes."""
    memory = getattr(memory, "gpudata", memory)
    if isinstance(memory, DeviceAllocation):
        if memory.array is None:
            raise LogicError("the memory has been freed")
        if size > memory.size:
            raise LogicError(f"{size} bytes are copied to or from memory of {memory.size}")
        return memory.array[:size]
    return _npcc.from_object(_Raw(memory if isinstance(memory, (int, np.integer)) else memory.__cuda_array_interface__["data"][0], size))


def _on_host(array, is_written=False):
    """The bytes of a NumPy array, or of anything with the buffer protocol."""
    array = array if isinstance(array, np.ndarray) else np.frombuffer(array, np.uint8)
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        raise ValueError("ndarray is not contiguous")
    if is_written and not array.flags.writeable:
        raise ValueError("the array that is copied to is read-only")
    return array.ravel(order="K").view(np.uint8) if array.size else np.empty(0, np.uint8)


def _copy(to, from_, stream, host=None):
    if stream is None:
        return to._assign(from_)
    with _use(stream):
        _npcc.copy_async(to, from_)
    if host is not None and hasattr(stream, "keep"):
        stream.keep(host)


def memcpy_htod(dest, src):
    """Copies an array of the host to an address, an allocation or an array on the GPU."""
    memcpy_htod_async(dest, src)


def memcpy_htod_async(dest, src, stream=None):
    """The same on a stream; from page-locked memory the host does not wait."""
    host = _on_host(src)
    if host.size:
        _copy(_on_device(dest, host.size), _npcc.from_object(host), stream, host)


def memcpy_dtoh(dest, src):
    """Fills an array of the host from the GPU, and waits."""
    memcpy_dtoh_async(dest, src)


def memcpy_dtoh_async(dest, src, stream=None):
    host = _on_host(dest, is_written=True)
    if host.size:
        _copy(_npcc.from_object(host), _on_device(src, host.size), stream, host)


def memcpy_dtod(dest, src, size):
    memcpy_dtod_async(dest, src, size)


def memcpy_dtod_async(dest, src, size, stream=None):
    if size:
        _copy(_on_device(dest, size), _on_device(src, size), stream)


def _memset(dest, value, count, dtype, stream=None):
    pattern = np.full(count, value, dtype)
    memcpy_htod_async(dest, pattern, stream)


def memset_d8(dest, data, count):
    """Stores a byte `count` times. memset_d16 and memset_d32: numbers of 2 and 4 bytes."""
    _memset(dest, data, count, np.uint8)


def memset_d16(dest, data, count):
    _memset(dest, data, count, np.uint16)


def memset_d32(dest, data, count):
    _memset(dest, data, count, np.uint32)


def to_device(bf_obj):
    """A new allocation with the bytes of an array."""
    allocation = mem_alloc(_on_host(bf_obj).size)
    memcpy_htod(allocation, bf_obj)
    return allocation


def from_device(devptr, shape, dtype, order="C"):
    """A new NumPy array of what is at an address."""
    result = np.empty(shape, dtype, order)
    memcpy_dtoh(result, devptr)
    return result


def from_device_like(devptr, other_ary):
    result = np.empty_like(other_ary)
    memcpy_dtoh(result, devptr)
    return result


#---- Memory of the host ----

def pagelocked_empty(shape, dtype, order="C", mem_flags=0):
    """A NumPy array in page-locked memory; with host_alloc_flags.DEVICEMAP kernels take it."""
    make = cuda.mapped_array if mem_flags & host_alloc_flags.DEVICEMAP else cuda.pinned_array
    return make(shape, dtype, order=order)


def pagelocked_zeros(shape, dtype, order="C", mem_flags=0):
    array = pagelocked_empty(shape, dtype, order, mem_flags)
    array[...] = 0
    return array


def pagelocked_empty_like(array, mem_flags=0):
    return pagelocked_empty(array.shape, array.dtype, "F" if np.isfortran(array) else "C", mem_flags)


def pagelocked_zeros_like(array, mem_flags=0):
    return pagelocked_zeros(array.shape, array.dtype, "F" if np.isfortran(array) else "C", mem_flags)


def managed_empty(shape, dtype, order="C", mem_flags=mem_attach_flags.GLOBAL):
    """A NumPy array in memory that moves between host and GPU, which kernels take."""
    return cuda.managed_array(shape, dtype, order=order)


def managed_zeros(shape, dtype, order="C", mem_flags=mem_attach_flags.GLOBAL):
    array = managed_empty(shape, dtype, order, mem_flags)
    array[...] = 0
    return array


#---- Streams, events, modules ----

class Stream(_Stream):
    """A new stream."""

    def __init__(self, flags=0):
        device = current_device()
        super().__init__(_npcc.stream_new(device, NON_BLOCKING, 0), device, owned=True)

    def is_done(self):
        return self.query()

    wait_for_event = _Stream.wait_event


class Event(_Event):
    """A point in a stream's work: `record`, `synchronize`, `query`, `time_since`, `time_till` (in milliseconds)."""

    def __init__(self, flags=event_flags.DEFAULT):
        super().__init__(timing=not flags & event_flags.DISABLE_TIMING, blocking=bool(flags & event_flags.BLOCKING_SYNC))


class Module:
    """A file of PTX or machine code: `get_function`, `get_global`."""

    def __init__(self, path):
        self._module = RawModule(path=path)

    def get_function(self, name):
        """The kernel of that name. ValueError if there is none."""
        self._module.get_function(name)
        return Function(self._module._source, name)

    def get_global(self, name):
        variable = self._module.get_global(name)
        return variable, variable.size


def module_from_file(filename):
    return Module(filename)


def start_profiler():
    cuda.profile_start()


def stop_profiler():
    cuda.profile_stop()


# What PyCUDA has and this does not.
_ABSENT = {
    "textures and surfaces: give the kernel the array's address": (
        "TextureReference", "SurfaceReference", "Array", "ArrayDescriptor", "ArrayDescriptor3D", "address_mode", "filter_mode", "array_format", "array3d_flags",
        "matrix_to_array", "np_to_array", "gpuarray_to_array", "make_multichannel_2d_array", "bind_array_to_texref", "matrix_to_texref"),
    "pitched memory: rows lie side by side in mem_alloc's": ("mem_alloc_pitch", "Memcpy2D", "Memcpy3D", "Memcpy3DPeer"),
    "memory of other processes": ("IPCMemoryHandle", "IPCEventHandle", "mem_peer_register"),
}


def __getattr__(name):
    for what, names in _ABSENT.items():
        if name in names:
            raise AttributeError(f"npcc.pycuda.driver has no '{name}', and no {what}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [name for name in globals() if not name.startswith("_") and name not in ("builtins", "np", "cuda")]
