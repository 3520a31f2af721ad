# RUN: %python %s
"""A read-only argument that some path stores into was refused at the call, before any effect and on every path; NumPy fails at the store."""
import numpy as np

import npcc


def stores(a, b, kind):
    b += 1
    x = a
    if kind == 1:
        x = np.where(a > 0, a, a)
    if kind == 2:
        x = a[::-1][1:]
    if kind == 3:
        x[:2] = 7
    if kind == 4:
        x += 1
    if kind == 5:
        np.add(a, 1, out=x)
    if kind == 6:
        x.sort()
    if kind == 7:
        x[x > 2] = 1
    if kind == 8:
        x[[0, 1]] = 5
    if kind == 9:
        for i in range(x.shape[0]):
            b[i] += i
            x[i] = i
    if kind == 10:
        x.reshape(2, -1)[0] = 1
    if kind == 11:
        for i in range(3):
            x, y = b, x
            b += 1
            if i == 2:
                y[0] = 3
    if kind == 12:
        np.multiply(a, 2, out=x, where=a > 1)
    if kind == 13:
        x[0] += 1
    if kind == 14:
        x.fill(3)
    if kind == 15:
        return x
    if 0 < kind < 3:
        x[:1] = 2
    b += 1
    return b


def shuffles_along_no_axis(a, b):
    b += 1
    np.random.default_rng(5).shuffle(a, axis=2)  # NumPy looks whether it may before it looks at the axis
    return b


def updates(a, b):
    b += 1
    np.add.at(a, slice(1, None), 2.0)
    return a


def arrays(lock):
    a, b = np.arange(8.0)[::-1].copy(), np.zeros(8)
    a.flags.writeable = not lock
    return a, b


def outcome(function, lock, kind):
    a, b = arrays(lock)
    try:
        result = function(a, b, kind) if kind is not None else function(a, b)
        result = result.tolist(), result.flags.writeable
    except (ValueError, np.exceptions.AxisError) as error:
        result = str(error)
    return result, a.tolist(), b.tolist()


compiled = npcc.jit(stores, target="cpu")
for lock in (True, False):
    for kind in range(16):
        expected, given = outcome(stores, lock, kind), outcome(compiled, lock, kind)
        assert expected == given, (lock, kind, expected, given)
    for function in shuffles_along_no_axis, updates:
        expected, given = outcome(function, lock, None), outcome(npcc.jit(function, target="cpu"), lock, None)
        assert expected == given, (lock, function.__name__, expected, given)
# Elements between are as they were, and a stretched argument is read-only.
stretched = np.broadcast_to(np.float64(3), (8,))
assert outcome(lambda _, b, kind: compiled(stretched, b, kind), False, 0)[0] == ([2.0] * 8, True)
assert outcome(lambda _, b, kind: compiled(stretched, b, kind), False, 3)[0] == "assignment destination is read-only"
