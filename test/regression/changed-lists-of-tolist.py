# RUN: timeout 120 %python %s
"""The lists of a.tolist() are rows of an array, which could not be changed where a dict or another list has them: 'an item of a list of lists becomes
another list'. They are lists of their own there."""
import numpy as np

import npcc


def neighbours(rows, columns):
    near = {}
    for i in range(rows):
        for j in range(columns):
            places = np.dstack(np.mgrid[max(i - 1, 0):min(i + 2, rows), max(j - 1, 0):min(j + 2, columns)])
            places = places.reshape(places.size // 2, 2).tolist()
            places.remove([i, j])
            near[i, j] = places
    return near


def deep(n):
    kept = []
    for k in range(n):
        blocks = (np.arange(12).reshape(2, 3, 2) + k).tolist()
        blocks[0][1] = [k]
        blocks[1].append([7, 8, 9])
        kept.append(blocks)
    return kept


def changed(n):
    table = np.zeros((n, 2)).tolist()
    row = table[1]
    table[1] = [1.0, 2.0]
    row[0] = 5.0
    del table[0][1]
    return table, row


for function, arguments in ((neighbours, (3, 2)), (deep, (3,)), (changed, (3,))):
    assert npcc.jit(function, target="cpu")(*arguments) == function(*arguments), function
