# RUN: %python %s
"""A method of an operator that gives NotImplemented asks the other operand; where that refuses too it is a TypeError. NotImplemented was the result."""
import npcc


class Length:
    def __init__(self, meters):
        self.meters = meters

    def __add__(self, other):
        if not isinstance(other, Length):
            return NotImplemented
        return Length(self.meters + other.meters)

    def __radd__(self, other):
        return self if other == 0 else NotImplemented

    def __eq__(self, other):
        return self.meters == other.meters if isinstance(other, Length) else NotImplemented

    def __lt__(self, other):
        return self.meters < other.meters if isinstance(other, Length) else NotImplemented


class Offset:
    def __radd__(self, other):
        return other.meters + 0.5


def total(a):
    return sum([Length(a), Length(2.0)]).meters, Length(a) + Offset(), Length(a) == Length(1.0), Length(a) == 3, Length(a) != "x", Length(a) < Length(3)


def with_a_number(a):
    return Length(a) + 3


def number_first(a):
    return 3 + Length(a)


def ordered(a):
    return Length(a) < 3


def in_place(a):
    length = Length(a)
    length += "x"
    return length


assert npcc.jit(target="cpu")(total)(1.0) == total(1.0)
for function in (with_a_number, number_first, ordered, in_place):
    messages = []
    for one in (function, npcc.jit(target="cpu")(function)):
        try:
            one(1.0)
        except TypeError as error:
            messages.append(str(error))
    assert len(messages) == 2 and messages[0].replace("+=", "+") == messages[1].replace("+=", "+"), messages
