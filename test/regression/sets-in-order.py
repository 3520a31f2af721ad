# RUN: %python %s
"""Sets gave their keys in the order in which they came; CPython's order is another, and programs show it: list(s), pop(), sums of floats."""
import random
import warnings

import npcc
from npcc.library.sets import Set
from npcc.library.hashing import python_hash


def orders(numbers, n):
    literal, added = {3, 1, 2}, set()
    for k in range(n):
        added.add((k * 7) % 11)
    pairs = {(k % 5, k % 3) for k in range(n)}
    halves = {x * 0.5 for x in numbers}
    return list(literal), list(added), list(pairs), list(halves), sum(halves), list(set(numbers)), str(added)


def popped(n):
    left, order = set(range(n)), []
    while left:
        x = left.pop()
        order.append(x)
        left -= {2 * x, 3 * x}
    return order


def changed(left, right):
    same = left
    left |= right
    left.discard(3)
    left ^= {1, 9}
    return left, same is left, left & right, left - right, left | {50, 60, 70}


for function, *arguments in (orders, [5, 3, 9, -4, 3, 1000], 9), (popped, 12), (changed, {1, 2, 3}, {3, 4, 40}):
    mine = [x.copy() if isinstance(x, set) else x for x in arguments]
    assert npcc.jit(function, target="cpu", cache=False)(*mine) == function(*arguments), function.__name__
    assert mine == arguments, (function.__name__, mine)

# The class itself, step by step. Its hashes wrap around, of which NumPy warns where Python runs it.
warnings.simplefilter("ignore", RuntimeWarning)
random.seed(3)
for value in [-1, 0, 2**61 - 1, -(2**61), 2**62, 1.5, -2.25e-30, 1e300, 3.0, float("inf"), (), (1, -2), ((1, 2.5), 3), True]:
    assert int(python_hash(value, None)) == hash(value), value
for _ in range(200):
    python, ours = set(), Set()
    for _ in range(60):
        key, chance = random.randint(-9, 99), random.random()
        if chance < 0.6:
            python.add(key)
            ours.add(key)
        elif chance < 0.8:
            python.discard(key)
            ours.discard(key)
        elif chance < 0.9 and python:
            assert python.pop() == ours.pop()
        else:
            more = [random.randint(-9, 99) for _ in range(5)]
            python, ours = python ^ set(more) | {key}, ours ^ Set(more) | Set({key})
        assert list(python) == list(ours)
