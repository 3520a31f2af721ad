# RUN: %python %s
"""A list of empty tuples, or of objects that hold one, ended the compiler: such a list had no column that says how long it is."""
import npcc


class Cell:
    def __init__(self, name, parts=()):
        self.name, self.parts = name, parts


def empty(n):
    cells = []
    for k in range(n):
        cells.append(Cell(k))
    return [(cell.name, cell.parts, len(cell.parts)) for cell in cells]


def of_lists_too(n):
    cells = []
    for k in range(n):
        if k % 2:
            cells.append(Cell(k, [k, k + 1]))
        else:
            cells.append(Cell(k))
    return [sum(cell.parts) for cell in cells], [cell.parts for cell in cells]


def tuples(n):
    items = [()]
    for k in range(n):
        items.append(())
        items.append((k, "a"))
    return items


for function in (empty, of_lists_too, tuples):
    for n in (1, 2, 5):
        assert npcc.jit(function, target="cpu")(n) == function(n), (function.__name__, n)
