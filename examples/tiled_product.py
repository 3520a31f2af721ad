"""A matrix product by tiles in shared memory: a kernel that each thread of a grid runs."""
import numpy as np

import npcc
from npcc import cuda

TILE = 16


@cuda.jit
def product(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), npcc.float32)
    tile_b = cuda.shared.array((TILE, TILE), npcc.float32)
    column, row = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = npcc.float32(0)
    for start in range(0, a.shape[1], TILE):
        tile_a[y, x] = a[row, start + x] if row < a.shape[0] and start + x < a.shape[1] else 0
        tile_b[y, x] = b[start + y, column] if start + y < b.shape[0] and column < b.shape[1] else 0
        cuda.syncthreads()
        for k in range(TILE):
            total += tile_a[y, k] * tile_b[k, x]
        cuda.syncthreads()
    if row < c.shape[0] and column < c.shape[1]:
        c[row, column] = total


if __name__ == "__main__":
    random = np.random.default_rng(0)
    a, b = random.random((100, 70), np.float32), random.random((70, 130), np.float32)
    c = np.zeros((100, 130), np.float32)
    product[(-(-130 // TILE), -(-100 // TILE)), (TILE, TILE)](a, b, c)
    print("largest difference from NumPy:", abs(c - a @ b).max())
