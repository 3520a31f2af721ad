# RUN: %python %s
"""A function with *args, as those are that draw the frames of an animation, had no large arrays of globals, and assigned to no global."""
import numpy as np

import npcc

Z = np.zeros((20, 30))
FRAMES = 0
TRACE = [0]
SMALL = np.zeros(3)


class Account:
    made = 0


def update(*args, scale=1.0, **more):
    global FRAMES, Z
    FRAMES += 1
    Z[1:-1] += Z[:-2] * scale + len(args)
    Z *= 0.5
    SMALL[len(args)] = Z.sum()
    TRACE.append(FRAMES)
    Account.made += len(more)
    return Z.sum()


def run(f):
    global Z, FRAMES
    Z, FRAMES, Account.made, TRACE[:], SMALL[:] = np.arange(600.0).reshape(20, 30), 0, 0, [0], 0
    old = Z
    results = [f(), f(1, scale=2.0), f(1, 2, other=3)]
    Z = Z + 1  # another array
    results += [f(1), Z.sum(), old.sum(), FRAMES, Account.made, list(TRACE), SMALL.tolist()]
    return results


expected = run(update)
found = run(npcc.jit(update))
assert found == expected, (found, expected)
