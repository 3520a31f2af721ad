"""Tuples and argument lists whose length is known at run time only, arrays in lists that grow, decorated functions; compiled, against Python."""
import functools
import unittest

import numpy as np

from everything import Everything

x = np.array([1.0, 2.0])


class OpenLengths(Everything):
    def test_tuples(self):
        def tuples(n):
            items = [k * k for k in range(n)]
            t, u = tuple(items), tuple(k for k in range(n))
            return t, u, t == u, t == items, t[1], t[1:], t + u, len(t), sum(t), max(t), str(t), 4 in t, [k for k in t]
        self.check(tuples, 5)

        def stored(n):
            t = tuple([k for k in range(n)])
            t[0] = 1
            return t
        self.check(stored, 3)

    def test_columns(self):
        def columns(n):
            points = []
            for k in range(n):
                points.append((k, k * 0.5))
            xs, ys = zip(*points)
            rows = [[i * j for j in range(n)] for i in range(n + 1)]
            return xs, ys, max(xs), sum(ys), np.array(xs), [list(c) for c in zip(*rows)], [sum(c) for c in zip(*rows)]
        self.check(columns, 4)

        def pairs(n):
            for k in range(n):
                yield k, k * 0.5

        def columns_of_iterators(n):
            xs, ys = zip(*pairs(n))
            us, vs = map(np.array, zip(*((k + 1, k * k) for k in range(n))))
            return xs, ys, us, vs, max(*iter(xs)), list(zip(*map(list, [xs, ys]))), np.hypot(*range(n)[:2])
        self.check(columns_of_iterators, 4)

    def test_starred(self):
        def starred(n):
            def area(a, b, c=1.0):
                return a * b * c
            return max(*[k * 2 for k in range(n)]), np.hypot(*np.arange(2.0 * n).reshape(2, n)), area(*(np.ones(n)[:2] * 3)), area(2, *np.full(1, n))
        self.check(starred, 5)

        def wrong(values):
            def area(a, b):
                return a * b
            return area(*values)
        self.check(wrong, np.ones(2))

    def test_decorators(self):
        def decorated(n):
            def twice(f):
                def both(*arguments):
                    return 2 * f(*arguments)
                return both

            @twice
            def added(a, b):
                return a + b

            @functools.lru_cache(maxsize=None)
            def ways(total, most=3):
                if total == 0:
                    return 1
                if total < 0 or most == 0:
                    return 0
                return ways(total, most - 1) + ways(total - most, most)

            @functools.cache
            def fibonacci(k):
                return k if k < 2 else fibonacci(k - 1) + fibonacci(k - 2)
            return added(n, 1), ways(n), ways(n, 5), fibonacci(10 * n)
        self.check(decorated, 7)

    def test_trajectories(self):
        def trajectory(start, n):
            def slope(y):
                return np.array([y[1], -y[0]])
            y = start
            states, times = [y], [0.0]
            while len(states) < n:
                y = y + 0.1 * slope(y + 0.05 * slope(y))
                times.append(times[-1] + 0.1)
                states.append(y)
            return np.array(states), np.stack(states, 1), np.vstack(states), np.concatenate(states), np.column_stack(states), np.hstack(states), times, states[-1], len(states)
        self.check(trajectory, x, 100)

        def rows(a, n):
            taken = [row for row in a]
            for k in range(n):
                taken.append(a[k % 2])
            return np.array(taken), np.concatenate([a[:, :1], a]), np.mean(taken, axis=0)
        self.check(rows, np.array([[1.0, 2.0], [3.0, 4.0]]), 100)

    def test_joined_lists(self):
        def joined(n):
            parts = []
            for k in range(n):
                parts.append([float(k)] * (k % 3))
            return np.concatenate(parts)
        self.check(joined, 7)


if __name__ == "__main__":
    unittest.main()
