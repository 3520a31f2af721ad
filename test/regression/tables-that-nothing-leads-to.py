# RUN: %python %s
"""Of objects that a loop makes, Python got all, however many there were, also where the result was a number. Now it gets those of the tables that the result
leads to."""
import math

import npcc
from npcc import tables


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


class Mark:
    def __init__(self, name, size):
        self.name, self.size = name, size


class Stop:
    def __init__(self, mark, at):
        self.mark, self.at = mark, at


def walked(n):
    here, way = Point(0.0, 0.0), []
    for k in range(n):
        way.append(Point(math.cos(k), math.sin(k)))
        here = here + way[-1]
    return here.x, here.y, len(way)


def stops(n):
    marks, here, kept = [], Point(0.0, 0.0), []
    for k in range(n):
        marks.append(Mark("s", k))
        here = here + Point(1.0, k)
        if k % 3 == 0:
            kept.append(Stop(marks[-1], here.x))
    return kept


made = []
members_of = tables.members_of
tables.members_of = lambda table: made.append(None if table is None else type(table[0]).__name__) or members_of(table)

for n in (0, 20):
    assert repr(npcc.jit(walked, target="cpu")(n)) == repr(walked(n))
    assert made == [], made
    found, expected = npcc.jit(stops, target="cpu")(n), stops(n)
    assert [(one.mark.name, one.mark.size, one.at) for one in found] == [(one.mark.name, one.mark.size, one.at) for one in expected]
    assert "Point" not in made and {"Mark", "Stop"} <= set(made), made
    made.clear()
