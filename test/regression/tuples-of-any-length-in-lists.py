# RUN: %python %s
"""Tuples with ever more items that are put into lists, deques and heaps, and handed to a function that calls itself."""
import heapq
from collections import deque

import npcc


def paths(n):
    found = []

    def go(node, path):
        if node >= n:
            found.append(path)
            return
        go(node + 1, path + (node,))
        go(node + 2, path + (node,))

    go(0, ())
    return found


def shortest(n):
    waiting, seen = deque([((0, 0), ())]), {(0, 0)}
    while waiting:
        (x, y), path = waiting.popleft()
        if x == n and y == n:
            return path
        for dx, dy, name in ((1, 0, "R"), (0, 1, "D")):
            place = (x + dx, y + dy)
            if place not in seen and place[0] <= n and place[1] <= n:
                seen.add(place)
                waiting.append((place, path + (name,)))
    return None


def code_lengths(n):
    heap = [(k * 7 % 5 + 1, (k,)) for k in range(n)]
    heapq.heapify(heap)
    lengths = {k: 0 for k in range(n)}
    while len(heap) > 1:
        a, mine = heapq.heappop(heap)
        b, other = heapq.heappop(heap)
        for k in mine + other:
            lengths[k] += 1
        heapq.heappush(heap, (a + b, mine + other))
    return lengths


def sequences(n):
    found = [()]
    for k in range(n):
        longer = []
        for one in found:
            longer.append(one + (k,))
            longer.append(one + (k + 1,))
        found = longer
    return found


def comprehended(n):
    found = [()]
    for _ in range(n):
        found = [one + (digit,) for one in found for digit in range(2)]
    return found


for function in paths, shortest, code_lengths, sequences, comprehended:
    compiled = npcc.jit(function, target="cpu")
    compiled.inspect("np", "int")  # raises what is refused: no part of it is left to Python
    for n in 1, 2, 4:
        want, got = function(n), compiled(n)
        assert repr(got) == repr(want), (function.__name__, n, got, want)
