"""Functions that call themselves: compiled, against Python."""
import math
import unittest

import numpy as np

import harness
from everything import Everything


def fft(v):
    n = v.shape[0]
    if n == 1:
        return v.astype(complex)
    even, odd = fft(v[::2]), fft(v[1::2])
    turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + turned, even - turned])


def determinant(a):
    if a.shape[0] == 1:
        return a[0, 0]
    total = 0.0
    for j in range(a.shape[0]):
        total += (-1) ** j * a[0, j] * determinant(np.delete(a[1:], j, axis=1))
    return total


def integral(f, a, b, whole, depth):
    m = (a + b) / 2
    left = (m - a) / 6 * (f(a) + 4 * f((a + m) / 2) + f(m))
    right = (b - m) / 6 * (f(m) + 4 * f((m + b) / 2) + f(b))
    if depth == 0 or abs(left + right - whole) < 1e-9:
        return left + right
    return integral(f, a, m, left, depth - 1) + integral(f, m, b, right, depth - 1)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


class Recursion(Everything):
    def test_numbers(self):
        def fibonacci(n):
            if n < 2:
                return n
            return fibonacci(n - 1) + fibonacci(n - 2)

        def power(b, n):
            if n == 0:
                return 1.0
            half = power(b, n // 2)
            return half * half * (b if n % 2 else 1.0)
        self.check(fibonacci, 15)
        self.check(power, 1.5, 13)
        self.check(is_even, 7)
        self.check(lambda n: is_odd(n), 7)

    def test_arrays(self):
        self.check(fft, np.arange(8.0) ** 2)
        self.check(fft, np.arange(16.0)[::2])
        self.check(determinant, np.array([[2.0, 1, 0], [1, 3, 1], [0.5, 1, 4]]))

    def test_views_are_written(self):
        def hadamard(a):
            n = a.shape[0]
            if n == 1:
                a[0, 0] = 1
                return
            h = n // 2
            hadamard(a[:h, :h])
            a[:h, h:] = a[:h, :h]
            a[h:, :h] = a[:h, :h]
            a[h:, h:] = -a[:h, :h]
        self.check(hadamard, np.zeros((8, 8)))

    def test_enclosing_names(self):
        def quicksort(a):
            def part(lo, hi):
                pivot, i = a[hi], lo
                for j in range(lo, hi):
                    if a[j] < pivot:
                        a[i], a[j] = a[j], a[i]
                        i += 1
                a[i], a[hi] = a[hi], a[i]
                return i

            def sort(lo, hi):
                if lo < hi:
                    k = part(lo, hi)
                    sort(lo, k - 1)
                    sort(k + 1, hi)
            sort(0, len(a) - 1)
            return a
        self.check(quicksort, np.array([3.0, 1, 4, 1, 5, 9, 2, 6]))

    def test_functions_as_arguments(self):
        def adaptive(a, b):
            f = lambda s: math.sin(s) * s + a
            return integral(f, a, b, 1e9, 12)
        self.check(adaptive, 0.5, 2.0)

    def test_tuples_and_none(self):
        def extremes(a):
            if a.shape[0] == 1:
                return a[0], a[0]
            m = a.shape[0] // 2
            (l1, h1), (l2, h2) = extremes(a[:m]), extremes(a[m:])
            return min(l1, l2), max(h1, h2)

        def find(a, x, lo, hi):
            if lo >= hi:
                return None
            m = (lo + hi) // 2
            if a[m] == x:
                return m
            return find(a, x, m + 1, hi) if a[m] < x else find(a, x, lo, m)
        self.check(extremes, np.array([3.0, 1, 4, 1, 5]))
        self.check(find, np.arange(0, 20, 2), 14, 0, 10)
        self.check(find, np.arange(0, 20, 2), 13, 0, 10)

    def test_depth(self):
        def deep(n):
            return 0 if n == 0 else 1 + deep(n - 1)

        def endless(n):
            return endless(n + 1) + 1
        self.check(deep, 500)
        with self.assertRaisesRegex(RecursionError, "maximum recursion depth exceeded"):
            harness.jit(endless)(0)

    def test_errors(self):
        def checked(a, n):
            if n < 0:
                raise ValueError(f"below zero: {n}")
            return a[n] if n > 2 else checked(a, n - 1)
        self.check(checked, np.arange(3.0), 1)
        self.check(checked, np.arange(3.0), 3)

    def test_errors_that_are_caught(self):
        """Outside of the function that raises them, by itself at another depth, and by `finally`."""
        class Blocked(Exception):
            def __init__(self, at, why):
                super().__init__(f"{why} at {at}")
                self.at = at

        def down(n):
            if n == 3:
                raise Blocked(n, "three")
            if n == 0:
                raise ValueError("zero")
            return n + down(n - 2)

        def caught(n):
            try:
                return down(n)
            except Blocked as error:
                return str(error), error.at

        def place(k, board):
            if k == len(board):
                return True
            for v in range(3):
                board[k] = v
                try:
                    if v in board[:k]:
                        raise KeyError(k)
                    if place(k + 1, board):
                        return True
                except KeyError:
                    pass
            return False

        def value(text, at):
            if text[at] != "(":
                return int(text[at]), at + 1
            inner, at = value(text, at + 1)
            if text[at] != ")":
                raise SyntaxError(f"no ) at {at}")
            return inner + 1, at + 1

        def values(texts):
            found = []
            for text in texts:
                try:
                    found.append(str(value(text, 0)[0]))
                except (SyntaxError, IndexError, ValueError) as error:
                    found.append(str(error))
            return found

        def logged(n):
            log = []

            def go(k):
                if k == 0:
                    raise RuntimeError("deep")
                try:
                    go(k - 1)
                finally:
                    log.append(k)
            try:
                go(n)
            except RuntimeError:
                log.append(-1)
            return log
        for n in (3, 4, 5):
            self.check(caught, n)
            self.check(lambda n: place(0, [0] * n), n)
        self.check(values, ["((3))", "((3", "(x)", "((4)5"])
        self.check(logged, 3)

    def test_attempts_that_are_taken_back(self):
        """What the first attempt at a loop has made of a method that calls itself is not there for the next one."""
        class Cell:
            def __init__(self, half):
                self.half = half
                self.mass = 0.0
                self.body = None
                self.children = None

            def child(self, k):
                if self.children[k] is None:
                    self.children[k] = Cell(self.half / 2)
                return self.children[k]

            def insert(self, k, x):
                if self.mass == 0.0:
                    self.body = k
                else:
                    if self.children is None:
                        self.children = [None] * 4
                        old = self.body
                        self.body = None
                        self.child(int(x[old])).insert(old, x)
                    self.child(int(x[k])).insert(k, x)
                self.mass += 1

            def depth(self):
                return 1 + max((c.depth() for c in self.children if c is not None), default=0) if self.children else 1

        def filled(x):
            root = Cell(1.0)
            for k in range(len(x)):
                root.insert(k, x)
            return root.mass, root.depth(), root.body, root.children[2].half
        self.check(filled, np.array([0.0, 3.0, 2.0, 1.0]))

    def test_errors_on_a_path(self):
        """What a function does not take of a value that is one of several is an error on the path that meets it, and not of the call."""
        def tree(x, depth):
            if depth == 2 or len(x) <= 1:
                return ("leaf", len(x))
            return ("node", 1.5, tree(x[:2], depth + 1), tree(x[2:], depth + 1))

        def weight(node, factor):
            if node[0] == "leaf":
                return node[1] * factor
            _, value, left, right = node
            return weight(left, factor) + weight(right, factor) + value

        def first(pair, isKnown):
            if isKnown:
                return pair[0]
            a, b, c = pair
            return a + b + c

        def added(value, isText):
            return len(value) if isText else value + 1

        def values(k):
            found = first((1, 2) if k > 0 else (3, 4, 5), k > 0), added("text" if k > 1 else k, k > 1)
            return weight(tree(np.arange(5.0), k), 2), found
        for k in range(3):
            self.check(values, k)

        def wrong(k):
            return first((1, 2) if k > 0 else (3, 4, 5), k > 1)
        self.check(wrong, 1)
        self.check(wrong, 2)


if __name__ == "__main__":
    unittest.main()
