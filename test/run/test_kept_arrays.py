"""Arrays as items of lists, dicts and objects of which a program makes any number: of any shapes, shared with other names; compiled, against Python."""
import unittest
from collections import deque

import numpy as np

import harness
from everything import Everything


class Body:
    def __init__(self, position, velocity):
        self.position = position
        self.velocity = velocity
        self.trail = None

    def step(self, dt):
        self.position += self.velocity * dt

    def move(self, dt):
        self.position = self.position + self.velocity * dt


class KeptArrays(Everything):
    x = np.array([0.5, 3.5, 2.5, 1.5, 3.1])
    labels = np.array([1, 0, 1, 2, 0])

    def test_of_different_lengths(self):
        def joined(x):
            parts = []
            for k in range(4):
                parts.append(x[x > k])
            return np.concatenate(parts), len(parts[2])
        self.check(joined, self.x)

        def comprehension(n):
            parts = [np.arange(i) for i in range(1, n)]
            return np.concatenate(parts), [len(p) for p in parts], parts[1]
        self.check(comprehension, 6)

        def between(x, edges):
            return [x[(x >= low) & (x < high)] for low, high in zip(edges[:-1], edges[1:])]
        self.check(between, self.x, np.array([0.0, 1.0, 3.2, 4.0]))

        def growing(n):
            x = np.zeros(1)
            history = []
            for i in range(n):
                history.append(x)
                x = np.concatenate([x, [float(i)]])
            return history
        self.check(growing, 4)

        def layers(sizes, x):
            weights = []
            for a, b in zip(sizes[:-1], sizes[1:]):
                weights.append(np.ones((b, a)) / a)
            for w in weights:
                x = np.tanh(w @ x)
            return x
        self.check(layers, np.array([3, 4, 2]), np.ones(3))

        def longest(lengths):
            parts = [np.arange(k) for k in lengths]
            return max(parts, key=len), sorted(parts, key=lambda part: -len(part))
        self.check(longest, np.array([3, 5, 1]))

        def with_numbers(x):
            found = []
            for k in range(3):
                found.append((k, x[x > k]))
            return found
        self.check(with_numbers, self.x)

    def test_put_together(self):
        def all_ways(x, n):
            rows = []
            for i in range(n):
                rows.append(x[i:i + 2])
                rows[i][0] += 1
            return np.array(rows), np.stack(rows, 1), np.vstack(rows), np.hstack(rows), np.concatenate(rows, axis=None)
        self.check(all_ways, np.arange(6.0), 4)

        def tables(x):
            rows = []
            for i in range(3):
                rows.append(x[x[:, 0] > i])
            return np.vstack(rows), np.concatenate(rows, axis=0)
        self.check(tables, np.arange(8.0).reshape(4, 2))

        def of_different_lengths(n):
            return np.array([np.arange(k) for k in range(n)])
        self.check(of_different_lengths, 3)

        def do_not_fit(n):
            return np.concatenate([np.zeros((2, k + 1 + k % 2)) for k in range(n)], axis=0)
        self.check(do_not_fit, 3)

        def none(n):
            return np.concatenate([np.arange(k) for k in range(n)])
        self.check(none, 0)

    def test_shared(self):
        def one_array(n):
            a = np.zeros(2)
            rows = []
            for _ in range(n):
                rows.append(a)
            rows[0][0] = 7
            a[1] += 1
            return a, rows
        self.check(one_array, 3)

        def changed_behind(n):
            rows = []
            x = np.zeros(3)
            for i in range(n):
                x[i % 3] += i
                rows.append(x)
            return rows[0][0], np.array(rows)
        self.check(changed_behind, 5)

        def views(a, n):
            parts = []
            for i in range(n):
                parts.append(a[i * 3:(i + 1) * 3])
            parts[0][0] = -1.0
            parts[1] *= 2
            return parts
        self.check(views, np.arange(12.0), 4)

        def reversed_rows(a):
            rows = []
            for row in a[::-1, ::2]:
                rows.append(row)
            rows[0][:] = 5.0
            return rows
        self.check(reversed_rows, np.arange(12.0).reshape(3, 4))

        def items_replaced(n):
            rows = [np.zeros(i + 1) for i in range(n)]
            for i in range(n):
                rows[i][-1] = i
                rows[i] += 1
            rows[0] = np.arange(5.0)
            rows[1], rows[2] = rows[2], rows[1]
            return rows
        self.check(items_replaced, 4)

    def test_argument_is_result(self):
        def kept(a, n):
            rows = []
            for _ in range(n):
                rows.append(a)
            return rows
        a = np.arange(3.0)
        first, second = harness.jit(kept)(a, 2)
        self.assertIs(first, second)
        self.assertTrue(np.shares_memory(first, a) or harness.TARGET == "cuda")

    def test_of_several_types(self):
        def or_none(n):
            cells = [None] * n
            for i in range(0, n, 2):
                cells[i] = np.arange(i)
            total = 0
            for cell in cells:
                if cell is not None:
                    total += cell.sum()
            return total, cells
        self.check(or_none, 5)

        def ranks_and_dtypes(n):
            found = []
            for i in range(n):
                if i % 3 == 0:
                    found.append(np.ones((i, 2), dtype=np.float32))
                elif i % 3 == 1:
                    found.append(np.arange(i, dtype=np.uint16))
                else:
                    found.append(i * 0.5)
            return found
        self.check(ranks_and_dtypes, 5)

        def with_axes_of_one(n):
            columns = [np.arange(float(k + 2)).reshape(-1, 1) for k in range(n)]
            return [column * np.arange(3.0) for column in columns]
        self.check(with_axes_of_one, 3)

    def test_dicts_and_queues(self):
        def groups(labels, x):
            found = {}
            for k in labels:
                found[int(k)] = x[labels == k]
            return found
        self.check(groups, self.labels, self.x)

        def sums(labels, x):
            found = {}
            for i in range(len(labels)):
                k = int(labels[i])
                if k not in found:
                    found[k] = np.zeros(x.shape[1])
                found[k] += x[i]
            return found
        self.check(sums, self.labels, np.arange(10.0).reshape(5, 2))

        def halves(n):
            queue = deque()
            queue.append(np.arange(n))
            found = []
            while queue:
                a = queue.popleft()
                if len(a) <= 2:
                    found.append(a)
                    continue
                queue.append(a[:len(a) // 2])
                queue.append(a[len(a) // 2:])
            return found
        self.check(halves, 9)

    def test_objects(self):
        def in_place(n, steps):
            bodies = []
            for i in range(n):
                bodies.append(Body(np.full(2, float(i)), np.array([1.0, i])))
            for _ in range(steps):
                for body in bodies:
                    body.step(0.5)
            return [body.position for body in bodies]
        self.check(in_place, 3, 2)

        def anew(n, steps):
            bodies = [Body(np.full(2, float(i)), np.ones(2)) for i in range(n)]
            first = bodies[0].position
            for _ in range(steps):
                for body in bodies:
                    body.move(0.5)
                    body.trail = body.position[:1]
            total = np.zeros(2)
            for body in bodies:
                total += body.position
            return total, first, bodies[n - 1].trail
        self.check(anew, 3, 2)

    def test_recursion(self):
        def parts_of(a, found):
            if len(a) < 2:
                found.append(a)
                return
            parts_of(a[:len(a) // 2], found)
            parts_of(a[len(a) // 2:], found)

        def split(a):
            found = []
            parts_of(a, found)
            found[0][0] = 9.0
            return found
        self.check(split, np.arange(5.0))

    def test_memory_is_freed(self):
        import npcc

        def kept(n):
            rows = []
            for i in range(n):
                rows.append(np.arange(float(i)))
                rows[i] += 1
            return rows[-1].sum()

        def fails(n):
            rows = []
            for i in range(n):
                rows.append(np.arange(float(i)))
                rows[i] += 1
            return rows[n]
        harness.jit(kept)(4)
        before = npcc.counters()["live_buffers"]
        for _ in range(3):
            harness.jit(kept)(20)
            with self.assertRaises(IndexError):
                harness.jit(fails)(5)
        self.assertEqual(npcc.counters()["live_buffers"], before)


if __name__ == "__main__":
    unittest.main()
