# RUN: %python %s
"""Combinations and permutations of as many items as the call says could not be compiled, and it took a minute to say so."""
import itertools

import npcc


def closest(items, target):
    best = None
    for k in range(1, len(items) + 1):
        for chosen in itertools.combinations(items, k):
            if sum(chosen) <= target and (best is None or sum(chosen) > best[0]):
                best = (sum(chosen), chosen)
    return best


def shortest(places):
    best, order = 1e9, None
    for tour in itertools.permutations(range(len(places))):
        length = sum(abs(places[a] - places[b]) for a, b in zip(tour, tour[1:]))
        if length < best:
            best, order = length, tour
    return best, order


def counts(items, r):
    return [len(list(chosen(items, k))) for chosen in (itertools.permutations, itertools.combinations, itertools.combinations_with_replacement) for k in range(r)]


for function, arguments in ((closest, ([3, 34, 4, 12, 5, 2], 9)), (closest, ([5], 1)), (shortest, ([3.0, 1.5, 9.0, 2.0],)), (counts, ([1, 2, 3], 6))):
    assert repr(npcc.jit(target="cpu")(function)(*arguments)) == repr(function(*arguments)), function.__name__
