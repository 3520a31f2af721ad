#!/usr/bin/env python3
"""Own kernels beside their peers: the same algorithm as a thread-level kernel of npcc's, as CUDA C through CuPy's RawKernel, and as a kernel of Numba's where
that is installed. One table of milliseconds for each; the matrix product beside cuBLAS, too.

    own_kernels.py [--repeat 20] [--small] [--json benchmarks/data/own-kernels-h100.json]

Needs a GPU and CuPy. Each kernel's result is compared with the others'. The time is that of the launches between two events, the least of five rounds.
"""
import argparse
import json
import math
import sys

import numpy as np

import machine

TILE, STEP, PART = 128, 8, 8  # of the matrix product: a block's part of the result, columns at a time, and a thread's part
BLOCK, BINS, LIMIT = 256, 256, 256


def kernels_of(cuda, float32, int32):
    """The kernels, for npcc.cuda or numba.cuda."""

    @cuda.jit(fastmath=True)
    def product(a, b, c):
        """A block of 256 threads computes 128 by 128 elements, a thread 8 by 8; both matrices come through shared memory 8 columns or rows at a time."""
        tile_a = cuda.shared.array((STEP, TILE), float32)
        tile_b = cuda.shared.array((STEP, TILE), float32)
        part = cuda.local.array((PART, PART), float32)
        from_a = cuda.local.array(PART, float32)
        from_b = cuda.local.array(PART, float32)
        t = cuda.threadIdx.x
        row, column = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
        y, x = t // 16, t % 16
        for i in range(PART):
            for j in range(PART):
                part[i, j] = 0
        for start in range(0, a.shape[1], STEP):
            for i in range(4):
                tile_a[t % 8, t // 8 + 32 * i] = a[row + t // 8 + 32 * i, start + t % 8]
                tile_b[t // 128 + 2 * i, t % 128] = b[start + t // 128 + 2 * i, column + t % 128]
            cuda.syncthreads()
            for k in range(STEP):
                for i in range(PART // 2):
                    from_a[i] = tile_a[k, y * 4 + i]
                    from_a[i + 4] = tile_a[k, 64 + y * 4 + i]
                    from_b[i] = tile_b[k, x * 4 + i]
                    from_b[i + 4] = tile_b[k, 64 + x * 4 + i]
                for i in range(PART):
                    for j in range(PART):
                        part[i, j] += from_a[i] * from_b[j]
            cuda.syncthreads()
        for i in range(PART):
            for j in range(PART):
                c[row + (i // 4) * 64 + y * 4 + i % 4, column + (j // 4) * 64 + x * 4 + j % 4] = part[i, j]

    @cuda.jit(fastmath=True)
    def total(x, out):
        part = cuda.shared.array(32, float32)
        own = float32(0)
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            own += x[i]
        for step in (16, 8, 4, 2, 1):
            own += cuda.shfl_down_sync(0xFFFFFFFF, own, step)
        t = cuda.threadIdx.x
        if t % 32 == 0:
            part[t // 32] = own
        cuda.syncthreads()
        if t < 32:
            own = part[t] if t < BLOCK // 32 else float32(0)
            for step in (16, 8, 4, 2, 1):
                own += cuda.shfl_down_sync(0xFFFFFFFF, own, step)
            if t == 0:
                cuda.atomic.add(out, 0, own)

    @cuda.jit
    def histogram(x, counts):
        own = cuda.shared.array(BINS, int32)
        t = cuda.threadIdx.x
        own[t] = 0
        cuda.syncthreads()
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            cuda.atomic.add(own, x[i], 1)
        cuda.syncthreads()
        cuda.atomic.add(counts, t, own[t])

    @cuda.jit
    def scan(x, sums):
        """Running sums of each block of BLOCK numbers, in steps that double."""
        part = cuda.shared.array(BLOCK, float32)
        t, i = cuda.threadIdx.x, cuda.grid(1)
        part[t] = x[i]
        cuda.syncthreads()
        step = 1
        while step < BLOCK:
            before = part[t - step] if t >= step else float32(0)
            cuda.syncthreads()
            part[t] += before
            cuda.syncthreads()
            step *= 2
        sums[i] = part[t]

    @cuda.jit(fastmath=True)
    def bodies(places, forces):
        """places: x, y, z and mass of each body."""
        tile = cuda.shared.array((BLOCK, 4), float32)
        i, t = cuda.grid(1), cuda.threadIdx.x
        x, y, z = places[i, 0], places[i, 1], places[i, 2]
        fx, fy, fz = float32(0), float32(0), float32(0)
        for start in range(0, places.shape[0], BLOCK):
            for k in range(4):
                tile[t, k] = places[start + t, k]
            cuda.syncthreads()
            for j in range(BLOCK):
                dx, dy, dz = tile[j, 0] - x, tile[j, 1] - y, tile[j, 2] - z
                inverse = float32(1) / math.sqrt(dx * dx + dy * dy + dz * dz + float32(1e-3))
                pull = tile[j, 3] * inverse * inverse * inverse
                fx += dx * pull
                fy += dy * pull
                fz += dz * pull
            cuda.syncthreads()
        forces[i, 0], forces[i, 1], forces[i, 2] = fx, fy, fz

    @cuda.jit(fastmath=True)
    def mandelbrot(rounds, left, top, step):
        column, row = cuda.grid(2)
        if row < rounds.shape[0] and column < rounds.shape[1]:
            cx, cy = left + float32(column) * step, top + float32(row) * step
            x, y, k = float32(0), float32(0), int32(0)
            while k < LIMIT and x * x + y * y <= float32(4):
                x, y = x * x - y * y + cx, float32(2) * x * y + cy
                k += int32(1)
            rounds[row, column] = k

    return dict(product=product, total=total, histogram=histogram, scan=scan, bodies=bodies, mandelbrot=mandelbrot)


SOURCE = r"""
#define TILE 128
#define STEP 8
#define PART 8
#define BLOCK 256
#define LIMIT 256
extern "C" {
__global__ void product(const float *a, const float *b, float *c, int m, int n, int p) {
  __shared__ float ta[STEP][TILE], tb[STEP][TILE];
  float part[PART][PART] = {}, fa[PART], fb[PART];
  int t = threadIdx.x, row = blockIdx.y * TILE, column = blockIdx.x * TILE, y = t / 16, x = t % 16;
  for (int start = 0; start < n; start += STEP) {
    for (int i = 0; i < 4; ++i) {
      ta[t % 8][t / 8 + 32 * i] = a[(long long)(row + t / 8 + 32 * i) * n + start + t % 8];
      tb[t / 128 + 2 * i][t % 128] = b[(long long)(start + t / 128 + 2 * i) * p + column + t % 128];
    }
    __syncthreads();
    for (int k = 0; k < STEP; ++k) {
      for (int i = 0; i < 4; ++i) {
        fa[i] = ta[k][y * 4 + i]; fa[i + 4] = ta[k][64 + y * 4 + i];
        fb[i] = tb[k][x * 4 + i]; fb[i + 4] = tb[k][64 + x * 4 + i];
      }
      for (int i = 0; i < PART; ++i)
        for (int j = 0; j < PART; ++j) part[i][j] += fa[i] * fb[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < PART; ++i)
    for (int j = 0; j < PART; ++j)
      c[(long long)(row + (i / 4) * 64 + y * 4 + i % 4) * p + column + (j / 4) * 64 + x * 4 + j % 4] = part[i][j];
}
__global__ void total(const float *x, float *out, long long n) {
  __shared__ float part[32];
  float own = 0;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) own += x[i];
  for (int step = 16; step; step /= 2) own += __shfl_down_sync(0xffffffffu, own, step);
  int t = threadIdx.x;
  if (t % 32 == 0) part[t / 32] = own;
  __syncthreads();
  if (t < 32) {
    own = t < BLOCK / 32 ? part[t] : 0.0f;
    for (int step = 16; step; step /= 2) own += __shfl_down_sync(0xffffffffu, own, step);
    if (t == 0) atomicAdd(out, own);
  }
}
__global__ void histogram(const int *x, int *counts, long long n) {
  __shared__ int own[256];
  int t = threadIdx.x;
  own[t] = 0;
  __syncthreads();
  for (long long i = blockIdx.x * (long long)blockDim.x + t; i < n; i += (long long)gridDim.x * blockDim.x) atomicAdd(&own[x[i]], 1);
  __syncthreads();
  atomicAdd(&counts[t], own[t]);
}
__global__ void scan(const float *x, float *sums) {
  __shared__ float part[BLOCK];
  int t = threadIdx.x;
  long long i = blockIdx.x * (long long)blockDim.x + t;
  part[t] = x[i];
  __syncthreads();
  for (int step = 1; step < BLOCK; step *= 2) {
    float before = t >= step ? part[t - step] : 0.0f;
    __syncthreads();
    part[t] += before;
    __syncthreads();
  }
  sums[i] = part[t];
}
__global__ void bodies(const float *places, float *forces, long long n) {
  __shared__ float tile[BLOCK][4];
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float x = places[4 * i], y = places[4 * i + 1], z = places[4 * i + 2], fx = 0, fy = 0, fz = 0;
  for (long long start = 0; start < n; start += BLOCK) {
    for (int k = 0; k < 4; ++k) tile[t][k] = places[4 * (start + t) + k];
    __syncthreads();
    for (int j = 0; j < BLOCK; ++j) {
      float dx = tile[j][0] - x, dy = tile[j][1] - y, dz = tile[j][2] - z;
      float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
      float pull = tile[j][3] * inverse * inverse * inverse;
      fx += dx * pull; fy += dy * pull; fz += dz * pull;
    }
    __syncthreads();
  }
  forces[4 * i] = fx; forces[4 * i + 1] = fy; forces[4 * i + 2] = fz;
}
__global__ void mandelbrot(int *rounds, float left, float top, float step, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float cx = left + column * step, cy = top + row * step, x = 0, y = 0;
  int k = 0;
  while (k < LIMIT && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    ++k;
  }
  rounds[row * columns + column] = k;
}
}
"""


def problems(small):
    """name -> (grid, block, the arguments as NumPy arrays and numbers, which of them is the result, what the CUDA C takes besides, expected or None)."""
    random = np.random.default_rng(0)
    n = 512 if small else 4096
    many, count, rows, columns = (1 << 16, 2048, 270, 480) if small else (1 << 26, 65536, 2160, 3840)
    a, b = random.random((n, n), np.float32), random.random((n, n), np.float32)
    x = random.random(many, np.float32)
    bins = random.integers(0, BINS, many, np.int32)
    blocks = min(many // BLOCK, 4096)
    places = random.random((count, 4), np.float32)
    f4, i4, i8 = np.float32, np.int32, np.int64
    return {
        "product": ((n // TILE, n // TILE), 256, [a, b, np.zeros((n, n), f4)], 2, (i4(n), i4(n), i4(n)), lambda: a @ b),
        "total": (blocks, BLOCK, [x, np.zeros(1, f4)], 1, (i8(many),), lambda: [x.sum(dtype=np.float64)]),
        "histogram": (min(blocks, 1024), BLOCK, [bins, np.zeros(BINS, i4)], 1, (i8(many),), lambda: np.bincount(bins, minlength=BINS)),
        "scan": (many // BLOCK, BLOCK, [x, np.zeros(many, f4)], 1, (), lambda: x.reshape(-1, BLOCK).cumsum(1, np.float64).ravel()),
        "bodies": (count // BLOCK, BLOCK, [places, np.zeros((count, 4), f4)], 1, (i8(count),), None),
        "mandelbrot": ((-(-columns // 32), -(-rows // 8)), (32, 8), [np.zeros((rows, columns), i4), f4(-2.1), f4(-1.2), f4(2.4 / rows)], 0,
                       (i4(rows), i4(columns)), None),
    }


def numbers_behind(given):
    """Numbers behind the arrays of a problem."""
    return [value for value in given if not isinstance(value, np.ndarray)]


class Npcc:
    name = "npcc"

    def __init__(self):
        import npcc
        from npcc import cuda
        self.cuda, self.kernels = cuda, kernels_of(cuda, npcc.float32, npcc.int32)

    def launcher(self, name, grid, block, given, more):
        arguments = [self.cuda.to_device(v) if isinstance(v, np.ndarray) else v for v in given]
        launch = self.kernels[name][grid, block]
        return (lambda: launch(*arguments)), arguments

    def to_host(self, array):
        return array.copy_to_host()

    def milliseconds(self, run, repeat):
        start, end = self.cuda.event(), self.cuda.event()
        start.record()
        for _ in range(repeat):
            run()
        end.record()
        end.synchronize()
        return self.cuda.event_elapsed_time(start, end) / repeat


def prepare_numba():
    """Before it is imported: Numba names what later versions of NumPy dropped."""
    for name, other in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, name):
            setattr(np, name, getattr(np, other))


class Numba(Npcc):
    name = "Numba"

    def __init__(self):
        prepare_numba()
        import numba
        from numba import cuda
        if not cuda.is_available():
            raise ImportError("Numba finds no GPU")
        self.cuda, self.kernels = cuda, kernels_of(cuda, numba.float32, numba.int32)


class CudaC:
    name = "CUDA C (CuPy)"

    def __init__(self):
        import cupy
        self.cupy = cupy
        self.module = cupy.RawModule(code=SOURCE, options=("--use_fast_math",))

    def launcher(self, name, grid, block, given, more):
        arguments = [self.cupy.asarray(v) if isinstance(v, np.ndarray) else v for v in given]
        kernel = self.module.get_function(name)
        grid, block = (v if isinstance(v, tuple) else (v,) for v in (grid, block))
        passed = (*arguments, *more)
        return (lambda: kernel(grid, block, passed)), arguments

    def to_host(self, array):
        return array.get()

    def milliseconds(self, run, repeat):
        start, end = self.cupy.cuda.Event(), self.cupy.cuda.Event()
        start.record()
        for _ in range(repeat):
            run()
        end.record()
        end.synchronize()
        return self.cupy.cuda.get_elapsed_time(start, end) / repeat


class Library(CudaC):
    """cuBLAS for the matrix product, in float32's own precision."""
    name = "cuBLAS"

    def __init__(self):
        import cupy
        self.cupy = cupy

    def launcher(self, name, grid, block, given, more):
        if name != "product":
            return None, None
        a, b, c = map(self.cupy.asarray, given)
        return (lambda: self.cupy.matmul(a, b, out=c)), [a, b, c]


def least_time(peer, run, repeat):
    run()
    peer.milliseconds(run, 1)
    return min(peer.milliseconds(run, repeat) for _ in range(5))


def check(name, peer, found, expected):
    if expected is None:
        return
    good = np.array_equal(found, expected) if found.dtype.kind == "i" else np.allclose(found, expected, rtol=2e-3, atol=1e-2)
    if name == "mandelbrot":  # a rounding more or less decides at the border
        good = (found != expected).mean() < 0.01
    if not good:
        sys.exit(f"{peer.name}: {name} is wrong")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--small", action="store_true", help="small arrays, to try the script")
    parser.add_argument("--json", help="file for the times")
    options = parser.parse_args()
    peers = []
    for kind in (Npcc, CudaC, Library, Numba):
        try:
            peers.append(kind())
        except Exception as error:  # not installed, or not for these versions of the others
            print(f"without {kind.name}: {error}")
    times = {}
    print(f"{'ms':12}" + "".join(f"{peer.name:>16}" for peer in peers))
    for name, (grid, block, given, result, more, expected) in problems(options.small).items():
        expected, row = expected and np.asarray(expected()), []
        for peer in peers:
            run, arguments = peer.launcher(name, grid, block, given, more)
            if run is None:
                row.append(None)
                continue
            run()
            found = peer.to_host(arguments[result])
            if expected is None:
                expected = found
            check(name, peer, found, expected)
            row.append(least_time(peer, run, options.repeat))
        print(f"{name:12}" + "".join(f"{time:16.4f}" if time is not None else f"{'':16}" for time in row), flush=True)
        times[name] = {peer.name: time for peer, time in zip(peers, row) if time is not None}
        if name == "product":
            rate = 2 * len(given[0]) ** 3 / 1e9
            print(f"{'  TFLOP/s':12}" + "".join(f"{rate / time:16.2f}" for time in row if time is not None))
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"machine": machine.describe(), "milliseconds": times}, file, indent=1)


if __name__ == "__main__":
    main()
