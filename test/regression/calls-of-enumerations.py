# RUN: %python %s
"""`Kind(2)` and `Kind(number)` were refused: now they give the member with the value, or the ValueError."""
from enum import Enum, IntEnum

import numpy as np

import npcc


class Kind(Enum):
    LEAF = 1
    NODE = 2
    TWIG = 1


class Mark(IntEnum):
    EMPTY = 0
    CROSS = 1

    @property
    def other(self):
        return Mark.CROSS if self is Mark.EMPTY else Mark.EMPTY


class Name(Enum):
    FIRST = "first"
    LAST = "last"


def of_known():
    return Kind(2), Kind(Kind.LEAF), Mark(1).other, Name("last").name


def of_numbers(numbers):
    return [Kind(number) for number in numbers], [Mark(int(number) - 1).other.name for number in numbers]


def of_text(text):
    return [Name(word) is Name.FIRST for word in text.split()]


def outcome(function, arguments):
    try:
        return repr(function(*arguments))
    except ValueError as error:
        return repr(error)


for function, *arguments in ((of_known,), (of_numbers, np.array([1, 2, 1])), (of_text, "first last"), (of_numbers, np.array([2, 3])), (of_text, "first x")):
    assert outcome(npcc.jit(function, target="cpu"), arguments) == outcome(function, arguments), function
