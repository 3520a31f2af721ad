"""GPUs, streams, events and memory, by the names that Numba has for them: `from npcc import cuda`.

Arrays on a GPU are npcc.ndarray. Without a GPU `is_available()` is False, and what needs one raises RuntimeError that says why there is none.
"""
import contextlib
import sys
from collections import namedtuple

import numpy as np

from . import _npcc
from .device_attributes import Attributes
from .ndarray import ndarray
from .streams import LEGACY, NON_BLOCKING, PER_THREAD, Event, Stream, current_device, handle_of
from .streams import stream as _use
from .kernels import In, InOut, Out
from .threads import devicearray, libdevice, random
from .threads.compiling import *
from .threads import host as _host
from .threads.kernel import Kernel, jit
from .threads.linking import *
from .threads.names import *  # what threads name
from .threads.records import DeviceRecords
from .threads.reduce import Reduce, reduce
from .threads.vectors import *

MemoryInfo = namedtuple("MemoryInfo", "free total")
PINNED, MAPPED, MANAGED = range(3)


#---- Devices ----

def is_available():
    """Whether there is a GPU that can be used."""
    return _npcc.cuda_device_count() > 0


def cuda_error():
    """Why there is no GPU that can be used; None if there is one."""
    return None if is_available() else _npcc.cuda_unavailable_reason()


def is_supported_version():
    """npcc runs with every CUDA driver that its kernels' PTX can be loaded by."""
    return True


def is_float16_supported():
    return True


def detect():
    """Prints the GPUs; whether there is one."""
    if not is_available():
        print(f"Found no CUDA device: {_npcc.cuda_unavailable_reason()}")
        return False
    print(f"Found {len(gpus)} CUDA devices")
    for device in gpus:
        major, minor = device.compute_capability
        print(f"id {device.id}  {device.name}  compute capability {major}.{minor}, {device.total_memory / 2**30:.1f} GiB")
    return True


class Device(Attributes):
    """A GPU: `id`, `name`, `compute_capability` (a pair), `total_memory` in bytes, and CUDA's attributes by name (`MULTIPROCESSOR_COUNT`, `WARP_SIZE`).
    `with device:` makes it this thread's."""

    def __init__(self, number):
        self.id = number
        self._previous = []

    def _info(self):
        return _npcc.device_info(self.id)

    def attribute(self, number):
        """One of CUDA's attributes by its number. RuntimeError for a number that the driver does not know."""
        return _npcc.device_attribute(self.id, number)

    name = property(lambda self: self._info()["name"])
    total_memory = property(lambda self: self._info()["memory"])
    compute_capability = property(lambda self: divmod(self._info()["capability"], 10))

    def __enter__(self):
        self._previous.append(_npcc.selected_device())
        select_device(self.id)
        return self

    def __exit__(self, *error):
        _npcc.select_device(self._previous.pop())

    def __eq__(self, other):
        return isinstance(other, Device) and self.id == other.id

    def __hash__(self):
        return hash(self.id)

    def __repr__(self):
        return f"<npcc device cuda:{self.id} '{self.name}'>"


class Gpus:
    """The GPUs, as a sequence; `current` is this thread's."""

    @property
    def lst(self):
        return [Device(k) for k in range(_npcc.cuda_device_count())]

    @property
    def current(self):
        return get_current_device()

    def __len__(self):
        return _npcc.cuda_device_count()

    def __iter__(self):
        return iter(self.lst)

    def __getitem__(self, key):
        return self.lst[key]

    def __repr__(self):
        return f"<npcc gpus: {', '.join(d.name for d in self) or 'none'}>"


gpus = Gpus()


def list_devices():
    return gpus


def select_device(number):
    """Makes a GPU this thread's: where arrays, streams and kernels are made that no argument places. ValueError if there is none of the number."""
    current_device()
    if not 0 <= number < len(gpus):
        raise ValueError(f"there is no CUDA device {number}: this machine has {len(gpus)}")
    _npcc.select_device(number)
    return Device(number)


def get_current_device():
    return Device(current_device())


class Context:
    """What CUDA holds for this thread's GPU."""

    def __init__(self, device):
        self.device = Device(device)

    def get_memory_info(self):
        """(free, total) in bytes; what npcc keeps for later arrays is free."""
        return MemoryInfo(*_npcc.memory_info(self.device.id))

    def synchronize(self):
        _npcc.synchronize(self.device.id)

    def reset(self):
        """Waits for the GPU and gives back the memory that npcc keeps."""
        self.synchronize()
        _npcc.trim()


def current_context(device=None):
    return Context(current_device() if device is None else device)


def synchronize():
    """Waits for all of npcc's work on this thread's GPU, on every stream that npcc sent work to; raises what went wrong."""
    _npcc.synchronize(current_device())


