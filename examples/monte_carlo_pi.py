"""Pi, from the share of given points of the unit square that lie in the quarter circle."""
import numpy as np


# npcc export pi(float64[:], float64[:]), pi(float32[:], float32[:])
def pi(x, y):
    return 4 * np.sum(x * x + y * y <= 1.0) / x.size


if __name__ == "__main__":
    points = np.random.default_rng(0).random((2, 1_000_000))
    print(pi(points[0], points[1]))
