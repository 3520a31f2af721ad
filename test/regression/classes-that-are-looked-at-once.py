# RUN: env NPCC_CACHE=0 %python %s
"""What a function depends on was described anew at each call where a class has a class method or static method, or an object a property: looking at these
makes another object each time. What they give is still looked at."""
import sys
from unittest import mock

import npcc


class Number:
    def __init__(self, value):
        self.value = value

    @classmethod
    def one(cls):
        return cls(1)

    @staticmethod
    def twice(number):
        return Number(2 * number.value)


class Settings:
    def __init__(self, count):
        self.count = count

    @property
    def half(self):
        return self.count / 2


SETTINGS = Settings(7)


@npcc.jit(target="cpu")
def made():
    return Number.twice(Number.one()).value * SETTINGS.half


assert made() == 7.0
with mock.patch.object(sys.modules["npcc.jit"], "Dependencies", side_effect=AssertionError("described anew")):
    assert made() == 7.0
SETTINGS.count = 8
assert made() == 8.0
Number.one = classmethod(lambda cls: cls(10))
assert made() == 80.0
Number.twice = staticmethod(lambda number: Number(3 * number.value))
assert made() == 120.0
