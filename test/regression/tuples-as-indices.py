# RUN: %python %s
"""A tuple whose length is known at run time only was an index of positions along the first axis, or an IndexError. One of an array of constant extent
has that length."""
import numpy as np

import npcc


@npcc.jit
def cluster(spins, seed, times):
    rng = np.random.default_rng(seed)
    sizes = []
    for _ in range(times):
        start = tuple(rng.integers(0, len(spins), 2))
        spin = spins[start]
        todo, seen = [start], {start}
        while todo:
            i, j = todo.pop()
            for there in [((i + 1) % len(spins), j), (i, (j + 1) % len(spins))]:
                if there not in seen and spins[there] == spin:
                    seen.add(there)
                    todo.append(there)
        for place in seen:
            spins[place] = -spin
        sizes.append(len(seen))
    return sizes


@npcc.jit
def changed(a, positions):
    at = tuple(positions)
    a[at] += 5
    a[tuple(p - 1 for p in positions)] = -1
    return a[at]


spins = np.random.default_rng(1).choice([-1, 1], (6, 6))
other = spins.copy()
assert cluster(spins, 3, 4) == cluster.py_func(other, 3, 4) and np.array_equal(spins, other)
a, b = np.zeros((3, 4)), np.zeros((3, 4))
assert changed(a, np.array([1, 2])) == changed.py_func(b, np.array([1, 2])) and np.array_equal(a, b)
try:
    changed(a, np.array([1, 2, 3]))
except IndexError as error:
    assert str(error) == "too many indices for array: array is 2-dimensional, but 3 were indexed"
else:
    raise AssertionError
try:
    changed(a, np.array([1]))  # a row: its type would depend on the length
except NotImplementedError:
    pass
