# RUN: %python %s
"""A list that holds an array at first and takes others in a branch of a while loop was refused; so was an array of what sum() gives of lists of arrays,
which is a number where a list is empty."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def accepted(y, limit):
    times, states = [0.0], [y]
    t, step = 0.0, 0.25
    while t < limit:
        if step > 0.1:
            t, y = t + step, y * 2
            times.append(t)
            states.append(y)
        step = 0.3 - step
        t += 0.01
    return np.array(times), np.array(states), states


found, given = accepted(np.arange(3.0), 1.0), accepted.py_func(np.arange(3.0), 1.0)
assert all(np.array_equal(x, y) for x, y in zip(found, given)) and len(found[2]) == len(given[2])


@npcc.jit(target="cpu")
def stages(x, counts):
    rows = []
    for count in counts:
        terms = []
        for k in range(count):
            terms.append(x * k)
        rows.append(sum(terms))
    return np.array(rows)


counts = np.array([1, 3, 2])
assert np.array_equal(stages(np.ones(2), counts), stages.py_func(np.ones(2), counts))
for bad, error in ((np.array([1, 0]), ValueError), (np.array([0, 1]), ValueError)):
    try:
        stages(np.ones(2), bad)
    except error:
        continue
    raise AssertionError(bad)
