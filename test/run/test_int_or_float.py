"""Numbers that are Python's int on one path and a float on another keep their type; compiled, against Python."""
import unittest

import numpy as np

from everything import Everything


class Results(Everything):
    def test_larger_of_two(self):
        def positive(x):
            return max(0, x), min(x, 3), -max(0, x), abs(min(x, 3))
        for x in (2.5, -2.5, 4.5, 3.0):
            self.check(positive, x)

    def test_best_of_a_loop(self):
        def best(xs):
            found = -np.inf
            for k in xs:
                found = max(found, k)
            return found
        self.check(best, [1, 2, 10])
        self.check(best, [1.5, 2])
        self.check(best, [2.5, -1])

        def best_rest(n):
            found = float("-inf")
            for k in range(n):
                if (k * 7) % 11 > found:
                    found = (k * 7) % 11
            return found
        self.check(best_rest, 5)
        self.check(best_rest, 0)

        def best_element(a):
            found = 0
            for i in range(len(a)):
                found = max(found, a[i])
            return found
        for a in (np.array([3.0, -1, 4]), np.array([-3.0]), np.array([2.5], np.float32), np.array([-1], np.float16)):
            self.check(best_element, a)

    def test_sums(self):
        def total(a):
            s = 0
            for i in range(len(a)):
                s += a[i]
            return s
        self.check(total, np.array([1.5, 2]))
        self.check(total, np.zeros(0))

        def total_of_some(a):
            s = 0
            for x in a:
                if x > 0:
                    s += x * 0.5
            return s
        self.check(total_of_some, [1.0, 2.0])
        self.check(total_of_some, [-1.0, -2.0])
        self.check(total_of_some, np.array([-1.0, -2.0]))

    def test_until(self):
        def first_above(limit):
            x = 1
            while x <= limit:
                x = x * 1.5
            return x
        self.check(first_above, 0)
        self.check(first_above, 4)

        def bisected(n):
            low, high = 0, n
            while high - low > 1:
                middle = (low + high) / 2
                if middle * middle > n:
                    high = middle
                else:
                    low = middle
            return low, high
        self.check(bisected, 10)
        self.check(bisected, 1)

        def left(a):
            low, high = 0, 10
            for i in range(len(a)):
                if a[i] > 0:
                    continue
                low = low - a[i]
                if low > high:
                    break
            else:
                high = low
            return low, high
        for a in (np.array([3.0, -1, 4]), np.array([-27.0, 9]), np.array([3.0]), np.zeros(0)):
            self.check(left, a)

    def test_names_that_swap(self):
        def swapped(n):
            a, b = 0, 1.5
            for _ in range(n):
                a, b = b, a
            return a, b
        for n in range(4):
            self.check(swapped, n)

    def test_attributes(self):
        class Point:
            def __init__(self):
                self.v = 0

        def moved(n):
            p = Point()
            for i in range(n):
                if i == 3:
                    p.v = 0.25
                elif i > 3:
                    p.v += i
            return p.v
        for n in (2, 4, 6):
            self.check(moved, n)


class Arithmetic(Everything):
    @staticmethod
    def half(n):
        x = n
        if n % 2:
            x = n / 2
        return x

    def check_both(self, function):
        self.check(function, 4)
        self.check(function, 5)

    def test_operators(self):
        half = self.half
        self.check_both(lambda n: (half(n) * 2 + 1, half(n) - 0.5, 3 - half(n), half(n) / 2, half(n) * half(n + 2)))
        self.check_both(lambda n: (half(n) // 2, half(n) % 3, half(n) ** 2, half(n) ** -1, divmod(half(n), 2)))
        self.check_both(lambda n: (round(half(n)), round(half(n), 1), int(half(n)), float(half(n)), bool(half(n))))
        self.check_both(lambda n: (half(n) * 1j, half(n) + np.float64(1), half(n) * np.int32(3), half(n) == 4))
        self.check(lambda n: half(n) & 6, 4)
        self.check_both(lambda n: 0 * -half(n))

    def test_arrays(self):
        half = self.half
        self.check_both(lambda n: np.arange(3) * half(n))
        self.check_both(lambda n: half(n) - np.arange(3, dtype=np.float32))
        self.check(lambda n: np.arange(9.0)[half(n)], 4)
        self.check(lambda n: [k * k for k in range(half(n))], 4)
        self.check(lambda n: list(range(half(n))), 5)
        self.check(lambda n: np.arange(9.0)[half(n):], 4)

    def test_types(self):
        half = self.half
        self.check_both(lambda n: (isinstance(half(n), int), isinstance(half(n), float), type(half(n)) is int))

        def kind(n):
            x = half(n)
            if isinstance(x, int):
                return "int"
            return "float"
        self.check_both(kind)

    def test_text(self):
        half = self.half
        self.check_both(lambda n: f"{half(n)} {half(n):g} {-half(n)} {[half(n), 1]}")
        self.check_both(lambda n: str(half(n)) + repr(half(n)) + "%s" % half(n))

    def test_too_large_for_both(self):
        def larger(n, x):
            return max(n, x)
        self.check(larger, 2**53, 1.5)
        self.check(larger, -2**53, 1.5)
        self.check(larger, 2**53 + 1, 1.5)
        self.check(larger, 2**53 + 2, 1.5)


class Lists(Everything):
    def test_items(self):
        def clipped(n):
            out = []
            for i in range(n):
                out.append(max(0, i - 2.5))
            return out
        self.check(clipped, 2)
        self.check(clipped, 5)
        self.check(lambda n: [max(0, i - 2.5) for i in range(n)], 5)

        def stored(n):
            out = [0.0] * n
            for i in range(n):
                out[i] = max(i, 2.5)
            return out, sum(out)
        self.check(stored, 5)
        self.check(lambda n: np.array([max(0, i - 2.5) for i in range(n)]), 5)


if __name__ == "__main__":
    unittest.main()
