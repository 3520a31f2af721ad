# RUN: %python %s
# A function that names an enum whose methods go over it was compiled at each call: its class methods are made anew at each look.
import enum

import npcc


class Heading(enum.Enum):
    NORTH = (0, -1)
    EAST = (1, 0)
    SOUTH = (0, 1)
    WEST = (-1, 0)

    @property
    def right(self):
        members = list(Heading)
        return members[(members.index(self) + 1) % 4]

    @classmethod
    def first(cls):
        return cls.NORTH


class Status(enum.Enum):
    ACTIVE = "active"
    DONE = "done"


@npcc.jit(target="cpu")
def turned(turns):
    heading, seen = Heading.first(), []
    for _ in range(turns):
        heading = heading.right
        seen.append(heading.name)
    return heading, seen, Heading["WEST"].right, Heading((0, 1)), Status("done").value


for turns in (1, 2, 2, 3):
    assert turned(turns) == turned.py_func(turns)
assert len(turned.inspect.__self__.versions) == 1
