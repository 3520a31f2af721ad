"""npcc.cuda without a GPU: with the environment variable NPCC_CUDA_TARGET=cpu (or debug) kernels run on the CPU, and its arrays, streams and events are the
host's. For tests of programs that are written for GPUs; what is done is done when a call comes back."""
import contextlib
import os
import time

import numpy as np

from .. import _npcc
from ..callbacks import Callbacks
from ..device_attributes import NUMBERS, Attributes

IN_PLACE = os.environ.get("NPCC_CUDA_TARGET")  # the target that stands for a GPU
ON_CPU = IN_PLACE in ("cpu", "debug")
COOPERATIVE_STACK = 128 << 10  # bytes of each thread of a launch whose blocks wait for each other (runtime/cpu/Threads.cpp)


class Described:
    """The memory that an object with the CUDA array interface describes, as an array of the host's."""

    def __init__(self, interface, owner):
        address, is_read_only = interface["data"]
        # Where there is nothing to point at, any address will do.
        self.__array_interface__ = dict(version=3, shape=tuple(interface["shape"]), typestr=interface["typestr"], strides=interface.get("strides"),
                                        data=(address or np.empty(1).ctypes.data, is_read_only))
        if interface.get("descr"):
            self.__array_interface__["descr"] = interface["descr"]
        self.owner = owner


def host_memory(value):
    """An argument of a kernel without a GPU: another library's array of device memory, which is the host's here, in place."""
    if isinstance(value, (np.ndarray, np.generic, _npcc.Array, int, float, complex)) or not hasattr(value, "__cuda_array_interface__") \
            or hasattr(value, "in_kernels"):
        return value
    array = np.asarray(Described(value.__cuda_array_interface__, value))
    return array if array.dtype.fields is not None else _npcc.from_object(array)


class HostStream(Callbacks):
    """Work on it is done when the call that sent it comes back."""
    ptr = handle = device_id = 0

    def __bool__(self):
        return False

    def __int__(self):
        return 0

    def synchronize(self):
        pass

    def query(self):
        return True

    done = property(query)

    def record(self, event=None):
        return (event or HostEvent()).record()

    def wait_event(self, event):
        pass

    def wait_stream(self, other):
        pass

    @contextlib.contextmanager
    def auto_synchronize(self):
        yield self

    def keep(self, array):
        pass


class HostEvent:
    def __init__(self, timing=True, blocking=False):
        self.timing, self.time = timing, None

    def record(self, stream=None):
        self.time = time.perf_counter()
        return self

    def synchronize(self):
        pass

    def wait(self, stream=None):
        pass

    def query(self):
        return True

    done = property(query)

    def elapsed_time(self, end):
        if not (self.timing and end.timing):
            raise ValueError("the events were made with timing=False")
        return 1000 * (end.time - self.time)


# What the CPU's kernels keep to (runtime/cpu/Threads.cpp), and what programs divide work by.
LIMITS = dict(MAX_THREADS_PER_BLOCK=1024, MAX_BLOCK_DIM_X=1024, MAX_BLOCK_DIM_Y=1024, MAX_BLOCK_DIM_Z=64, MAX_GRID_DIM_X=2**31 - 1, MAX_GRID_DIM_Y=65535,
              MAX_GRID_DIM_Z=65535, MAX_SHARED_MEMORY_PER_BLOCK=48 << 10, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN=227 << 10, WARP_SIZE=32,
              MULTIPROCESSOR_COUNT=os.cpu_count() or 1, MAX_THREADS_PER_MULTI_PROCESSOR=1024, COMPUTE_CAPABILITY_MAJOR=9, UNIFIED_ADDRESSING=1,
              CAN_MAP_HOST_MEMORY=1, MANAGED_MEMORY=1, COOPERATIVE_LAUNCH=1)
BY_NUMBER = {NUMBERS[name]: value for name, value in LIMITS.items()}


class HostDevice(Attributes):
    """The CPU in a GPU's place."""
    id = 0
    name = "CPU"
    compute_capability = (9, 0)

    def attribute(self, number):
        return BY_NUMBER.get(number, 0)

    @property
    def total_memory(self):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def reset(self):
        pass


class HostContext:
    device = HostDevice()

    def get_memory_info(self):
        from ..cuda import MemoryInfo
        page = os.sysconf("SC_PAGE_SIZE")
        return MemoryInfo(page * os.sysconf("SC_AVPHYS_PAGES"), page * os.sysconf("SC_PHYS_PAGES"))

    def synchronize(self):
        pass

    def reset(self):
        pass


class HostDevices(list):
    lst = property(list)
    current = property(lambda self: self[0])


gpus = HostDevices([HostContext.device])


def is_available():
    return True


def detect():
    print("Found 1 device: the CPU, as NPCC_CUDA_TARGET says")
    return True


def list_devices():
    return gpus


def select_device(number):
    if number != 0:
        raise ValueError(f"there is no CUDA device {number}: this machine has 1")
    return gpus[0]


def get_current_device():
    return gpus[0]


def current_context(device=None):
    return HostContext()


def synchronize():
    pass


def close():
    pass


def stream(blocking=False, priority=0):
    return HostStream()


default_stream = legacy_default_stream = per_thread_default_stream = stream


def external_stream(ptr):
    return HostStream()


def event(timing=True, blocking=False):
    return HostEvent(timing, blocking)


def pinned_array(shape, dtype=np.float64, strides=None, order="C"):
    return np.ndarray(shape, dtype, strides=strides, order=order)


def mapped_array(shape, dtype=np.float64, strides=None, order="C", stream=None, portable=False, wc=False):
    return pinned_array(shape, dtype, strides, order)


def managed_array(shape, dtype=np.float64, strides=None, order="C", stream=None, attach_global=True):
    return pinned_array(shape, dtype, strides, order)


@contextlib.contextmanager
def pinned(*arrays):
    yield arrays[0] if len(arrays) == 1 else arrays


__all__ = ["gpus", "is_available", "detect", "list_devices", "select_device", "get_current_device", "current_context", "synchronize", "close", "stream",
           "default_stream", "legacy_default_stream", "per_thread_default_stream", "external_stream", "event", "pinned_array", "mapped_array", "managed_array",
           "pinned"]
