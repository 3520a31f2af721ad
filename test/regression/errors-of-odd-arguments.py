# RUN: %python %s
"""Arguments that NumPy refuses, or takes, at the edge of what it says of them: compiled code agrees in the values, the error's class and its words."""
import numpy as np

import npcc

CASES = {
    "lexsort": [lambda a: np.lexsort(a[:0]), lambda a: np.lexsort(a[0], 1), lambda a: np.lexsort(a[0])],
    "roll": [lambda a: np.roll(a, (1, 2), axis=(0, 1, 2)), lambda a: np.roll(a, (1, 2), axis=(0, 1))],
    "repeat": [lambda a: np.repeat(a, 1.5), lambda a: np.repeat(a, 2.5, axis=1)],
    "tensordot": [lambda a: np.tensordot(a, a[0], 3), lambda a: np.tensordot(a, a, 2), lambda a: np.tensordot(a, a.T, 1)],
    "tile": [lambda a: np.tile(a, -1), lambda a: np.tile(a, (2, -1))],
    "broadcast_to": [lambda a: np.broadcast_to(a, -1), lambda a: np.broadcast_to(a, (-1, 3))],
    "expand_dims": [lambda a: np.expand_dims(a, (0, 0))],
    "zeros": [lambda a: np.zeros(2.5), lambda a: np.zeros((2, 2.5))],
    "sum": [lambda a: np.sum(a, axis="x")],
    "pad": [lambda a: np.pad(a[0, 0].reshape(()), 1, "reflect"), lambda a: np.pad(a[0, 0].reshape(()), 1, "mean")],
    "sliding_window_view": [lambda a: np.lib.stride_tricks.sliding_window_view(a, -1)],
    "reduceat": [lambda a: np.add.reduceat(a.sum(), [0], axis=4), lambda a: np.add.reduceat(a.sum(), [0])],
    "ravel_multi_index": [lambda a: np.ravel_multi_index((a[0], a[0] > 1), (9, 9)),
                          lambda a: np.ravel_multi_index((a[0].astype(int), a[0] > 1), (9, 9)),
                          lambda a: np.ravel_multi_index((a[0].astype(int), a[0, :2] > 1), (9, 9))],
    "unwrap": [lambda a: np.unwrap(a[0, 0].reshape(()), axis=0)],
    "rfft2": [lambda a: np.fft.rfft2(a, axes=(1, 1)), lambda a: np.fft.rfft2(a, axes=(0, -2)), lambda a: np.fft.irfft2(a, axes=(1, -1)),
              lambda a: np.fft.fft2(a, axes=(0, 0))],
    "pinv": [lambda a: np.linalg.pinv(np.zeros((0, 2, 2), int)), lambda a: np.linalg.pinv(np.zeros((0, 2), int))],
    "bitwise_or": [lambda a: np.bitwise_or.reduce(a[0, 0].astype(np.uint8), keepdims=True)],
    "choose": [lambda a: np.choose([0, 1], (a, a)), lambda a: np.choose([0, 1, 0], (a, a[0])),
               lambda a: np.choose(np.asarray(1), (a[0, 0], a[1, 1]))],
}


def run(function, *arguments):
    try:
        return np.asarray(function(*arguments))
    except Exception as error:
        return type(error).__name__, str(error)


for name, functions in CASES.items():
    for k, function in enumerate(functions):
        a = np.arange(6.0).reshape(2, 3)
        expected, found = run(function, a), run(npcc.jit(target="cpu")(function), a)
        if isinstance(expected, tuple):
            assert expected == found, (name, k, expected, found)
        else:
            assert not isinstance(found, tuple), (name, k, found)
            assert expected.dtype == found.dtype and expected.shape == found.shape and np.allclose(expected, found), (name, k, expected, found)
