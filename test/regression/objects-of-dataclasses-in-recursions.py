# RUN: %python %s
# The set with which a dataclass's __repr__ notes what it shows was taken for one of the program's.
from dataclasses import dataclass

import npcc


@dataclass(frozen=True)
class Point:
    x: float


def program(n):
    points = [Point(k * 1.0) for k in range(n)]

    def halves(part):
        return 1 if len(part) <= 3 else halves(part[:2]) + len(part)
    return halves(points)


compiled = npcc.jit(target="cpu")(program)
assert compiled(9) == program(9)
assert not compiled.inspect.__self__.assigned_globals()
