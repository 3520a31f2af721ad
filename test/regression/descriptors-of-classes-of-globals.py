# RUN: %python %s
"""A look at a descriptor of a class makes a new object each time, which is no change of the class: calls look at the globals once."""

import sys

import npcc

looks = []


class Counting(sys.modules["npcc.jit"].Dependencies):
    def __init__(self, *arguments, **options):
        looks.append(arguments)
        super().__init__(*arguments, **options)


sys.modules["npcc.jit"].Dependencies = Counting


class Fresh:
    def __get__(self, one, owner):
        return object()


class Table(dict):
    make = vars(dict)["fromkeys"]
    fresh = Fresh()


shows = False


def total(n):
    if shows:
        print(Table.make("ab"), Table.fresh)
    return n * 2


compiled = npcc.jit(total, target="cpu")
assert compiled(1) == 2
first = len(looks)
assert [compiled(n) for n in range(5)] == [0, 2, 4, 6, 8] and len(looks) == first, looks
Table.make = vars(dict)["fromkeys"]
assert compiled(3) == 6 and len(looks) == first
shows = True
try:
    compiled(4)
except npcc.CompileError:
    pass
assert len(looks) > first
