# RUN: %python %s
"""'!=' of objects was always the opposite of what their class's __eq__ gives, also where the class has an __ne__, and crashed where __eq__ gives no bool."""
import numpy as np

import npcc


class Tagged:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value

    def __ne__(self, other):
        return "other" if self.value != other.value else ""


class Line:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return Line(self.x == other)

    def __ne__(self, other):
        return Line(self.x != other)


class Numbered:
    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return self.number - other.number + 1 if isinstance(other, Numbered) else NotImplemented


class Later:
    def __ne__(self, other):
        return NotImplemented if isinstance(other, Later) else 5


@npcc.jit(target="cpu", fallback=False)
def compared(a, x):
    one, two = Tagged(a), Tagged(a + 1)
    line = Line(x)
    return (one == two, one != two, one != one, (line == 1).x, (line != 1).x, Numbered(1) != Numbered(1), Numbered(1) != Numbered(2), Numbered(1) != 4,
            Later() != 3, 3 != Later())


mine, expected = compared(1, np.arange(3)), compared.__wrapped__(1, np.arange(3))
assert str(mine) == str(expected), (mine, expected)
