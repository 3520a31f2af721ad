# RUN: timeout 120 %python %s
"""next() of itertools.product(), combinations() and permutations(): each call of the functions that make them, which call themselves, became a generator
of its own, of another type than the one around it, so that their import did not end."""
import itertools

import npcc


def products(n):
    pairs = itertools.product(range(n), "ab", repeat=1)
    first = next(pairs)
    return first, next(pairs), list(pairs), next(itertools.product([1], []), None), next(itertools.product())


def combinations(n):
    pairs, total = itertools.combinations(range(n), 2), 0
    while True:
        pair = next(pairs, None)
        if pair is None:
            return total
        total = 3 * total + pair[0] * pair[1]


def with_replacement(n):
    triples = itertools.combinations_with_replacement([5, 6, 7], 3)
    return [next(triples) for _ in range(n)]


def permutations(n):
    some, all_ = itertools.permutations(range(n), 2), itertools.permutations([3, 1, 2])
    next(all_)
    return next(some), next(some), next(all_), list(all_), list(some)


def ended(n):
    pairs = itertools.combinations(range(n), 2)
    next(pairs)
    try:
        return next(pairs)
    except StopIteration:
        return "ended"


for function, n in ((products, 3), (combinations, 6), (with_replacement, 10), (permutations, 4), (ended, 2)):
    assert npcc.jit(function, target="cpu")(n) == function(n), function
