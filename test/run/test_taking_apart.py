"""What arguments are made of: the extension takes the common kinds apart as npcc/structures.py does, which takes all."""
import enum
import unittest
from collections import namedtuple

import numpy as np

from npcc import _npcc, structures

Pair = namedtuple("Pair", "left right")


class Short(Pair):
    """Its length is not how many it holds."""

    def __len__(self):
        return 1


class Level(enum.IntEnum):
    HIGH = 5


class Plain:
    def __init__(self, *values):
        self.first, self.rest = values[0], list(values)


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self):
        self.a = 1


class TakingApart(unittest.TestCase):
    def check(self, arguments, grows):
        names = tuple(f"p{k}" for k in range(len(arguments)))
        taken = structures.Taken(names, arguments, grows, named=True)
        form, leaves, containers = _npcc.take_apart(arguments, grows, False)
        self.assertEqual(form, taken.form)
        self.assertEqual(list(map(type, leaves)), list(map(type, taken.leaves)))
        self.assertEqual(repr(leaves), repr(taken.leaves))
        self.assertTrue(all(a is b for a, b in zip(containers, taken.containers, strict=True)))
        self.assertEqual(structures.Taken(names, arguments, grows).names(), taken.names())

    def test_kinds(self):
        shared, plain = [1, "a"], Plain(1.0, "a", [2])
        values = (1, 2.5, True, 1j, "a", None, np.zeros(2), np.float32(1), [1, 2], [[1, 2], [3, 4]], [1, "a"], [], [[]], (1, (2.0, "b")),
                  range(3), {"k": [1, 2], 3: {"a": None}}, {1, 2}, {"a"}, frozenset(), set(), Short(1, 2.0), Pair(1, 2.0), Level.HIGH, plain, [plain, plain],
                  Slotted(), shared, (shared,), len, np.sum, int, slice(1, 2), [np.zeros(2), np.ones(3)], {(1, "a"): 2.0, None: [None]})
        for grows in (False, True):
            for value in values:
                self.check((value,), grows)
            self.check(values, grows)

    def test_what_is_left_alone(self):
        deep = []
        for _ in range(40):
            deep = [deep, "a"]
        for value in (np.zeros(2, [("x", "f8")]), [object()], tuple(range(300)), deep, Plain(object())):
            self.assertIsNone(_npcc.take_apart((value,), False, False))

    def test_constants(self):
        """Equal ones are one object."""
        first, = structures.Taken(("a",), ({"key": "x" * 3},)).form
        second, = structures.Taken(("a",), ({"key": "".join(["x", "xx"])},)).form
        self.assertIs(first[1][0], second[1][0])
        self.assertIs(first[2][0][1], second[2][0][1])


if __name__ == "__main__":
    unittest.main()
