"""What a launch costs the host, in microseconds: own kernels of three arrays, in CUDA C and of threads, with arrays of npcc's, CuPy's and
PyTorch's, and the kernels of CuPy, PyTorch and Numba where they are installed.

    python3 benchmarks/launches.py [launches]
"""
import sys
import time

import numpy as np

import npcc
import own_kernels

SOURCE = r"""
extern "C" __global__ void add_arrays(const float *x, const float *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = x[i] + y[i];
}
"""
THREADS = 128


def adder(cuda):
    """The same kernel as a function of a thread, for npcc.cuda or numba.cuda."""
    @cuda.jit
    def add_arrays(x, y, z, n):
        i = cuda.grid(1)
        if i < n:
            z[i] = x[i] + y[i]

    return add_arrays


def measure(name, launch, wait, launches):
    """The median of batches that are short enough for the GPU's queue not to be full."""
    launch()
    wait()
    times = []
    for _ in range(max(1, launches // 200)):
        start = time.perf_counter()
        for _ in range(200):
            launch()
        times.append((time.perf_counter() - start) / 200)
        wait()
    print(f"{name:48} {sorted(times)[len(times) // 2] * 1e6:7.2f} us")


def arguments(module):
    return [module.zeros(THREADS, np.float32) for _ in range(3)]


def main():
    launches = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    kernel = npcc.RawKernel(SOURCE, "add_arrays")
    stream = npcc.cuda.stream()
    plus = npcc.ElementwiseKernel("T x, T y", "T z", "z = x + y", "plus")
    mine = tuple(arguments(npcc))
    measure("RawKernel, npcc's arrays", lambda: kernel((1,), (THREADS,), (*mine, THREADS)), npcc.synchronize, launches)
    measure("RawKernel, npcc's arrays, a stream", lambda: kernel((1,), (THREADS,), (*mine, THREADS), stream=stream), npcc.synchronize, launches)
    measure("ElementwiseKernel, npcc's arrays", lambda: plus(*mine), npcc.synchronize, launches)
    of_threads = adder(npcc.cuda)
    measure("cuda.jit, npcc's arrays", lambda: of_threads[1, THREADS](*mine, THREADS), npcc.synchronize, launches)
    configured = of_threads[1, THREADS]
    measure("cuda.jit, npcc's arrays, configured once", lambda: configured(*mine, THREADS), npcc.synchronize, launches)
    configured_stream = of_threads[1, THREADS, stream]
    measure("cuda.jit, npcc's arrays, a stream", lambda: configured_stream(*mine, THREADS), npcc.synchronize, launches)
    try:
        own_kernels.prepare_numba()
        from numba import cuda as numba_cuda
        numbas = [numba_cuda.to_device(np.zeros(THREADS, np.float32)) for _ in range(3)]
        peer = adder(numba_cuda)[1, THREADS]
        measure("numba.cuda.jit, configured once", lambda: peer(*numbas, THREADS), numba_cuda.synchronize, launches)
    except Exception as reason:
        print("no Numba:", reason)
    try:
        import torch
        tensors = tuple(torch.zeros(THREADS, device="cuda") for _ in range(3))
        measure("RawKernel, PyTorch's tensors", lambda: kernel((1,), (THREADS,), (*tensors, THREADS)), npcc.synchronize, launches)
        measure("cuda.jit, PyTorch's tensors", lambda: configured(*tensors, THREADS), npcc.synchronize, launches)
        measure("torch.add", lambda: torch.add(tensors[0], tensors[1], out=tensors[2]), torch.cuda.synchronize, launches)
    except Exception as reason:
        print("no PyTorch:", reason)
    try:
        import cupy
        theirs = tuple(arguments(cupy))
    except Exception as reason:
        print("no CuPy:", reason)
        return
    peer = cupy.RawKernel(SOURCE, "add_arrays")
    peer_plus = cupy.ElementwiseKernel("T x, T y", "T z", "z = x + y", "plus")
    measure("RawKernel, CuPy's arrays", lambda: kernel((1,), (THREADS,), (*theirs, THREADS)), npcc.synchronize, launches)
    measure("cuda.jit, CuPy's arrays", lambda: configured(*theirs, THREADS), npcc.synchronize, launches)
    measure("cupy.RawKernel", lambda: peer((1,), (THREADS,), (*theirs, np.int32(THREADS))), cupy.cuda.Device().synchronize, launches)
    measure("cupy.ElementwiseKernel", lambda: peer_plus(*theirs), cupy.cuda.Device().synchronize, launches)


if __name__ == "__main__":
    main()
