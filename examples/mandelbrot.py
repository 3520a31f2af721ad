"""Escape times of the Mandelbrot set: a while loop that ends when every point has escaped."""
import numpy as np


# npcc export mandelbrot(complex128[:,:], int)
def mandelbrot(c, limit):
    """In which round |z| exceeded 2, by point; `limit` for those that never did."""
    z = np.zeros_like(c)
    rounds = np.full(c.shape, limit)
    inside = np.ones(c.shape, dtype=bool)
    k = 0
    while k < limit and np.any(inside):
        z = np.where(inside, z * z + c, z)
        escaped = inside & (z.real * z.real + z.imag * z.imag > 4.0)
        rounds[escaped] = k
        inside &= ~escaped
        k += 1
    return rounds


if __name__ == "__main__":
    c = np.linspace(-2.1, 0.7, 72) + 1j * np.linspace(-1.2, 1.2, 26)[:, np.newaxis]
    for row in mandelbrot(c, 50):
        print("".join(" .:-=+*#%@"[min(9, k // 5)] for k in row))
