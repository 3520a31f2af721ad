# RUN: %python %s
# next() of an iterator that a class holds raised TypeError, and a draw below a number of run time was refused: operator.index was not known.
import itertools
import random

import npcc


class Ticket:
    numbers = itertools.count(1)

    def __init__(self, price):
        self.number = next(Ticket.numbers)
        self.price = price


def sell(n, seed):
    generator = random.Random(seed)
    return [(ticket.number, ticket.price) for ticket in [Ticket(generator.randrange(n)) for _ in range(n)]]


def numbered(n, seed):
    Ticket.numbers = itertools.count(1)
    return sell(n, seed)


expected = numbered(4, 3)
Ticket.numbers = itertools.count(1)
assert npcc.jit(target="cpu")(sell)(4, 3) == expected
