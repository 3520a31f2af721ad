"""Enumerations that are called with a value which is known at run time only."""


def member_of(cls, value):
    if isinstance(value, cls):
        return value
    for member in cls:
        if value == member.value:
            return member
    raise ValueError(repr(value) + " is not a valid " + cls.__qualname__)
