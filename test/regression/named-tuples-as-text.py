# RUN: %python %s
"""A named tuple was shown without its class and fields, as the tuple of its items."""
from collections import namedtuple
from typing import NamedTuple

import npcc

Point = namedtuple("Point", "x y")


class Named(NamedTuple):
    weight: float
    name: str = "none"

    def __str__(self):
        return f"<{self.name}>"


class Empty(NamedTuple):
    pass


class Own(namedtuple("Own", "k")):
    def __repr__(self):
        return f"own {self.k}"


@npcc.jit(target="cpu")
def shown(n):
    points = [Point(k, k / 2) for k in range(n)]
    texts = [str(p) for p in points]
    named = Named(n * 0.5, "x" * n)
    known = Named(1.0)
    return (texts, f"{points}", f"{named} {named!r}", str((known, 1)), repr(known), repr(Empty()), str(Own(n)), "%s %r" % (Own(n), named),
            str([Own(k) for k in range(n)]), str(set(points[:1])))


assert shown(3) == shown.py_func(3), (shown(3), shown.py_func(3))
