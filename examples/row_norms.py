"""The Euclidean norms of the rows of a 3-D array."""
import numpy as np


# npcc export row_norms(float64[:,:,:] or float32[:,:,:])
def row_norms(x):
    return np.sqrt(np.sum(x**2, axis=-1))


if __name__ == "__main__":
    print(row_norms(np.arange(24.0).reshape(2, 3, 4)))
