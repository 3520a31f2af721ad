# RUN: %python %s
"""The values of dicts in a list are of several types, also arrays. numpy.array() of the numbers, or of the arrays, under one key gives what is there;
dict.fromkeys() gives all keys the one value."""

import numpy as np

import npcc


@npcc.jit
def columns(count):
    bees = []
    for i in range(count):
        bees.append({"cost": 1.5 * i, "trials": i, "place": np.full(2, float(i))})
    for bee in bees:
        bee["place"][0] -= bee["cost"]
    weights = 1 / (1 + np.array([bee["cost"] for bee in bees]))
    return weights, np.array([bee["trials"] for bee in bees]), np.array([bee["place"] for bee in bees]), np.mean([bee["cost"] for bee in bees])


weights, trials, places, mean = columns(4)
assert weights.dtype == float and np.array_equal(weights, 1 / (1 + 1.5 * np.arange(4)))
assert trials.dtype == int and np.array_equal(trials, np.arange(4))
assert np.array_equal(places, [[-0.5 * i, i] for i in range(4)])
assert mean == 2.25


@npcc.jit
def of_both(count):
    items = [1.0, np.zeros(2)]
    for _ in range(count):
        items.append(2.0)
    try:
        return str(np.array(items).sum())
    except ValueError as error:
        return str(error)


assert of_both(2) == of_both.__wrapped__(2)


@npcc.jit
def shared(names):
    lists = dict.fromkeys(names, [])
    lists[names[0]].append(4)
    return [len(lists[name]) for name in names]


assert shared(["x", "y"]) == [1, 1]
