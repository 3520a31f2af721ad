"""Heat conduction in a plate: a five-point stencil, two buffers swapped in a time loop.

The border rows and columns keep their temperature. Plain NumPy; compiled ahead of time by

    npcc examples/heat.py -o heat.so
"""
import numpy as np


def plate(n, dtype=np.float64):
    """A cold plate of n x n cells with a hot square in the middle."""
    u = np.zeros((n, n), dtype)
    u[n // 3:2 * n // 3, n // 3:2 * n // 3] = 100
    return u


# npcc export diffuse(float64[:,:], float, int), diffuse(float32[:,:], float, int)
def diffuse(u, k, steps):
    """The temperatures after `steps` time steps; k = conductivity * dt / dx**2 is at most 1/4."""
    u = u.copy()
    v = u.copy()
    for _ in range(steps):
        v[1:-1, 1:-1] = u[1:-1, 1:-1] + k * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        u, v = v, u
    return u


# npcc export diffuse_between(float64[:,:], float64[:,:], float, int)
def diffuse_between(u, v, k, steps):
    """The same in two buffers of the caller's; the one that holds the result is returned. v has u's border."""
    for _ in range(steps):
        v[1:-1, 1:-1] = u[1:-1, 1:-1] + k * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        u, v = v, u
    return u


if __name__ == "__main__":
    u = diffuse(plate(120), 0.2, 500)
    print(f"after 500 steps: {u.min():.3f} to {u.max():.3f}, mean {u.mean():.3f}")
