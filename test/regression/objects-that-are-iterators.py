# RUN: %python %s
"""A loop over an object that is its own iterator ended the process; itertools.count() and cycle() had no next()."""
import heapq
import itertools

import npcc


class Countdown:
    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.left <= 0:
            raise StopIteration
        self.left -= 1
        return self.left


@npcc.jit(target="cpu")
def iterated(n):
    total = 0
    for k in Countdown(n):
        total += k
    one = Countdown(n)
    some = next(one), next(one), next(one, None), next(one, "none")
    pairs = list(zip(Countdown(3), [1.5, 2.5]))
    return total, list(Countdown(3)), sum(Countdown(4)), [k * 2 for k in Countdown(3)], some, pairs, [k for k in enumerate(Countdown(2))]


assert iterated(3) == iterated.py_func(3)


@npcc.jit(target="cpu")
def served(arrivals):
    ticket, colour = itertools.count(), itertools.cycle(["red", "green"])
    waiting = []
    for time in arrivals:
        heapq.heappush(waiting, (time, next(ticket), next(colour)))
    order = []
    while waiting:
        order.append(heapq.heappop(waiting))
    return order, next(ticket), list(zip(itertools.count(10, 2), order)), [k for k in itertools.islice(ticket, 3)]


assert served([3.0, 1.0, 1.0]) == served.py_func([3.0, 1.0, 1.0])


class NoIterator:
    def __iter__(self):
        return Line()


class Line:
    pass


@npcc.jit(target="cpu")
def wrong():
    for k in NoIterator():
        return k


try:
    wrong()
except TypeError as error:
    assert str(error) == "iter() returned non-iterator of type 'Line'", error
else:
    raise AssertionError("no error")
