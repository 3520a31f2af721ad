# RUN: %python %s
"""Objects whose class has a __format__() of its own, and list.index() from a place on. Both were Python's."""
import importlib

import npcc

importlib.import_module("npcc.jit").Specialiser.may_use_python = False


class Quantity:
    def __init__(self, value, unit):
        self.value, self.unit = value, unit

    def __format__(self, spec):
        return f"{format(self.value, spec)} {self.unit}"


class Named:
    def __init__(self, name):
        self.name = name

    def __format__(self, spec):
        return self.name.upper() if spec == "u" else self.name.ljust(5, "_") if spec == "w" else self.name

    def __str__(self):
        return "named " + self.name


def shown(x, digits, names):
    length, place = Quantity(x, "m"), Named("here")
    found = [f"{length:.2f}", f"{length:8.3e}", f"{length:.{digits}f}", "{:u}|{}|{!s}".format(place, place, place), format(place, "w"), f"{place!s:>12}"]
    for name in names:
        found.append(f"{Named(name):u} {Named(name)}")
    return found


def positions(words, start):
    end = words.index("x", start)
    try:
        last = words.index("x", end + 1, -1)
    except ValueError:
        last = -1
    numbers = [3, 1, 4, 1, 5]
    return end, last, numbers.index(1, start), numbers.index(1, -2) if start < 2 else numbers.index(5, 2, 9)


assert npcc.jit(shown)(2.5, 1, ["a", "b"]) == shown(2.5, 1, ["a", "b"]), npcc.jit(shown)(2.5, 1, ["a", "b"])
for words, start in (["a", "x", "b", "x", "c", "x"], 2), (["a", "x", "b", "x", "c"], 1):
    assert npcc.jit(positions)(words, start) == positions(words, start), (npcc.jit(positions)(words, start), positions(words, start))
