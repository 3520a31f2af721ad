# RUN: %python %s
"""A short loop that appends was written out to see whether it puts arrays into the list; where it does not, neither its bounds nor what it had put into the list
was as before, and the process ended."""
from itertools import accumulate

import npcc


def starts(pairs):
    return [0] + list(accumulate(count for _, count in pairs))[:-1]


def squares(n):
    found = []
    for k in range(3):
        found.append(k * n)
    return found


for function, argument in ((starts, [(3, 2), (1, 1), (7, 4)]), (squares, 4)):
    assert npcc.jit(target="cpu")(function)(argument) == function(argument)
