# RUN: %python %s
"""A function that is refused is tried with its integers known. Then loops became straight code for each of their iterations, for minutes, before the same error
was found again."""
import time

import npcc


def area(n):
    total = 0
    for i in range(n):
        for j in range(n):
            for k in range(n):
                names = [memoryview(b"x")] if i + j == k else []
                total += len(names) * i + j * k
    return total


function = npcc.jit(area, target="cpu")
function.py_func.__globals__["start"] = time.process_time()
assert function(60) == area(60)
assert time.process_time() - start < 30  # noqa: F821
