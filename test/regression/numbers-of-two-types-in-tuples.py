# RUN: %python %s
"""A list of tuples did not take an int or float where it had ints, and a dict that a comprehension made did not become one of computed keys."""
import heapq
import itertools
import math

import npcc


def shortest(roads, start):
    length, came = {place: math.inf for place in roads}, {place: None for place in roads}
    length[start] = 0
    waiting = [(0, start)]
    while waiting:
        here, place = heapq.heappop(waiting)
        if here > length[place]:
            continue
        for other, more in roads[place]:
            if here + more < length[other]:
                length[other] = here + more
                came[other] = place
                heapq.heappush(waiting, (length[other], other))
    return length, came


def on_a_ring(n, start):
    length = {k: math.inf for k in range(n)}
    length[start] = 0
    stack = [(0, start)]
    while stack:
        here, k = stack.pop()
        for other in ((2 * k) % n, (k + 1) % n):
            if here + 1 < length[other]:
                length[other] = here + 1
                stack.append((length[other], other))
    return length


def visited(names, start):
    marks = {name: 0 for name in names}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if marks[name] > 1:
            continue
        marks[name] += 1
        waiting.append(name)
    return marks


def by_operators_names(scores, ages):
    order = sorted(range(len(scores)), key=scores.__getitem__)
    return order, sorted(ages, key=ages.__getitem__), scores.__len__(), scores.__contains__(2)


def side_by_side(left, right):
    return list(itertools.zip_longest(left, right)), [a + b for a, b in itertools.zip_longest(left, right, fillvalue=0)]


ROADS = {"a": [("b", 1), ("c", 4)], "b": [("c", 2), ("d", 6)], "c": [("d", 3)], "d": []}
for function, *arguments in ((shortest, ROADS, "a"), (shortest, ROADS, "c"), (on_a_ring, 20, 3), (visited, ["x", "y"], "y"),
                             (by_operators_names, [3, 1, 2], {"u": 5, "v": 4}), (side_by_side, [1, 2, 3], [4]), (side_by_side, [], [4])):
    result, expected = npcc.jit(function, target="cpu", cache=False)(*arguments), function(*arguments)
    assert repr(result) == repr(expected), (function.__name__, arguments, result, expected)
