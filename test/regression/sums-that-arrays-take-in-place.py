# RUN: %python %npcc_src/test/fuzz/run.py --file %s --target cpu
# The sum is Python's 0 if there are no items, and a float64 else: what the float32 array takes is another result then.
import numpy as np


def program(b, d, e):
    d += sum(b.reshape(-1))
    e -= sum(b[2:, 0])
    d[0] *= sum(b[0])
    e[[0]] += sum(b[:, 1])
    np.add(d, sum(b[1]), out=d)
    return d, e


def arguments():
    return [np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0], dtype=np.float32), np.array([5], dtype=np.float32)]
