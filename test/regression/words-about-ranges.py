# RUN: %python %s
"""Errors of ranges and iterators named them as the compiler does."""
import npcc


def added(n):
    return range(n) + range(n)


def stored(n):
    numbers = range(n)
    numbers[0] = 1


def multiplied(a):
    return zip(a, a) * 2


def text_of(function, *arguments):
    try:
        return function(*arguments)
    except TypeError as error:
        return str(error)


for function, argument in ((added, 3), (stored, 3), (multiplied, [1])):
    given, expected = text_of(npcc.jit(function, target="cpu"), argument), text_of(function, argument)
    assert given == expected, (given, expected)
