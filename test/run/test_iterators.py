"""next(), iter() and ranges of run time, compiled, against Python."""
import itertools
import unittest

from everything import Everything


class Iterators(Everything):
    def test_next(self):
        def drawn(n):
            numbers = iter(range(n))
            first = next(numbers)
            return first, sum(numbers), next(numbers, -1)
        self.check(drawn, 5)
        self.check(drawn, 1)

        def searched(n):
            return next(k for k in range(10**12) if k * k > n), next((k for k in range(n) if k > 100), None)
        self.check(searched, 50)
        self.check(searched, 150)

    def test_iterator_in_a_loop(self):
        def pairs(words):
            rest, found = iter(words), []
            for word in rest:
                found.append((word, next(rest, "")))
            return found
        self.check(pairs, ["a", "b", "c"])
        self.check(pairs, ["a", "b"])

    def test_zip_longest(self):
        def side_by_side(left, right):
            filled = [a + b for a, b in itertools.zip_longest(left, right, fillvalue=0)]
            return list(itertools.zip_longest(left, right)), filled, list(itertools.zip_longest(range(2), left, "ab"))
        self.check(side_by_side, [1, 2, 3], [4])
        self.check(side_by_side, [], [4])


if __name__ == "__main__":
    unittest.main()
