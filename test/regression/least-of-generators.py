# RUN: %python %s
# min() and max() of a generator with a default raised TypeError: it was asked for its length.
import math
from itertools import combinations

import npcc


def above(xs, limit):
    for x in xs:
        if x > limit:
            yield x


def program(xs):
    return (min((abs(p - q) for p, q in combinations(xs, 2)), default=math.inf), max(map(lambda x: x * 2, xs), default=-1),
            min(zip(xs, xs[1:]), default=None), max(above(xs, 2), default=0))


for xs in ([1, 4, 9], [1], [3]):
    assert repr(npcc.jit(target="cpu")(program)(xs)) == repr(program(xs)), xs
