"""pycuda.tools: pools of memory, what a device has, and how many blocks fit on it. npcc keeps freed memory for later arrays itself, so the pools are names
for that."""
import functools
import os

import numpy as np

from .. import _npcc
from . import driver
from .reduction import TYPES


def make_default_context(ctx_maker=None):
    """The context of the GPU that the environment variable CUDA_DEVICE names, or of the first one. RuntimeError where there is none."""
    make = ctx_maker or (lambda device: device.make_context())
    return make(driver.Device(int(os.environ.get("CUDA_DEVICE", "0"))))


def get_default_device(default=0):
    return driver.Device(int(os.environ.get("CUDA_DEVICE", default)))


class DeviceData:
    """What a GPU has for a block and a multiprocessor."""

    def __init__(self, dev=None):
        dev = dev or driver.Context.get_device()
        self.max_threads = dev.MAX_THREADS_PER_BLOCK
        self.warp_size = dev.WARP_SIZE
        self.warps_per_mp = dev.MAX_THREADS_PER_MULTI_PROCESSOR // max(self.warp_size, 1)
        self.thread_blocks_per_mp = dev.MAX_BLOCKS_PER_MULTIPROCESSOR
        self.registers = dev.MAX_REGISTERS_PER_BLOCK
        self.shared_memory = dev.MAX_SHARED_MEMORY_PER_BLOCK
        self.shared_memory_granularity = 128
        self.smem_granularity = 16

    def align(self, bytes, word_size=4):
        return -(-bytes // self.align_bytes(word_size)) * self.align_bytes(word_size)

    def align_dtype(self, elements, dtype_size):
        return self.align(elements * dtype_size, dtype_size) // dtype_size

    @staticmethod
    def align_bytes(word_size=4):
        return {4: 64, 8: 128, 16: 128}[word_size]


class OccupancyRecord:
    """How many blocks of so many threads, bytes of shared memory, and registers of a thread a multiprocessor runs at once: `tb_per_mp`, `warps_per_mp`, `occupancy`,
    and `limited_by` ("warps", "shared memory", "registers", "thread blocks"). ValueError for more threads or bytes than a block has."""

    def __init__(self, devdata, threads, shared_mem=0, registers=0):
        if threads > devdata.max_threads:
            raise ValueError("too many threads")
        if shared_mem > devdata.shared_memory:
            raise ValueError("too much shared memory")
        warps = -(-threads // devdata.warp_size)
        limits = {"warps": devdata.warps_per_mp // warps}
        if devdata.thread_blocks_per_mp:
            limits["thread blocks"] = devdata.thread_blocks_per_mp
        if shared_mem:
            limits["shared memory"] = devdata.shared_memory // (-(-shared_mem // devdata.shared_memory_granularity) * devdata.shared_memory_granularity)
        if registers:
            limits["registers"] = devdata.registers // (warps * devdata.warp_size * registers)
        self.limited_by, self.tb_per_mp = min(limits.items(), key=lambda limit: limit[1])
        self.warps_per_mp = self.tb_per_mp * warps
        self.occupancy = self.warps_per_mp / devdata.warps_per_mp


class DeviceMemoryPool:
    """`allocate(bytes)` gives memory of the GPU."""

    def allocate(self, size):
        return driver.mem_alloc(size)

    def free_held(self):
        """Gives back the memory that npcc keeps."""
        _npcc.trim()

    stop_holding = free_held


class PageLockedMemoryPool:
    """`allocate(shape, dtype)` gives a NumPy array in page-locked memory."""

    def allocate(self, shape, dtype, order="C"):
        return driver.pagelocked_empty(shape, dtype, order)

    def free_held(self):
        pass

    stop_holding = free_held


def dtype_to_ctype(dtype):
    """The name of a dtype in CUDA C. ValueError for one that has none."""
    dtype = np.dtype(dtype)
    names = {np.dtype(bool): "bool", np.dtype(np.complex64): "pycuda::complex<float>", np.dtype(np.complex128): "pycuda::complex<double>", **TYPES}
    if dtype not in names:
        raise ValueError(f"unable to map dtype '{dtype}'")
    return names[dtype]


def context_dependent_memoize(function):
    """There is one context, so this is functools.cache."""
    return functools.cache(function)


def clear_context_caches():
    pass


def mark_cuda_test(function):
    """For tests: PyCUDA makes a context for each."""
    return function


__all__ = ["make_default_context", "get_default_device", "DeviceData", "OccupancyRecord", "DeviceMemoryPool", "PageLockedMemoryPool", "dtype_to_ctype",
           "context_dependent_memoize", "clear_context_caches", "mark_cuda_test"]
