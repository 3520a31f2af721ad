"""y = a*x + y, as an explicit loop over the elements."""
import numpy as np

import npcc


def saxpy(a: float, x: npcc.f32[:], y: npcc.f32[:]):
    for i in range(x.shape[0]):
        y[i] = a * x[i] + y[i]


if __name__ == "__main__":
    x, y = np.arange(8, dtype=np.float32), np.ones(8, np.float32)
    saxpy(2.0, x, y)
    print(y)
