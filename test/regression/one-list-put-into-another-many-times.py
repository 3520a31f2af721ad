# RUN: %python %s
"""A list that a loop puts into another list each time was copied: what was stored into one of its items was seen in that item only."""
import npcc


def shared(n):
    inner = [0] * 2
    rows = []
    for _ in range(n):
        rows.append(inner)
    rows[0][1] = 7
    return rows, inner


def own(n):
    rows = []
    for k in range(n):
        row = [k, 0]
        rows.append(row)
    rows[0][1] = 7
    return rows


for function in (shared, own):
    assert npcc.jit(function)(3) == function(3)
