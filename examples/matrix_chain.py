"""A product, elementwise functions of it, and a sum along the rows."""
import numpy as np


# npcc export matrix_chain(float64[:,:], float64[:,:], float64[:,:]), matrix_chain(float32[:,:], float32[:,:], float32[:,:])
def matrix_chain(a, b, c):
    d = a @ b + c
    return np.sum(np.sin(d) + np.cos(d), axis=1)


if __name__ == "__main__":
    n = 4
    print(matrix_chain(np.eye(n), np.arange(n * n, dtype=float).reshape(n, n), np.ones((n, n))))
