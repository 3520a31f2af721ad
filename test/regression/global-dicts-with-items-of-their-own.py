# RUN: %python %s
"""A global dict of a class that finds items in a way of its own was looked into as if it were a plain one: KeyError, where a defaultdict makes the entry."""
import collections

import npcc


class Doubling(dict):
    def __missing__(self, key):
        return 2 * key


class Constant(dict):
    def __getitem__(self, key):
        return 9


SEEN, COUNTS, DOUBLING, CONSTANT = collections.defaultdict(int), collections.Counter(), Doubling({1: 1}), Constant({1: 1})
ORDERED = collections.OrderedDict({1: 5})


def looked_up(n):
    return SEEN[n], COUNTS[n], DOUBLING[n], CONSTANT[n]


def known(n):
    return SEEN[3], COUNTS[3], DOUBLING[1], CONSTANT[1], ORDERED[1]


def changed(n):
    for k in range(n):
        SEEN[k % 2] += k
        COUNTS[n] += 1
    return len(SEEN), n in SEEN, SEEN.get(7, 5), COUNTS[n]


def result(function, n):
    for each in (SEEN, COUNTS):
        each.clear()
    return repr((function(n), SEEN, COUNTS, DOUBLING, CONSTANT))


for function in (looked_up, known, changed):
    for target in ("cpu", "debug"):
        compiled = npcc.jit(function, target=target)
        for n in (1, 4, 4):
            assert result(compiled, n) == result(function, n), (function.__name__, n, result(compiled, n), result(function, n))
