# RUN: env NPCC_CACHE=0 %python %s
# The objects of a function call each other within 2 GiB, wherever the process has free addresses: here small holes, 3 GiB apart, which take one object each.
import ctypes

import numpy as np

import npcc

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
PRIVATE, ANONYMOUS, NORESERVE = 2, 0x20, 0x4000


def reserve(size):
    return libc.mmap(None, size, 0, PRIVATE | ANONYMOUS | NORESERVE, -1, 0)


def scatter():
    """Fills what is free between libraries, then leaves holes of 12 KiB in what is reserved."""
    for size in (1 << 20, 1 << 16, 1 << 14, 1 << 12):
        for _ in range(300):
            reserve(size)
    for _ in range(64):
        start = reserve(3 << 30)
        libc.munmap(start + (1 << 30), 12 << 10)


@npcc.jit(target="cpu")
def norms(a, b, c):
    return np.sqrt(np.sum(a**2, -1)), np.sum(b * a, 0), np.cumsum(c), np.sort(c), np.exp(a) / b


a = np.arange(1.0, 61.0).reshape(6, 10)
scatter()
for expected, got in zip(norms.__wrapped__(a, a, a[0]), norms(a, a, a[0])):
    np.testing.assert_allclose(got, expected)
