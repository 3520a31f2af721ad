# RUN: %python %s
"""A result that led to one of the objects that a loop had made brought all of them to Python. Those are made that it leads to."""
import sys

import npcc
from npcc import tables


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


class Link:
    def __init__(self, place, before):
        self.place, self.before = place, before
        self.near, self.names = [], ("none",)


def summed(points, n):
    """Given objects that change, and one of many that are made."""
    here = Point(0.0, 0.0)
    for k in range(n):
        for point in points:
            here = here + point
            point.x += 1.0
    return here


def linked(n, most):
    """Objects that lead to each other, in lists, tuples and attributes, behind each other."""
    last, all_links = None, []
    for k in range(n):
        last = Link(Point(k, -k) + Point(0.5, 0.5), last)
        all_links.append(last)
    for k in range(n):
        all_links[k].near.append(all_links[(7 * k) % n])
        all_links[k].names += (str(k),)
    while last is not None and last.place.x > most:
        last = last.before
    return last, {"few": all_links[:2], "many": [link.near for link in all_links[2:4]]}


def shown(value, seen):
    """A text of a value, and of all that it leads to, once each."""
    if isinstance(value, (Point, Link)):
        if id(value) in seen:
            return f"<{seen[id(value)]}>"
        seen[id(value)] = len(seen)
        return shown(vars(value), seen)
    if isinstance(value, dict):
        return {key: shown(item, seen) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [shown(item, seen) for item in value]
    return repr(value)


sys.setrecursionlimit(10000)
made = []
empty = tables.Members.empty
tables.Members.empty = lambda members, which: made.append(members.cls.__name__) or empty(members, which)


def points():
    return [Point(1.0, 2.0), Point(0.0, -1.0)]


mine, theirs = points(), points()
assert shown(npcc.jit(summed, target="cpu")(mine, 50), {}) == shown(summed(theirs, 50), {})
assert shown(mine, {}) == shown(theirs, {})
assert made.count("Point") <= 1, made
compiled = npcc.jit(linked, target="cpu")
for n, most in ((0, 5.0), (40, 5.0), (40, -1.0), (400, 390.0), (400, 0.0)):
    assert shown(compiled(n, most), {}) == shown(linked(n, most), {}), n
