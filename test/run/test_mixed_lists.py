"""Lists whose items are of several types: None, strings and numbers of several kinds; compiled, against Python."""
import unittest

import numpy as np

import npcc
from everything import Everything


class MixedLists(Everything):
    def test_made_of_none(self):
        def filled(n):
            out = [None] * n
            for i in range(n):
                if i % 2:
                    out[i] = i
            return out
        self.check(filled, 5)

        def of_an_array(a):
            out = [None] * len(a)
            for i in range(len(a)):
                out[i] = a[i]
            return out
        self.check(of_an_array, np.arange(3.0) + 0.5)
        self.check(of_an_array, np.arange(3, dtype=np.int16) - 1)

        def remembered(n):
            memo = [None] * (n + 1)

            def fibonacci(k):
                if memo[k] is not None:
                    return memo[k]
                memo[k] = k if k < 2 else fibonacci(k - 1) + fibonacci(k - 2)
                return memo[k]
            return fibonacci(n)
        self.check(remembered, 30)

    def test_arrays_of_numpys_numbers(self):
        def neighbours(a):
            found = [-1, -1, -1]
            for k in range(3):
                if a[k] > 0:
                    found[k] = a[k]
            return np.argmax(found), np.array(found), np.array(found, np.float32), np.mean(found)
        self.check(neighbours, np.array([1.0, -1, 3]))
        self.check(neighbours, np.array([1, -1, 3], np.int16))
        self.check(neighbours, np.array([1, -1, 3], np.float32))

    def test_ints_and_floats(self):
        def scaled(n, x):
            out = [0] * n
            for i in range(n):
                if i % 3 == 0:
                    out[i] = x * i
            return out, sum(out), max(out), min(out), out[1] + out[0], sorted(out), out.index(0), 0 in out, out[1:3]
        self.check(scaled, 7, 1.5)

        def times(start, step, n):
            t = [0]
            for i in range(n):
                t.append(t[-1] + step)
            return np.array(t), len(t), np.array(t, int), t.pop(), t
        self.check(times, 0, 0.25, 9)

        def grid(n):
            g = [[0] * n for _ in range(n)]
            for i in range(n):
                for j in range(n):
                    if i > j:
                        g[i][j] = i / (j + 1)
            return g
        self.check(grid, 3)

    def test_numbers_keep_their_types(self):
        def distances(n):
            best = [float("inf")] * n
            best[0] = 0
            for i in range(1, n):
                best[i] = min(best[i], best[i - 1] + i)
            return best
        self.check(distances, 4)

        def pairs(a, b):
            return sum(abs(x - y) for x, y in zip(a, b)), [x * y for x, y in zip(a, b)], [(x, y) for x, y in zip(a, b) if x != y]
        self.check(pairs, [1, 2, 5], [3, 4.5, 5])

    def test_types_that_meet(self):
        def either(n, x):
            a = []
            for k in range(n):
                if k % 2:
                    a.append(k)
                else:
                    a.append(x)
            b = []
            b += a
            return len(set(a)), b
        self.check(either, 5, 0.5)

        def semi_perfect(numbers, total):
            table = [[0 for _ in range(total + 1)] for _ in range(len(numbers) + 1)]
            for i in range(len(numbers) + 1):
                table[i][0] = True
            for i in range(1, len(numbers) + 1):
                for j in range(1, total + 1):
                    table[i][j] = table[i - 1][j]
                    if numbers[i - 1] <= j:
                        table[i][j] = table[i - 1][j] or table[i - 1][j - numbers[i - 1]]
            return table[len(numbers)][total] != 0, table
        self.check(semi_perfect, [1, 2, 3], 6)

    def test_an_array_of_ints_only(self):
        def times(n):
            t = [0]
            for i in range(n):
                t.append(t[-1] + 0.5)
            return np.array(t)
        self.check(times, 2)
        self.check(times, 0)

    def test_none_and_strings(self):
        def appended(n):
            out = []
            for i in range(n):
                out.append(i if i % 2 else None)
            count = 0
            for value in out:
                if value is None:
                    count += 1
                else:
                    count += value * 10
            return count, [value for value in out if value is not None], out
        self.check(appended, 6)

        def texts(n):
            names = ["a"] * n
            names[1] = "bcd"
            out = []
            for i in range(n):
                if i == 2:
                    out.append("two")
                else:
                    out.append(i * 0.5)
            return names, out, str(out)
        self.check(texts, 4)

    def test_made_by_comprehensions(self):
        def made(n):
            return [None for _ in range(n)], [None if k % 2 else k for k in range(n)], [str(k) if k % 2 else None for k in range(n)]
        self.check(made, 5)

    def test_given_and_returned_by_itself(self):
        def merge(left, right):
            out = [None] * (len(right) + len(left))
            i = j = 0
            for k in range(len(out)):
                if j == len(right) or (i < len(left) and left[i] < right[j]):
                    out[k] = left[i]
                    i += 1
                else:
                    out[k] = right[j]
                    j += 1
            return out

        def merge_sort(a):
            if len(a) <= 1:
                return a
            middle = len(a) // 2
            return merge(merge_sort(a[:middle]), merge_sort(a[middle:]))
        self.check(merge_sort, [3, 1, 2, 5, 4])


if __name__ == "__main__":
    unittest.main()
