# RUN: %python %s
"""Lists as Python has them: slices with a step that are assigned to, enumerate() of one that shrinks, sort() of ints and floats, lists from either of two
places in a display, and recursive functions of ever new strings; ranges as arguments and results, itemgetter(), statistics, dict.fromkeys()."""
import math
import operator
import statistics

import npcc


def sieve(n):
    is_prime = [True] * (n + 1)
    for k in range(2, int(n**0.5) + 1):
        if is_prime[k]:
            is_prime[k * k :: k] = [False] * len(range(k * k, n + 1, k))
    is_prime[-1:-4:-2] = [False, False]
    return [k for k in range(2, n + 1) if is_prime[k]]


def wrong_size(items):
    items[::2] = [1]


def thinned(items):
    for k, x in enumerate(items):
        if x > 3:
            items.pop(k)
    return items


def quick(items):
    if len(items) < 2:
        return items
    pivot = items.pop(len(items) // 2)
    return [*quick([x for x in items if x <= pivot]), pivot, *quick([x for x in items if x > pivot])]


def edits(one, other):
    if not one or not other:
        return len(one) + len(other)
    if one[-1] == other[-1]:
        return edits(one[:-1], other[:-1])
    return 1 + min(edits(one[:-1], other), edits(one, other[:-1]), edits(one[:-1], other[:-1]))


def buckets(items):
    found = [[] for _ in range(10)]
    for x in items:
        found[x % 10].append(x)
    return found


def over(numbers, x):
    total = 0
    for k in numbers:
        total += k
    return total, len(numbers), x in numbers, numbers


CALLS = [
    (sieve, 60), (thinned, [5, 6, 1, 7]), (quick, [3, 1, 2, 9, 4]), (edits, "abc", "yabd"), (buckets, [12, 3, 52, 7]), (over, range(3, 9, 2), 5),
    (lambda items: sorted(items), [3, 7.5, 13, 2]),
    (lambda x, y: sorted([x, y]), 2, 1.5),
    (lambda pairs: sorted(pairs, key=operator.itemgetter(1)), [(1, 3), (2, 1)]),
    (lambda keys: (dict.fromkeys(keys, 0), dict.fromkeys(range(3))), ["a", "b"]),
    (lambda items: (statistics.mean(items), statistics.median(items), statistics.mode(items)), [1, 2, 4, 5]),
]  # fmt: skip
for function, *arguments in CALLS:
    mine = [x.copy() if isinstance(x, list) else x for x in arguments]
    result = npcc.jit(function, target="cpu", cache=False)(*mine)
    expected = function(*arguments)
    assert repr((result, mine)) == repr((expected, arguments)), (result, mine, expected, arguments)

try:
    npcc.jit(wrong_size, target="cpu", cache=False)([1, 2, 3])
except ValueError as error:
    assert str(error) == "attempt to assign sequence of size 1 to extended slice of size 2", error
else:
    raise AssertionError("no error")

spreads = npcc.jit(lambda items: (statistics.stdev(items), statistics.pvariance(items), statistics.fmean(items)), target="cpu", cache=False)([1.5, 2.25, 4.0])
for got, expected in zip(spreads, (statistics.stdev([1.5, 2.25, 4.0]), statistics.pvariance([1.5, 2.25, 4.0]), statistics.fmean([1.5, 2.25, 4.0]))):
    assert math.isclose(got, expected, rel_tol=1e-15), (got, expected)
