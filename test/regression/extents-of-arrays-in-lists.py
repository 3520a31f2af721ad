# RUN: %python %s
"""np.cross() of arrays from a list, or of one that a loop carries, was an array of either of two ranks: how many components the vectors have was not known,
though all arrays of the list have as many."""
import warnings

import numpy as np

import npcc

warnings.simplefilter("ignore", DeprecationWarning)  # of vectors of two components


def joints(links, steps):
    frame = np.broadcast_to(np.eye(4), links.shape[1:])
    frames = [frame]
    for k in range(steps):
        frame = frame @ links[k]
        frames.append(frame)
    tip = frame[:, :3, 3]
    return np.stack([np.cross(f[:, :3, 2], tip - f[:, :3, 3]) for f in frames[:-1]], axis=2)


def carried(links, steps):
    x = np.ones((links.shape[1], 3))
    total = 0.0
    for k in range(steps):
        x = x + np.cross(x, np.array([0.0, 0.1, 0.2]))
        total = total + np.cross(x, x[::-1] * 2).sum()
    return x, total


def either(links, steps):
    """Vectors of two and of three: each has its own product."""
    x = np.ones((links.shape[1], 2))
    found = []
    for k in range(steps):
        if k > 1:
            y = np.ones((links.shape[1], 3))
            found.append(np.cross(y, y + k).sum())
        else:
            found.append(np.cross(x, x + k).sum())
    return found


def changing(links, steps):
    x = np.ones((4, 3))
    for k in range(steps):
        y = np.cross(x, x + 1)
        x = np.ones((4, 2 + k % 2))
    return y.shape


links = np.random.default_rng(0).random((5, 7, 4, 4))
for target in ("cpu", "cuda") if npcc.cuda.is_available() else ("cpu",):
    for function in joints, carried, either:
        for steps in 1, 5:
            result, expected = npcc.jit(function, target=target, cache=False)(links, steps), function(links, steps)
            for mine, other in zip(result, expected):
                assert np.allclose(mine, other), (function.__name__, steps)
    # What an extent is at first is not what it is later.
    for steps in 2, 3:
        assert npcc.jit(changing, target=target, cache=False)(links, steps) == changing(links, steps)
