"""Kernels that each thread of a grid runs: a histogram, running sums, and bodies that attract each other."""
import math

import numpy as np

import npcc
from npcc import cuda

BINS, BLOCK = 16, 128


@cuda.jit
def histogram(x, counts):
    """How many numbers of [0, 1) are in each bin: a block counts in its own memory first."""
    own = cuda.shared.array(BINS, npcc.int32)
    t = cuda.threadIdx.x
    if t < BINS:
        own[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(own, int(x[i] * BINS), 1)
    cuda.syncthreads()
    if t < BINS:
        cuda.atomic.add(counts, t, own[t])


@cuda.jit
def running_sums(x, sums):
    """Of each row of BLOCK numbers, in steps that double."""
    part = cuda.shared.array((2, BLOCK), npcc.float64)
    row, t, now, step = cuda.blockIdx.x, cuda.threadIdx.x, 0, 1
    part[now, t] = x[row, t]
    cuda.syncthreads()
    while step < BLOCK:
        part[1 - now, t] = part[now, t] + (part[now, t - step] if t >= step else 0.0)
        now = 1 - now
        step *= 2
        cuda.syncthreads()
    sums[row, t] = part[now, t]


@cuda.jit(device=True)
def attraction(ax, ay, x, y, other_x, other_y):
    dx, dy = other_x - x, other_y - y
    inverse = 1 / math.sqrt(dx * dx + dy * dy + 1e-3)
    cube = inverse * inverse * inverse
    return ax + dx * cube, ay + dy * cube


@cuda.jit
def accelerate(places, velocities, dt):
    """One step of bodies of mass 1: a block brings one tile of bodies after the other into its memory."""
    tile = cuda.shared.array((BLOCK, 2), npcc.float64)
    i, t = cuda.grid(1), cuda.threadIdx.x
    count = places.shape[0]
    x, y = (places[i, 0], places[i, 1]) if i < count else (0.0, 0.0)
    ax, ay = 0.0, 0.0
    for start in range(0, count, BLOCK):
        if start + t < count:
            tile[t, 0] = places[start + t, 0]
            tile[t, 1] = places[start + t, 1]
        cuda.syncthreads()
        for j in range(min(BLOCK, count - start)):
            ax, ay = attraction(ax, ay, x, y, tile[j, 0], tile[j, 1])
        cuda.syncthreads()
    if i < count:
        velocities[i, 0] += ax * dt
        velocities[i, 1] += ay * dt


if __name__ == "__main__":
    random = np.random.default_rng(0)
    x, counts = random.random(10000), np.zeros(BINS, np.int32)
    histogram[8, BLOCK](x, counts)
    print("histogram:", (counts == np.histogram(x, BINS, (0, 1))[0]).all())

    rows = random.random((5, BLOCK))
    sums = np.zeros_like(rows)
    running_sums[5, BLOCK](rows, sums)
    print("running sums:", np.allclose(sums, rows.cumsum(1)))

    places, velocities = random.random((300, 2)), np.zeros((300, 2))
    accelerate[-(-300 // BLOCK), BLOCK](places, velocities, 0.1)
    apart = places[None] - places[:, None]
    expected = (apart / ((apart**2).sum(-1) + 1e-3)[..., None] ** 1.5).sum(1) * 0.1
    print("bodies:", np.allclose(velocities, expected))
