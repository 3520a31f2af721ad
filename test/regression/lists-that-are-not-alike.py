# RUN: %python %s
"""Where a loop over given lists of several lengths was too much code, the function was imported again and again, with its integers known, too, before its
lists became objects."""
import npcc


def frequent(baskets, least):
    counts = {}
    for basket in baskets:
        for item in basket:
            counts[frozenset([item])] = counts.get(frozenset([item]), 0) + 1
    return sorted(tuple(sorted(items)) for items, count in counts.items() if count >= least)


baskets = [[1, 2, 3], [1, 2], [2, 3, 4, 7], [1, 2, 3], [9], [1, 4, 5], [2, 3]]
before = npcc.counters()["imports"]
assert npcc.jit(frequent, target="cpu")(baskets, 2) == frequent(baskets, 2)
assert npcc.counters()["imports"] - before <= 4, npcc.counters()["imports"] - before