def close():
    """Waits for the GPUs and gives back the memory that npcc keeps. Arrays stay as they are."""
    for device in range(_npcc.cuda_device_count()):
        _npcc.synchronize(device)
    _npcc.trim()


@contextlib.contextmanager
def defer_cleanup():
    """For programs written for Numba, where freeing memory may wait for the GPU: npcc's never does, so there is nothing to put off."""
    yield


def require_context(function):
    """For programs written for Numba: npcc opens the GPU when it is first used."""
    return function


#---- Streams and events ----

def stream(blocking=False, priority=0):
    """A new stream on this thread's GPU. blocking: it waits for CUDA's legacy default stream and is waited for. priority: lower goes first."""
    device = current_device()
    return Stream(_npcc.stream_new(device, 0 if blocking else NON_BLOCKING, priority), device, owned=True)


def default_stream():
    """The stream that npcc's work of this thread goes to."""
    device = current_device()
    return Stream(handle_of(None, device), device)


def legacy_default_stream():
    return Stream(LEGACY, current_device())


def per_thread_default_stream():
    return Stream(PER_THREAD, current_device())


def external_stream(ptr):
    """A stream of another library: a handle, or an object that has one. It stays the other's."""
    device = current_device()
    return Stream(handle_of(ptr, device) if ptr else LEGACY, device, owner=ptr)


def event(timing=True, blocking=False):
    """A new event on this thread's GPU."""
    return Event(timing=timing, blocking=blocking)


def event_elapsed_time(start, end):
    """Milliseconds between two events. RuntimeError while the second is not done."""
    return start.elapsed_time(end)


#---- Arrays on a GPU ----

