# RUN: %python %s
# A part of a tuple with bounds of run time was a TypeError, an array of tuples whose length is known at run time only was refused, and so were rows of
# an array of strings in a loop.
import numpy as np

import npcc


def filled(cells, player):
    free = [k for k, cell in enumerate(cells) if cell == 0]
    if not free:
        return 1
    return sum(filled(cells[:k] + (player,) + cells[k + 1 :], -player) + k for k in free)


def games():
    return filled((0,) * 4, 1)


def half(points):
    kept = []
    for point in points:
        if point[0] > 0.2:
            kept.append(point)
    return kept[:-1]


def outline(points):
    ordered = sorted(map(tuple, points))
    return np.array(half(ordered) + half(reversed(ordered))), np.asarray(half(ordered), dtype=np.float32)


def chart(names, starts):
    lines = np.full((2, 6), ".")
    for k, name in enumerate(names):
        lines[k % 2, starts[k] : starts[k] + 2] = name
    return [f"{k}|{''.join(line)}|" for k, line in enumerate(lines)]


points = np.random.default_rng(3).random((9, 2))
assert npcc.jit(games)() == games()
for result, expected in zip(npcc.jit(outline)(points), outline(points)):
    assert result.dtype == expected.dtype and (result == expected).all()
assert npcc.jit(chart)(["a", "b", "c"], [0, 1, 4]) == chart(["a", "b", "c"], [0, 1, 4])
