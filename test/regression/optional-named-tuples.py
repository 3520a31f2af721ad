# RUN: %python %s
"""Lists and dicts of run-time length whose items are None, a named tuple, or tuples of other classes."""
import heapq
from typing import NamedTuple

import numpy as np

import npcc


class Cell(NamedTuple):
    row: int
    col: int

    def neighbours(self, shape):
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            if 0 <= self.row + dr < shape[0] and 0 <= self.col + dc < shape[1]:
                yield Cell(self.row + dr, self.col + dc)


@npcc.jit
def way(grid, start, goal):
    frontier, came, cost = [(0, start)], {start: None}, {start: 0}
    while frontier:
        _, here = heapq.heappop(frontier)
        if here == goal:
            path = []
            while here is not None:
                path.append(here)
                here = came[here]
            return path[::-1]
        for there in here.neighbours(grid.shape):
            if not grid[there.row, there.col] and (there not in cost or cost[here] + 1 < cost[there]):
                cost[there] = cost[here] + 1
                came[there] = here
                heapq.heappush(frontier, (cost[there], there))
    return None


@npcc.jit
def several(n):
    cells = [None]
    for k in range(n):
        cells.append(Cell(k, k) if k % 2 else (k, -k))
    return cells, sum(cell.col for cell in cells[2::2])


grid = np.array([[0, 1, 0, 0], [0, 1, 0, 1], [0, 0, 0, 0]], bool)
for goal in (Cell(2, 3), Cell(0, 1)):
    found, expected = way(grid, Cell(0, 0), goal), way.py_func(grid, Cell(0, 0), goal)
    assert found == expected and (found is None or all(type(cell) is Cell for cell in found))
assert repr(several(5)) == repr(several.py_func(5)), several(5)
assert not way.inspect.__self__.with_python and not several.inspect.__self__.with_python
