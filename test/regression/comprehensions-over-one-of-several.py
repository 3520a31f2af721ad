# RUN: %python %s
"""A comprehension or generator expression over a name that holds one of several tuples or lists was left to Python."""
from itertools import combinations

import npcc


@npcc.jit(target="cpu")
def best(limit):
    weights = (9, 13, 153, 50, 15)
    most, chosen = 0, ()
    for k in range(1, 4):
        for some in combinations(weights, k):
            total = sum(some)
            if most < total <= limit:
                most, chosen = total, some
    return most, [2 * weight for weight in chosen], sum(weight > 10 for weight in chosen), {weight: 1 for weight in chosen}


for limit in (5, 20, 70, 300):
    assert best(limit) == best.py_func(limit), (limit, best(limit))
best.inspect("np", "int")  # raises what is refused: no part of it is left to Python
