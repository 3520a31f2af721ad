# RUN: %python %s
"""Constructs that numerical programs use, compiled, against Python."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "Inputs"))
from against_numpy import check  # noqa: E402

table = np.arange(12.0).reshape(3, 4)


def tuples_into_rows(a, x):
    a[1] = x, 2, 3, x
    a[:2, 1] = x, -x
    return a[2]


def running_maximum(a):
    for i in range(1, a.shape[0]):
        a[i, 0] = max(a[i, 0], a[i - 1, 1])
        a[i, 1] = min(a[i, 1], a[i - 1, 0] + 1, a[0, 0])


def matrix_power(m, n):
    result = np.eye(2, dtype=int)
    while n:
        if n % 2 == 1:
            result = np.dot(result, m)
        m = np.dot(m, m)
        n //= 2
    return result


for function, *arguments in [(tuples_into_rows, table, 5.0), (running_maximum, table), (matrix_power, np.array([[1, 1], [1, 0]]), 13)]:
    check(function, *arguments)
