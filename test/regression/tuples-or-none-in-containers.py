# RUN: %python %s
"""Dicts and lists whose values are tuples, None, numbers and strings were refused: {start: None} of a search that gets the places it came from."""
import heapq

import npcc


def path(grid):
    rows, columns = len(grid), len(grid[0])
    start, goal = (0, 0), (rows - 1, columns - 1)
    came, length = {start: None}, {start: 0}
    heap = [(0, start)]
    while heap:
        _, place = heapq.heappop(heap)
        if place == goal:
            break
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            other = place[0] + down, place[1] + right
            if 0 <= other[0] < rows and 0 <= other[1] < columns and grid[other[0]][other[1]] == 0:
                more = length[place] + 1
                if other not in length or more < length[other]:
                    length[other] = more
                    came[other] = place
                    heapq.heappush(heap, (more, other))
    steps, place = [], goal
    while place is not None:
        steps.append(place)
        place = came[place]
    return steps[::-1], came


def mixture(n):
    items = []
    for k in range(n):
        items.append(k if k % 4 == 0 else (k, k / 2) if k % 4 == 1 else "text" if k % 4 == 2 else None)
    pairs = sum(item[0] for item in items if isinstance(item, tuple))
    return items, pairs, items[-1], len(items)


def two_kinds_of_tuples(n):
    marks = {}
    for k in range(n):
        if k % 2:
            marks[k] = (k, "odd")
        else:
            marks[k] = (k * 0.5, k, True)
    return marks, marks[n - 1], [v for v in marks.values() if len(v) == 2]


def best_so_far(values):
    best = [None] * 3
    for k, value in enumerate(values):
        if best[k % 3] is None or best[k % 3][0] < value:
            best[k % 3] = (value, k)
    return best


def replaced(n):
    items = [(0, 1), None, (2, 3)]
    for k in range(n):
        items[k % 3] = None if k % 2 else (k, k + 1)
        items.append((k, -k))
    return items, items.pop(), (0, 0) in items, None in items


GRID = [[0, 0, 0, 1], [1, 1, 0, 1], [0, 0, 0, 0], [0, 1, 1, 0]]
for function, argument in ((path, GRID), (mixture, 9), (mixture, 0 + 2), (two_kinds_of_tuples, 5), (best_so_far, [3, 1, 4, 1, 5, 9, 2]), (best_so_far, [1]),
                           (replaced, 4)):
    result, expected = npcc.jit(function, target="cpu", cache=False)(argument), function(argument)
    assert repr(result) == repr(expected), (function.__name__, argument, result, expected)
