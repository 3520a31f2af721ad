# RUN: %python %s
# The counter behind a `while` that became a counted loop was the one of the last iteration.

import npcc


def by_one(n):
    j = 0
    while j < n:
        j += 1
    return j


def by_three(n):
    j = -4
    while n > j:
        j += 3
    return j


def two_counters(n):
    i = j = 0
    while i < n:
        i += 1
        j += i
    return i, j


for function in (by_one, by_three, two_counters):
    compiled = npcc.jit(function, target="cpu")
    for n in (-9, -4, -3, 0, 1, 2, 5):
        assert compiled(n) == function(n), (function.__name__, n, compiled(n), function(n))
