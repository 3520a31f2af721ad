# RUN: %python %s
"""count, index, remove, insert, reverse and del of deques were refused in compiled code."""
from collections import deque

import npcc


class Order:
    def __init__(self, number):
        self.number = number


def numbers(n, k):
    queue = deque()
    for i in range(n):
        queue.append(i * 3 % 7)
    queue.popleft()
    found = [queue.count(3), queue.index(k), queue.index(k, 1), queue.index(k, -5, 100)]
    queue.remove(k)
    found.append(list(queue))
    for position, item in ((2, 55), (-1, 66), (100, 77), (0, 88), (-100, 99)):
        queue.insert(position, item)
    queue.reverse()
    found.append(list(queue))
    del queue[0], queue[-1], queue[2]
    return found, queue


def orders(n):
    queue, made = deque(), []
    for number in range(n):
        made.append(Order(number))
        queue.append(made[-1])
    queue.remove(made[3])
    return [order.number for order in queue], queue.index(made[4])


def failing(n, k, what):
    queue = deque(range(n), n)
    if what == 0:
        queue.remove(k)
    elif what == 1:
        queue.index(k)
    elif what == 2:
        queue.insert(0, 1)
    else:
        del queue[k]
    return queue


def outcome(function, arguments):
    try:
        return repr(function(*arguments))
    except (ValueError, IndexError) as error:
        return repr(error)


for function, *arguments in ((numbers, 12, 6), (orders, 8), *((failing, 5, 9, what) for what in range(4))):
    assert outcome(npcc.jit(function, target="cpu"), arguments) == outcome(function, arguments)
