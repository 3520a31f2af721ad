"""Sets and dicts as arguments and as global constants; compiled, against Python."""
import copy
import enum
import unittest
from typing import NamedTuple

import npcc
from everything import Everything

RATES = {"a": 1.5, "b": 2, "c": 7}
LETTERS = {0: "x", 1: "y", 10: "z"}


class Factors(NamedTuple):
    there: float
    back: float


FACTORS = {"m": Factors(1, 1), "km": Factors(1000, 0.001)}


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class GivenSets(Everything):
    def check_changes(self, function, *arguments):
        mine = copy.deepcopy(arguments)
        expected = function(*arguments)
        self.assertEqual((npcc.jit(function)(*mine), mine), (expected, arguments))

    def test_read(self):
        def read(s, t, x):
            return x in s, len(s), sorted(s & t), sorted(s | t), s - t, sum(s)
        self.check_changes(read, {1, 2, 3}, {2, 3, 4}, 2)
        self.check_changes(read, frozenset([1.5]), {2.5}, 1.5)
        self.check_changes(lambda s, x: (x in s, len(s)), {"a", "b"}, "a")
        self.check_changes(lambda s, x: (x in s, len(s)), set(), 3)

    def test_changed(self):
        def changed(s):
            s.add(7)
            s.discard(2)
            return len(s)
        self.check_changes(changed, {1, 2})
        self.check_changes(changed, set())

        def paths(grid, row, column, visited):
            rows, columns = len(grid), len(grid[0])
            if min(row, column) < 0 or row == rows or column == columns or (row, column) in visited or grid[row][column] == 1:
                return 0
            if row == rows - 1 and column == columns - 1:
                return 1
            visited.add((row, column))
            count = 0
            for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                count += paths(grid, row + down, column + right, visited)
            visited.remove((row, column))
            return count
        self.check_changes(paths, [[0, 0, 0], [0, 1, 0], [0, 0, 0]], 0, 0, set())

    def test_global_dicts(self):
        def looked_up(names, k):
            total = 0.0
            for name in names:
                total += RATES[name]
            return total, LETTERS[k], [key for key in LETTERS], sorted(RATES), max(RATES.values()), len(RATES)
        self.check(looked_up, "abc", 10)

        def converted(value, names):
            for name in names.split():
                value = value * FACTORS[name].there
            return value
        self.check(converted, 2.0, "km m km")

        def missing(names):
            return [RATES[name] for name in names]
        self.check(missing, "az")
        self.check(missing, "abc")

    def test_enumerations(self):
        def members(k):
            return [color.value for color in Color], len(Color), k
        self.check(members, 1)


if __name__ == "__main__":
    unittest.main()
