# RUN: %python %s
"""A name that one iteration binds to an object, a tuple, a list, a string or None stays bound where later ones leave it alone. It was an UnboundLocalError."""
import importlib

import npcc

importlib.import_module("npcc.jit").Specialiser.may_use_python = False


class Dose:
    def __init__(self, time):
        self.time = time


def made(n, text):
    for i in range(n):
        if i % 2 == 0:
            dose = Dose(float(i))
    return dose.time


def taken(n, text):
    pending = [Dose(0.0), Dose(1.0), Dose(2.0)]
    for i in range(n):
        if i % 2 == 0:
            dose = pending.pop(0)
    return dose.time


def known(n, text):
    first = Dose(3.0)
    i = 0
    while i < n:
        if i % 2 == 0:
            dose = first
        i += 1
    return dose.time


def tuples(n, text):
    for i in range(n):
        if i % 2 == 0:
            pair = (i, 2.0)
    return pair


def lists(n, text):
    for i in range(n):
        if i % 2 == 0:
            both = [i, 2]
    return both


def strings(n, text):
    for i in range(n):
        if i % 2 == 0:
            letter = text[i]
    return letter


def constants(n, text):
    for i in range(n):
        if i % 2 == 0:
            word = "even"
        elif i == 7:
            word = "seven"
    return word


def optional(n, text):
    for i in range(n):
        if i % 3 == 0:
            found = text[i] if i > 2 else None
    return found


def outcome(function, *arguments):
    try:
        return repr(function(*arguments))
    except UnboundLocalError as error:
        return str(error)


for function in made, taken, known, tuples, lists, strings, constants, optional:
    for n in 0, 1, 2, 5:
        expected, found = outcome(function, n, "abcde"), outcome(npcc.jit(function), n, "abcde")
        assert found == expected, (function.__name__, n, found, expected)
