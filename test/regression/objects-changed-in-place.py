# RUN: %python %s
"""x += y called __add__ of the program's classes and never __iadd__; d |= e of dicts was refused, and s |= t made another set."""
from collections import Counter

import npcc


class Total:
    def __init__(self, value):
        self.value = value

    def __iadd__(self, other):
        self.value += other
        return self

    def __add__(self, other):
        return Total(self.value + other + 1000)


def summed(n):
    total = Total(1)
    same = total
    for k in range(n):
        total += k
    return total.value, same.value, total is same


def known(n):
    table = {"a": 1}
    same = table
    table |= {"b": n}
    return table, same, table | {"c": 2}


def computed(n):
    table, counts = {}, Counter()
    for k in range(n):
        table[k % 3] = k
        counts[k % 3] += 1
    same, counted = table, counts
    table |= {7: n}
    counts += Counter([1, 1])
    counts -= Counter([0, 0, 0, 0, 0])
    return table, same, counts, counted


for function, n in (summed, 4), (known, 3), (computed, 7):
    assert npcc.jit(function, target="cpu", cache=False)(n) == function(n), function.__name__
