"""Dicts with computed keys, sets, deques, heaps, lists with several names: compiled, against Python."""
import bisect
import functools
import heapq
import math
import operator
import time
import unittest
from collections import Counter, OrderedDict, defaultdict, deque

import numpy as np

import executed
import harness
from everything import Everything

x = np.arange(1.0, 8.0) / 7
numbers = np.array([3, 1, 3, 2, 1, 3, 0, 2])


class Lists(Everything):
    def test_several_names(self):
        def shared(n):
            a = []
            b, t = a, (a, 1)
            for i in range(n):
                a.append(i * i)
                if i % 3 == 0:
                    b.append(-i)
            t[0].sort()
            return b, len(a), a is b, sum(t[0])
        self.check(shared, 7)

    def test_given_to_functions(self):
        def filled(a):
            def add(l, v):
                if v > 0.4:
                    l.append(v)
                    l.reverse()
            kept, other = [], [a[1], a[2]]
            for v in a:
                add(kept, v)
                add(other, v)
            other[0] = a[0]
            other += [a[3]]
            return kept, other
        self.check(filled, x)

    def test_lists_in_a_list(self):
        def grouped(a):
            groups = [[] for _ in range(3)]
            for v in a:
                groups[int(v * 2)].append(v)
            return groups, [len(g) for g in groups]
        self.check(grouped, x)

    def test_going_over_what_grows(self):
        def closure(n):
            found = [n]
            for k in found:
                for m in (k // 2, k // 3):
                    if m > 0 and m not in found:
                        found.append(m)
            return found
        self.check(closure, 100)

    def test_in_objects(self):
        def history(n):
            log = Log()
            for k in range(n):
                log.note(k)
            return log.steps, log.values
        self.check(history, 5)
        self.check(history, 0)

    def test_numpy_numbers_in_lists(self):
        def best(a):
            least = [math.inf] * len(a)
            for k in range(1, len(a)):
                if a[k] < least[k - 1]:
                    least[k] = a[k]
            return [float(v) for v in least]
        self.check(best, x)


    def test_slices_and_deletion(self):
        def edited(a, n):
            known = [1, 2, 3, 4, 5]
            known[1:3] = [9, 9, 9]
            l = list(a)
            del l[0]
            del l[-2:]
            l[n:n + 1] = [a[0], a[0]]
            d = {"a": 1, "b": 2}
            del d["a"]
            counts = {k: 1 for k in numbers}
            del counts[n]
            return known, l, d, counts, [1, 2, 3][:n], l[:n] + l[n:] + [a[1]]
        self.check(edited, x, 2)

    def test_sorting_by_parts(self):
        def quicksort(l):
            if len(l) <= 1:
                return l
            less, more = [v for v in l[1:] if v < l[0]], [v for v in l[1:] if v >= l[0]]
            return quicksort(less) + [l[0]] + quicksort(more)
        self.check(lambda a: quicksort(a.tolist()), numbers)

    def test_rows(self):
        def table(a):
            rows = []
            for k in range(len(a)):
                rows.append([k, a[k], k > 2])
            return rows, rows[2], len(rows[0])

        def array(a):
            rows = []
            for k in range(len(a)):
                rows.append([k, a[k], a[k] ** 2])
            return np.array(rows)
        self.check(table, x)
        self.check(array, x)

        def changed(a):
            rows = []
            for k in range(len(a)):
                rows.append([k, a[k]])
            rows[0][1] = a[1]
            return rows
        self.assertEqual(harness.jit(changed)(x), changed(x))


class Log:
    def __init__(self):
        self.steps = []
        self.values = []

    def note(self, k):
        self.steps.append(k)
        if k % 2:
            self.values.append(k * 0.5)


class Dicts(Everything):
    def test_counts(self):
        def counted(a):
            counts = {}
            for k in a:
                counts[k] = counts.get(k, 0) + 1
            return counts, sorted(counts.items()), 3 in counts, 7 in counts, len(counts)

        def by_counter(a):
            counts = Counter(a.tolist())
            return counts, counts.most_common(2), counts[3], counts[9]

        def with_default(a):
            total = defaultdict(float)
            for k, v in zip(a.tolist(), x):
                total[k] += float(v)
            return total, {k: 2 * v for k, v in total.items()}
        self.check(counted, numbers)
        self.check(by_counter, numbers)
        self.check(with_default, numbers)

    def test_keys(self):
        def places(n):
            seen = {}
            for i in range(n):
                for j in range(i):
                    seen[i % 5, j] = seen.get((i % 5, j), 0.0) + 1.5
            return seen

        def halves(a):
            rounded = {round(float(v)): v for v in a}
            of_floats = {}
            for v in a:
                of_floats[v * 0.0] = v
            return rounded, of_floats
        self.check(places, 20)
        self.check(halves, x)

    def test_changes(self):
        def changed(a):
            d = {}
            for k in range(len(a)):
                d[a[k] % 40] = k
            taken = d.pop(a[0] % 40), d.pop(-1, 99)
            d.setdefault(1, -1)
            d.update({1000 + a[1]: 5})
            keys = [k for k in d]
            return d, taken, keys, list(d.values())[:3]
        self.check(changed, np.arange(100) * 7)

        def missing(a):
            d = {}
            for k in a:
                d[k] = 1
            return d[17]
        with self.assertRaisesRegex(KeyError, "17"):
            harness.jit(missing)(numbers)

    def test_memo(self):
        def fibonacci(n):
            cache = {}

            def f(k):
                if k < 2:
                    return k
                if k in cache:
                    return cache[k]
                cache[k] = f(k - 1) + f(k - 2)
                return cache[k]
            return f(n), len(cache)
        self.check(fibonacci, 60)

    def test_of_pairs(self):
        def counted(a):
            values, counts = np.unique(a, return_counts=True)
            return dict(zip(values.tolist(), counts.tolist()))
        self.check(counted, numbers)

    def test_ordered(self):
        def named(a):
            d = OrderedDict()
            d["total"] = a.sum()
            d["first"] = a[0]
            return d["total"], d["first"], list(d.keys())
        self.check(named, x)


class Sets(Everything):
    def test_sets(self):
        def used(a):
            s = {int(v * 10) for v in a}
            u = {1, 2, 8, len(a)}
            first = []
            seen = set()
            for k in numbers:
                if k not in seen:
                    seen.add(k)
                    first.append(k)
            u.discard(2)
            return sorted(s & u), sorted(s | u), len(s - u), 3 in s, first, s <= (s | u), s == u, u
        self.check(used, x)

    def test_queens(self):
        def queens(n):
            count = 0
            columns, up, down = set(), set(), set()

            def place(r):
                nonlocal count
                if r == n:
                    count += 1
                    return
                for c in range(n):
                    if c in columns or r + c in up or r - c in down:
                        continue
                    columns.add(c)
                    up.add(r + c)
                    down.add(r - c)
                    place(r + 1)
                    columns.remove(c)
                    up.remove(r + c)
                    down.remove(r - c)
            place(0)
            return count
        self.check(queens, 5)


class Queues(Everything):
    def test_breadth_first(self):
        def distances(n):
            found = np.full((n, n), -1)
            found[0, 0] = 0
            queue = deque([(0, 0)])
            while queue:
                i, j = queue.popleft()
                for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    a, b = i + di, j + dj
                    if 0 <= a < n and 0 <= b < n and found[a, b] < 0 and (a * b) % 4 != 3:
                        found[a, b] = found[i, j] + 1
                        queue.append((a, b))
            return found
        self.check(distances, 12)

    def test_ends(self):
        def window(a):
            last = deque(maxlen=3)
            sums = []
            for v in a:
                last.append(v)
                sums.append(sum(last))
            last.rotate(1)
            last.appendleft(a[0] + 1)
            return sums, [v for v in last], last[0], last[-1], len(last)
        self.check(window, x)

    def test_shortest_paths(self):
        def dijkstra(w):
            n = len(w)
            best = [math.inf] * n
            best[0] = 0.0
            heap = [(0.0, 0)]
            while heap:
                d, u = heapq.heappop(heap)
                if d > best[u]:
                    continue
                for v in range(n):
                    if d + w[u, v] < best[v]:
                        best[v] = d + w[u, v]
                        heapq.heappush(heap, (best[v], v))
            return np.array(best)
        self.check(dijkstra, np.abs(np.sin(np.arange(36.0))).reshape(6, 6))

    def test_heaps(self):
        def heaped(a):
            h = a.tolist()
            heapq.heapify(h)
            taken = [heapq.heappop(h) for _ in range(3)]
            heapq.heappush(h, 0)
            return taken, heapq.heappushpop(h, 5), heapq.heapreplace(h, 7), sorted(h), heapq.nsmallest(2, a.tolist())
        self.check(heaped, numbers)


class Modules(Everything):
    def test_bisect(self):
        def places(a):
            s = sorted(a.tolist())
            return bisect.bisect_left(s, 3), bisect.bisect(s, 3), bisect.bisect_right(s, 9), bisect.bisect_left(a, 2, 1)
        self.check(places, numbers)

    def test_insort(self):
        def put(a):
            s, pairs = [], [(1, 0.5), (4, 0.25)]
            for k in a:
                bisect.insort(s, k)
            bisect.insort_left(s, 2)
            bisect.insort_right(s, s[1], 2)
            bisect.insort(pairs, (3, 9.0), key=lambda pair: pair[0])
            return s, pairs
        self.check(put, [5, 3, 8, 3, 1])

    def test_reduce(self):
        def reduced(a):
            return functools.reduce(lambda p, q: p * q, a), functools.reduce(operator.add, a, 100.0)
        self.check(reduced, x)

    def test_operators(self):
        def all_of(a, n):
            return (operator.sub(a, 1), operator.truediv(a, 2), operator.floordiv(n, 2), operator.mod(n, 3), operator.pow(n, 2),
                    operator.matmul(a, a), operator.and_(n, 6), operator.or_(n, 8), operator.xor(n, 3), operator.lshift(n, 2),
                    operator.rshift(n, 1), operator.lt(n, 5), operator.le(n, 5), operator.gt(n, 5), operator.ge(n, 5),
                    operator.eq(n, 5), operator.ne(n, 5), operator.neg(a), operator.pos(a), operator.invert(n), operator.getitem(a, 1))

        def in_place(a, n, s):
            operator.iadd(a, 1)
            operator.isub(a, 2)
            operator.imul(a, n)
            operator.itruediv(a, 2)
            operator.setitem(s, 0, 7)
            operator.delitem(s, 1)
            operator.iconcat(s, [n])
            return (s, operator.ifloordiv(n, 2), operator.imod(n, 3), operator.ipow(n, 2), operator.iand(n, 6), operator.ior(n, 8), operator.ixor(n, 3),
                    operator.ilshift(n, 2), operator.irshift(n, 1), operator.imatmul(a, np.eye(3)))

        def asked(s, n):
            return (operator.contains(s, n), operator.countOf(s, n), operator.indexOf(s, n), operator.concat(s, [n]), operator.not_(n), operator.truth(s),
                    operator.abs(-n), operator.inv(n), operator.is_(n, None), operator.is_not(n, None))
        self.check(all_of, x, 5)
        self.check(in_place, x[:3].copy(), 5, [1, 2, 3])
        self.check(asked, [1, 5, 3, 5], 5)

    def test_clocks(self):
        def timed(a):
            begin, began, clock, used = time.perf_counter(), time.time(), time.monotonic(), time.process_time()
            total = a.sum()
            ns = time.perf_counter_ns(), time.time_ns(), time.monotonic_ns(), time.process_time_ns()
            return total, time.perf_counter() - begin, began, clock, used, ns
        executed.note(timed.__code__.co_filename, timed)
        before = time.time()
        total, elapsed, began, clock, used, ns = harness.jit(timed)(x)
        self.assertAlmostEqual(total, x.sum())
        self.assertTrue(0 < elapsed < 10 and before <= began <= time.time() and clock <= time.monotonic() and used >= 0)
        self.assertTrue(type(ns[0]) is int and abs(ns[1] / 1e9 - began) < 10 and ns[2] / 1e9 >= clock and ns[3] / 1e9 >= used)


if __name__ == "__main__":
    unittest.main()
