# RUN: %python %s
"""What is read from a list of arrays was a view of the list's memory, and showed what the list put into that place later: after `v = l.pop()` the next
`l.append(x)` changed v. The same went for lists whose arrays are kept one by one and become one array, and for lists that get room for a whole loop:
what the loop takes out first was lost."""
import numpy as np

import npcc


def two_children(a, n):
    stack, total = [(a, 0)], 0.0
    while stack:
        v, depth = stack.pop()
        total += v.sum()
        if depth < n:
            stack.append((v * 0.5, depth + 1))
            stack.append((v + 1, depth + 1))
    return total


def replaced(a, n):
    l = []
    for i in range(n):
        l.append(a + i)
    v = l[0]
    l[0] = a * 10
    return v.sum(), l[0].sum()


def first(a, n):
    l = []
    for i in range(n):
        l.append(a + i)
    v = l.pop(0)
    return v, l[0], l[1]


def deleted(a, n):
    l = []
    for i in range(n):
        l.append(a + i)
    v = l[-1]
    del l[-1]
    l.append(a * 50)
    return v


def taken_and_given(a, n):
    l = []
    for i in range(n):
        l.append(a + i)
    for i in range(n):
        v = l.pop()
        l.append(a * i)
        l.append(v + 1)
    return l


def collected(a, n):
    l, out = [], []
    for i in range(n):
        l.append(a + i)
    for i in range(n):
        out.append(l.pop())
        l.append(a * i)
    return out


def one_place(a, n):
    l = [a]
    for i in range(n):
        v = l.pop()
        l.append(v * 2)
        a = v
    return a


def named_before(a, n):
    l, last = [a * 1], a * 0
    for i in range(n):
        kept = last
        last = l[-1]
        l[-1] = last + kept
    return last, kept, l[0]


def stored_into(a, n):
    l = []
    for i in range(n):
        l.append(a + i)
    v = l[0]
    v[0] = 7
    l.insert(0, a * 3)
    v[1] = 8
    return v, l[0], l[1]


def rows(a, n):
    grid = []
    for i in range(n):
        grid.append([i, i + 1, i + 2])
    row = grid.pop()
    row[0] = 50
    grid.append([7, 7, 7])
    grid[0][1] = 99
    return row, grid


for function in (rows, two_children, replaced, first, deleted, taken_and_given, collected, one_place, named_before, stored_into):
    for target in ("cpu", "debug"):
        found, expected = npcc.jit(function, target=target)(np.arange(1.0, 6.0), 3), function(np.arange(1.0, 6.0), 3)
        assert repr(found) == repr(expected), (function.__name__, target, found, expected)
