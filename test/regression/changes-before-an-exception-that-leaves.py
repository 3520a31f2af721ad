# RUN: %python %s
"""Changes of lists, dicts, sets, objects and globals were lost where the function then raised an exception that it did not catch."""
import copy
import heapq

import npcc
import numpy as np

seen = [1]


class Block:
    def __init__(self):
        self.count = 0
        self.trains = []


class Entered:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append(1)

    def __exit__(self, *_):
        self.log.append(2)


def enter(counts, key):
    counts[key] = counts.get(key, 0) + 1
    if counts[key] > 2:
        raise ValueError("too many on " + key)


def count(counts, keys):
    for key in keys:
        enter(counts, key)
    return counts


def move(block, n):
    for k in range(n):
        block.count += k
        block.trains.append(k)
        if block.count > 5:
            raise RuntimeError(f"full at {k}")


def new_attribute(block, n):
    block.count = 7
    if n > 0:
        raise ValueError("n")
    block.extra = 1


def store(numbers, n):
    for k in range(n):
        numbers[k] = 7
        if k == 2:
            raise KeyError((k, "x"))


def change_global(n):
    seen.append(n)
    assert n > 3, "small"


def position(numbers, values):
    numbers[0] = 99
    return values[10]


def enclosed(log, n):
    with Entered(log):
        log.append(n)
        raise IndexError("inside")


def again(log):
    try:
        log.append(1)
        raise ValueError("first")
    except ValueError:
        log.append(2)
        raise
    finally:
        log.append(3)


def deeper(log, n):
    log.append(n)
    if n == 0:
        raise ValueError("bottom")
    deeper(log, n - 1)


def members(found, n):
    for k in range(n):
        found.add(k)
    found.remove(-1)


def removed(numbers, x):
    while True:
        numbers.remove(x)


def store_later(numbers, n):
    for k in range(n):
        if k == 3:
            raise ValueError("three")
        numbers[0] = k


def append_later(numbers, counts):
    k = 0
    while True:
        if k > 2:
            raise KeyError(k)
        numbers.append(k)
        counts[k] = 1
        k += 1


def pop_smallest(numbers, heap):
    numbers.append(1)
    heapq.heappop(heap)


def replace_smallest(numbers, heap):
    numbers.append(1)
    heapq.heapreplace(heap, 5)


def inner(rows, n):
    rows[0].append(n)
    if n > 2:
        raise ValueError("large")


def outcome(f, arguments):
    seen[:] = [1]
    error = None
    try:
        f(*arguments)
    except Exception as raised:
        error = type(raised), raised.args, str(raised)
    shown = [vars(one) if isinstance(one, Block) else one.tolist() if isinstance(one, np.ndarray) else one for one in arguments]
    return error, repr(shown), list(seen)


for f, arguments in [(count, ({}, ["a", "b", "a", "a", "b"])), (count, ({"a": 1}, ["b", "a", "a"])), (move, (Block(), 9)), (move, (Block(), 3)),
                     (new_attribute, (Block(), 1)), (new_attribute, (Block(), 0)), (store, ([0, 0, 0, 0], 4)), (store, (np.zeros(4), 4)),
                     (change_global, (1,)), (change_global, (5,)), (position, ([1, 2], np.zeros(3))), (position, ([1, 2], [1, 2])),
                     (enclosed, ([], 4)), (enclosed, ([0], 4)), (again, ([5],)), (deeper, ([], 3)), (deeper, ([1], 3)),
                     (members, (set(), 3)), (members, ({-1}, 3)), (removed, ([1.0, 2.0, 2.0], 2.0)),
                     (store_later, ([9, 8], 5)), (append_later, ([1], {7: 7})), (pop_smallest, ([0], [])), (replace_smallest, ([0], [])),
                     (inner, ([[1], [2], [3, 4]], 3))]:
    expected = outcome(f, copy.deepcopy(arguments))
    found = outcome(npcc.jit(target="cpu")(f), copy.deepcopy(arguments))
    assert found == expected, (f.__name__, found, expected)


def line(block, n):
    block.count += 1
    if n:
        raise ValueError("here")


try:
    npcc.jit(target="cpu")(line)(Block(), 1)
except ValueError as raised:
    trace = raised.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    assert trace.tb_lineno == line.__code__.co_firstlineno + 3
