# RUN: %python %s
"""A name that is a list of known items before a loop and one of run-time length behind some iterations was taken to change its type in every import of
the loop."""
import math
import random

import npcc


@npcc.jit(target="cpu")
def anneal(points, steps, seed):
    rng = random.Random(seed)
    far = [[math.hypot(a[0] - b[0], a[1] - b[1]) for b in points] for a in points]
    tour = list(range(len(points)))
    best = tour[:]
    current = shortest = sum(far[tour[k - 1]][tour[k]] for k in range(len(tour)))
    heat = 10.0
    for _ in range(steps):
        i, j = sorted(rng.sample(range(len(tour)), 2))
        candidate = tour[:i] + tour[i : j + 1][::-1] + tour[j + 1 :]
        length = sum(far[candidate[k - 1]][candidate[k]] for k in range(len(candidate)))
        if length < current or rng.random() < math.exp((current - length) / heat):
            tour, current = candidate, length
            if current < shortest:
                best, shortest = tour[:], current
        heat *= 0.98
    return best, shortest


points = [(0, 0), (3, 1), (6, 0), (6, 4), (3, 5), (0, 4)]
assert anneal(points, 200, 5) == anneal.py_func(points, 200, 5)
