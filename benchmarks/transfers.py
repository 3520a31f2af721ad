"""How fast NumPy arrays come to a GPU and back: as arguments of calls, first and warm, pageable and page-locked, beside plain copies of page-locked memory.

    python3 benchmarks/transfers.py [MiB of an array]
"""
import sys
import time

import numpy as np

import npcc
from npcc import cuda


@npcc.jit(target="cuda")
def increment(x):
    x += 1


@npcc.jit(target="cuda")
def read(x):
    return x[-1]


@npcc.jit(target="cuda")
def make(x, n):
    return np.zeros(n) + x[0]


def seconds(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def row(name, nbytes, run, repeats=5):
    first = seconds(run)
    warm = sorted(seconds(run) for _ in range(repeats))[repeats // 2]
    print(f"{name:44} first {nbytes / first / 1e9:6.1f} GB/s, warm {nbytes / warm / 1e9:6.1f} GB/s", flush=True)


def main(mebibytes=1024):
    n = mebibytes * 2**20 // 8
    little = np.zeros(8)
    increment(little), read(little), make(little, 8)  # compiled, and the GPU is ready
    row("arguments: first call of the process, read", n * 8, lambda array=np.ones(n): read(array))
    locked, device = cuda.pinned_array(n), npcc.empty(n, device="cuda")
    locked[:] = 0
    stream = cuda.stream()

    def copy(to_device):
        device.copy_to_device(locked, stream=stream) if to_device else device.copy_to_host(locked, stream=stream)
        stream.synchronize()

    row("page-locked memory to the GPU", n * 8, lambda: copy(True))
    row("page-locked memory from the GPU", n * 8, lambda: copy(False))
    pageable = np.ones(n)
    row("argument that is read", n * 8, lambda: read(pageable))
    row("argument that is written, there and back", 2 * n * 8, lambda: increment(pageable))
    row("result", n * 8, lambda: make(little, n))
    row("page-locked argument that is read", n * 8, lambda: read(locked))
    row("page-locked argument, there and back", 2 * n * 8, lambda: increment(locked))
    row("npcc.array(x, device='cuda')", n * 8, lambda: npcc.array(pageable, device="cuda"))
    row("x.get()", n * 8, lambda: device.get())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
