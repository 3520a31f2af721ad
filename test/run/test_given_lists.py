"""Lists as arguments that the function changes in any way, which the caller sees afterwards; compiled, against Python."""
import copy
import unittest

import npcc
from everything import Everything


class GivenLists(Everything):
    def check_changes(self, function, *arguments):
        compiled = npcc.jit(function)
        for _ in range(2):
            theirs, mine = copy.deepcopy(arguments), copy.deepcopy(arguments)
            expected, given = function(*theirs), compiled(*mine)
            self.assertEqual(repr((given, mine)), repr((expected, theirs)))
            for argument, same in zip(mine, theirs):
                self.assertEqual(given is argument, expected is same)

    def test_growing(self):
        def grown(items, n):
            for k in range(n):
                items.append(k)
            return len(items)
        self.check_changes(grown, [1, 2], 3)
        self.check_changes(grown, [], 3)

        def returned(items, n):
            if n > 2:
                items.append(n)
            return items
        self.check_changes(returned, [1], 3)
        self.check_changes(returned, [1], 1)

        def doubled(items):
            items[:] = [x * 2 for x in items]
        self.check_changes(doubled, [1, 2])

    def test_other_types(self):
        def halves(items, n):
            for k in range(n):
                items[k % len(items)] = 0.5
        self.check_changes(halves, [1, 2, 3], 2)

        def noted(items, n):
            for k in range(n):
                items.append("odd" if k % 2 else None)
        self.check_changes(noted, [1], 3)

    def test_recursion(self):
        def paths(path, found, n):
            if n == 0:
                found.append(path[:])
                return
            for step in range(2):
                path.append(step)
                paths(path, found, n - 1)
                path.pop()
        self.check_changes(paths, [], [], 3)

    def test_of_anything(self):
        def filled(items, n):
            for k in range(n):
                items.append(open)
        self.check_changes(filled, [1], 2)


if __name__ == "__main__":
    unittest.main()
