"""The dot product of two long vectors."""
import numpy as np


# npcc export dot(float64[:], float64[:]), dot(float32[:], float32[:])
def dot(x, y):
    return np.sum(x * y)


if __name__ == "__main__":
    n = 1_000_000
    print(dot(np.ones(n), np.arange(n) / n))
