"""An array that a loop begins with, and has other names: the loop may keep it, or stores to it by another name."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison


def keep_argument(x, n):
    kept = x
    for k in range(3):
        if k > n:
            kept = x * 2
    return kept, x


def store_behind(x, n):
    y = x + 1
    kept = y
    for k in range(3):
        if k > n:
            kept = x * 2
    y[0] = 7
    kept[1] = 5
    return kept, y


def store_in_loop(x, n):
    y = x + 1
    kept, total = y, 0.0
    for k in range(3):
        y[0] = k + n
        total += kept[0]
        if k > n:
            kept = x * 2
    return kept, y, total


def store_before_reading(x, n):
    h = x
    for k in range(3):
        x[0] = k + n
        h = h * 2
    return h, x


def take_turns(x, n):
    y = x + 1
    h = x
    for k in range(n):
        x[0] = k
        h, y = y, h * 2
    return h, y


class NamesInLoops(Comparison):
    def test_names(self):
        for function in (keep_argument, store_behind, store_in_loop, store_before_reading, take_turns):
            for n in (10, 1, 0):
                with self.subTest(function.__name__, n=n):
                    self.compare(function, [np.arange(5.0) + 1, n])

    def test_the_array_itself(self):
        for n in (10, 1):
            x = np.ones(4)
            kept, given = npcc.jit(keep_argument, target=TARGET)(x, n)
            self.assertEqual(np.shares_memory(kept, given), n > 1)


if __name__ == "__main__":
    unittest.main()