def device_array(shape, dtype=np.float64, strides=None, order="C", stream=None):
    """An npcc.ndarray on this thread's GPU, of undefined contents. strides: of bytes, C's or F's order of the shape. TypeError for a dtype
    that npcc does not know, ValueError for other strides."""
    dtype = np.dtype(dtype)
    shape = tuple(shape) if hasattr(shape, "__iter__") else (int(shape),)
    if strides is not None and dtype.fields is None:
        strides = tuple(strides)
        order = next((o for o in "CF" if np.empty(shape, np.uint8, order=o).strides == tuple(s // dtype.itemsize for s in strides)), None)
        if order is None:
            raise ValueError(f"strides {strides} are not those of a contiguous array of {dtype} with shape {shape}")
    if dtype.fields is not None:
        if order == "F" and len(shape) > 1 or dtype.hasobject:
            raise TypeError(f"records on a GPU are numbers in C order: {dtype}")
        return DeviceRecords(device_array((*shape, dtype.itemsize), np.uint8, stream=stream), dtype)
    if order not in ("C", "F"):
        raise ValueError(f"order is 'C' or 'F', not {order!r}")
    if stream:
        with _use(stream):
            return device_array(shape, dtype, order=order)
    array = _npcc.empty(shape if order == "C" else shape[::-1], dtype, current_device())
    return array if order == "C" else array.T


def device_array_like(ary, stream=None):
    """A device_array of the same shape, dtype and order of axes as another array, as numpy.empty_like has it."""
    return device_array(ary.shape, ary.dtype, order=_order_of(ary), stream=stream)


def to_device(obj, stream=None, copy=True, to=None):
    """A copy of an array (or scalar) on this thread's GPU; `to`: an array there that is filled instead. With a stream, a copy from page-locked
    memory (pinned_array) is not waited for. copy=False: only allocates."""
    if isinstance(obj, DeviceRecords) and to is None:
        return obj
    if isinstance(obj, np.void) and obj.dtype.fields is not None and to is None:
        to = device_array((), obj.dtype, stream=stream)
    if isinstance(obj, _npcc.Array) and not obj.device.startswith("cpu") and to is None:
        return obj
    if not isinstance(obj, (np.ndarray, np.void, _npcc.Array)):
        obj = as_cuda_array(obj) if is_cuda_array(obj) else np.asarray(obj)
    if to is None:
        to = device_array_like(obj, stream=stream)
    if copy:
        to.copy_to_device(obj, stream=stream)
    return to


def as_cuda_array(obj, sync=True):
    """An npcc.ndarray of the memory of another library's array, without a copy; npcc's work waits for the array's stream. NotImplementedError for masked
    arrays."""
    if isinstance(obj, (_npcc.Array, DeviceRecords)):
        return obj
    if getattr(obj, "__cuda_array_interface__", {}).get("mask") is not None:
        raise NotImplementedError("Masked arrays are not supported")
    return _host.host_memory(obj) if _host.ON_CPU else _npcc.from_object(obj)


def from_cuda_array_interface(desc, owner=None, sync=True):
    """An npcc.ndarray of the memory that a dict of the CUDA array interface describes; `owner` lives as long as it. NotImplementedError for masked arrays."""
    class Described:
        __cuda_array_interface__ = desc
        keeps = owner

    return as_cuda_array(Described())


def is_cuda_array(obj):
    return hasattr(obj, "__cuda_array_interface__")


def copy_to_host(array, ary=None, stream=None):
    """As the method of npcc.ndarray."""
    return array.copy_to_host(ary, stream)


#---- Memory of the host ----

def _host_array(kind, shape, dtype, strides, order, write_combined=False):
    dtype = np.dtype(dtype)
    if dtype.hasobject:
        raise TypeError(f"memory for a GPU holds no Python objects: {dtype}")
    template = np.lib.stride_tricks.as_strided(np.empty((), dtype), shape if hasattr(shape, "__iter__") else (shape,), strides) if strides else None
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if template is not None:
        size = sum((n - 1) * s for n, s in zip(template.shape, template.strides)) + dtype.itemsize if template.size else 0
    memory = _npcc.host_memory(kind, current_device(), size, write_combined)
    return np.ndarray(shape, dtype, memory, strides=strides, order=order)


def pinned_array(shape, dtype=np.float64, strides=None, order="C"):
    """A NumPy array in page-locked memory: copies between it and a GPU are fast, and with a stream they are not waited for."""
    return _host_array(PINNED, shape, dtype, strides, order)


def mapped_array(shape, dtype=np.float64, strides=None, order="C", stream=None, portable=False, wc=False):
    """A NumPy array in page-locked memory that own kernels reach in place: they take it, and views of it, as an argument. Synchronize before
    the host reads what a kernel wrote."""
    return _host_array(MAPPED, shape, dtype, strides, order, wc)


def managed_array(shape, dtype=np.float64, strides=None, order="C", stream=None, attach_global=True):
    """A NumPy array in memory that moves between host and GPU as it is touched; own kernels take it. Synchronize before the host touches it
    after a kernel."""
    return _host_array(MANAGED, shape, dtype, strides, order)


def _order_of(array):
    """The order of axes that numpy.empty_like takes from an array."""
    like = np.empty_like(np.lib.stride_tricks.as_strided(np.empty(1, np.dtype(("V", array.dtype.itemsize))), array.shape, array.strides))
    return "F" if like.ndim > 1 and like.flags.f_contiguous and not like.flags.c_contiguous else "C"


def pinned_array_like(ary):
    """A pinned_array of the shape, dtype and order of a NumPy array."""
    return pinned_array(ary.shape, ary.dtype, order=_order_of(ary))


def mapped_array_like(ary):
    """A mapped_array of the shape, dtype and order of a NumPy array."""
    return mapped_array(ary.shape, ary.dtype, order=_order_of(ary))


@contextlib.contextmanager
def mapped(*arrays, **kwargs):
    """For a `with` block: arrays on the GPU in the place of NumPy arrays, which hold afterwards what these held."""
    copies = [to_device(array, stream=kwargs.get("stream")) for array in arrays]
    yield copies[0] if len(copies) == 1 else copies
    for copy, array in zip(copies, arrays):
        copy.copy_to_host(array)


@contextlib.contextmanager
def pinned(*arrays):
    """Page-locks the memory of NumPy arrays for a `with` block."""
    device, done = current_device(), []
    try:
        for array in arrays:
            if not (array.flags.c_contiguous or array.flags.f_contiguous):
                raise ValueError("only contiguous arrays can be page-locked")
            if array.nbytes:
                _npcc.host_register(device, array.ctypes.data, array.nbytes)
                done.append(array.ctypes.data)
        yield arrays[0] if len(arrays) == 1 else arrays
    finally:
        for address in done:
            _npcc.host_unregister(device, address)


DeviceNDArray = ndarray
# `from npcc.cuda.random import ...`, as Numba's packages are imported.
sys.modules[f"{__name__}.libdevice"], sys.modules[f"{__name__}.random"], sys.modules[f"{__name__}.devicearray"] = libdevice, random, devicearray


class Runtime:
    """The version of CUDA, as numba.cuda.runtime has it."""

    def get_version(self):
        """(major, minor) of the CUDA version that the driver runs; (0, 0) without a driver."""
        import ctypes
        number = ctypes.c_int(0)
        try:
            ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(number))
        except OSError:
            pass
        return number.value // 1000, number.value % 1000 // 10

    def is_supported_version(self):
        return is_supported_version()


runtime = Runtime()


#---- For profilers ----

def _profiler(call):
    import ctypes
    try:
        getattr(ctypes.CDLL("libcuda.so.1"), call)()
    except OSError:
        pass  # no driver, nothing to profile


def profile_start():
    """Lets a profiler that waits for it begin (cuProfilerStart)."""
    _profiler("cuProfilerStart")


def profile_stop():
    _profiler("cuProfilerStop")


@contextlib.contextmanager
def profiling():
    """A profiler that waits for it sees what runs in a `with` block."""
    profile_start()
    yield
    profile_stop()


if _host.ON_CPU:
    from .threads.host import *
