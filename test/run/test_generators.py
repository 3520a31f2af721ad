"""Generators and the module itertools: compiled, against Python."""
import itertools
import operator
import unittest

import numpy as np

import harness
from everything import Everything

x = np.arange(1.0, 12.0)


def chunks(a, k):
    for i in range(0, len(a), k):
        yield a[i:i + k]


def newton(v):
    while True:
        v = 0.5 * (v + 2 / v)
        yield v


def pairs(n):
    for i in range(n):
        for j in range(i + 1, n):
            yield i, j


def some(n):
    yield -1
    if n > 5:
        return
    for k in range(n):
        if k == 1:
            continue
        yield k
    yield from range(10, 12)


class Generators(Everything):
    def test_loops(self):
        def maxima(a):
            total = 0.0
            for part in chunks(a, 4):
                total += part.max()
            return total

        def root(v):
            before = v
            for k, now in enumerate(newton(v)):
                if abs(now - before) < 1e-12:
                    break
                before = now
            else:
                k = -1
            return now, k

        def steps(n):
            seen = []
            for k in some(n):
                if k == 2:
                    continue
                if k == 11:
                    break
                seen.append(k)
            else:
                seen.append(99)
            return seen
        self.check(maxima, x)
        self.check(root, 1.0)
        for n in range(8):
            self.check(steps, n)

    def test_all_items(self):
        def taken(a):
            products = [a[i] * a[j] for i, j in pairs(4) if i != 1]
            return products, list(pairs(3)), sum(a[i] for i, j in pairs(4)), max(i * j for i, j in pairs(4))
        self.check(taken, x)

        def together(a):
            total = 0.0
            for k, (i, j), v in zip(range(4), pairs(5), a):
                total += k * i * j * v
            return total
        self.check(together, x)

    def test_inside(self):
        def outer(a):
            scale = 2.0

            def scaled(b):
                for v in b:
                    yield v * scale
            total = 0.0
            for v in scaled(a):
                scale = 3.0
                for w in scaled(a[:2]):
                    total += v * w
            return total
        self.check(outer, x)

    def test_return_from_the_loop(self):
        def first(a, limit):
            for i, j in pairs(len(a)):
                if a[i] * a[j] > limit:
                    return i, j
            return -1, -1
        self.check(first, x, 20.0)
        self.check(first, x, 2000.0)

    def test_used_twice(self):
        def twice(a):
            parts = chunks(a, 4)
            total = 0.0
            for part in parts:
                total += part.sum()
            for part in parts:
                total += part.sum()
            return total
        self.assertEqual(harness.jit(twice)(x), twice(x))

        def again(a):
            parts = chunks(a, 4)
            total = 0.0
            for k in range(int(a[1])):
                for part in parts:
                    total += part.sum()
            return total
        self.assertEqual(harness.jit(again)(x), again(x))

    def test_itertools(self):
        def grid(n):
            made = np.zeros((n, n, n))
            for i, j, k in itertools.product(range(n), range(n), range(n)):
                made[i, j, k] = i + j * k
            total = 0.0
            for a, b in itertools.product([0.5, 1.5], repeat=2):
                total += a * b * n
            return made, total

        def chosen(a):
            best = -1.0
            for p in itertools.permutations(range(3)):
                value = a[p[0]] * 100 + a[p[1]] * 10 + a[p[2]]
                if value > best:
                    best = value
            pair = sum(a[i] * a[j] for i, j in itertools.combinations(range(len(a)), 2))
            with_itself = [(i, j) for i, j in itertools.combinations_with_replacement(range(3), 2)]
            return best, pair, with_itself

        def running(a):
            sums = list(itertools.accumulate(a))
            products = list(itertools.accumulate(a[:4], operator.mul))
            ends = [v for v in itertools.chain(a[:2], a[-2:])]
            some = [k for k in itertools.islice(itertools.count(3, 2), 4)]
            near = list(itertools.takewhile(lambda v: v < 5, a))
            steps = [q - p for p, q in itertools.pairwise(a)]
            return sums, products, ends, some, near, steps

        def picked(a, n):
            some = [v for v in itertools.compress(a, a > 4)]
            late = [v for v in itertools.dropwhile(lambda v: v < 5, a)]
            other = [v for v in itertools.filterfalse(lambda v: v > 4, a)]
            again = [k for k in itertools.islice(itertools.cycle([1, 2, 3]), 7)]
            same = [k for k in itertools.repeat(n, 3)]
            powers = [p for p in itertools.starmap(pow, [(2, 5), (3, 2)])]
            return some, late, other, again, same, powers

        def runs(a):
            lengths = [(bool(above), len(list(group))) for above, group in itertools.groupby(a > 3)]
            ends = [(k, list(group)[-1]) for k, group in itertools.groupby(range(10), key=lambda k: k // 4)]
            return lengths, ends
        self.check(runs, x)
        self.check(picked, x, 4)
        self.check(grid, 3)
        self.check(chosen, x[:5])
        self.check(running, x)

    def test_expressions_make_items_one_by_one(self):
        def squares(limit):
            return list(itertools.takewhile(lambda v: v < limit, (k * k for k in itertools.count(1))))

        def first_cube(limit):
            return next(x for x in (k**3 for k in itertools.count()) if x > limit), any(k % 7 == 6 for k in itertools.count())

        def renamed(n):
            numbers = (k for k in itertools.count(1))
            numbers = (2 * k for k in numbers if k % 3)
            numbers = (k + 1 for k in numbers)
            return [k for k in itertools.islice(numbers, n)]

        def asked(numbers):
            seen = []

            def is_large(v):
                seen.append(v)
                return v > 2
            found = any(is_large(v) for v in numbers), all(6 // v < 4 for v in numbers)
            return found, seen

        def elsewhere(n):
            numbers = (k * k for k in pairs_below(n))
            if n > 3:
                return [k + 1 for k in numbers]
            total = 0
            for k in numbers:
                total += k
            return total

        def pairs_below(n):
            for k in range(n):
                yield k
        self.check(squares, 200)
        self.check(first_cube, 1000)
        self.check(renamed, 5)
        self.check(asked, [2, 1, 3, 0, 0])
        self.check(elsewhere, 3)
        self.check(elsewhere, 5)

    def test_positions(self):
        def walked(a):
            total = 0.0
            for i, j in np.ndindex(*a.shape):
                total += a[i, j] * i
            for (i, j), v in np.ndenumerate(a):
                total += v * j
            return total
        self.check(walked, x[:6].reshape(2, 3))


def naturals(first):
    while True:
        yield first
        first += 1


def countdown(n):
    while n > 0:
        yield n
        n -= 1


def mean_so_far():
    total, count, mean = 0.0, 0, None
    while True:
        x = yield mean
        total += x
        count += 1
        mean = total / count


def inverses(numbers):
    try:
        for number in numbers:
            yield 1 / number
    except ZeroDivisionError:
        yield -1.0


def merged(a, b):
    x, y = next(a, None), next(b, None)
    while x is not None or y is not None:
        if y is None or (x is not None and x <= y):
            yield x
            x = next(a, None)
        else:
            yield y
            y = next(b, None)


def one_more(source):
    yield next(source)
    yield next(source)


class Node:
    def __init__(self, key):
        self.key, self.left, self.right = key, None, None


def in_order(node):
    if node:
        yield from in_order(node.left)
        yield node.key
        yield from in_order(node.right)


class GeneratorsOnTheirOwn(Everything):
    def test_next(self):
        def of_many(n):
            numbers, total = naturals(0.5), 0
            for _ in range(n):
                total += next(numbers)
            return total, next(numbers), [next(numbers) for _ in range(n)]

        def until_the_end(n):
            left, found = countdown(n), []
            while True:
                x = next(left, None)
                if x is None:
                    break
                found.append(x)
            try:
                next(left)
            except StopIteration:
                found.append(-1)
            return found, next(left, "over"), list(left)

        def after_a_loop(n):
            left = countdown(n)
            for x in left:
                if x < n - 1:
                    break
            return x, [y for y in left], iter(left) is left

        def of_an_expression(n):
            squares = (k * k for k in range(n))
            return next(squares), next(squares), list(squares)

        def of_arrays(a):
            parts = chunks(a, 3)
            return next(parts).sum(), [part.mean() for part in parts]
        self.check(of_many, 4)
        self.check(until_the_end, 3)
        self.check(after_a_loop, 6)
        self.check(of_an_expression, 5)
        self.check(of_arrays, x)

    def test_sent(self):
        def sent(numbers):
            mean = mean_so_far()
            first = next(mean)
            return first, [mean.send(number) for number in numbers]

        def too_early(n):
            return mean_so_far().send(n)

        def closed(n):
            left = countdown(n)
            next(left)
            left.close()
            return list(left)
        self.check(sent, [1.0, 2.0, 6.0])
        self.check(too_early, 3)
        self.check(closed, 3)

    def test_given_and_kept(self):
        def taken(source, k):
            return [next(source) for _ in range(k)]

        def given(n):
            source = naturals(1)
            return taken(source, n), taken(source, 2)

        def in_turn(n):
            waiting, done = [countdown(k + 1) for k in range(n)], []
            while waiting:
                source = waiting.pop(0)
                item = next(source, None)
                if item is not None:
                    done.append(item)
                    waiting.append(source)
            return done

        def several(n):
            return list(merged(naturals_below(n, 2), naturals_below(n, 3))), list(zip(naturals(5), countdown(n)))

        def zipped(n):
            source = naturals(0)
            return [(k, item) for k, item in zip(range(n), source)], next(source)

        def naturals_below(n, step):
            for k in range(0, n, step):
                yield k
        self.check(given, 3)
        self.check(in_turn, 4)
        self.check(several, 7)
        self.check(zipped, 3)

    def test_what_ends_them(self):
        def caught(numbers):
            source = inverses(numbers)
            return next(source), list(source)

        def runs_out(n):
            return list(one_more(countdown(n)))

        def left_by_an_error(n):
            def failing():
                yield n
                raise ValueError("no more")
            source = failing()
            first = next(source)
            try:
                next(source)
            except ValueError as error:
                return first, str(error), next(source, "over")
        self.check(caught, [1.0, 4.0, 0.0, 2.0])
        self.check(runs_out, 2)
        self.check(runs_out, 1)
        self.check(left_by_an_error, 2)

    def test_names_of_scopes_around(self):
        def numbered(n):
            seen = 0

            def items():
                nonlocal seen
                while True:
                    seen += 1
                    yield seen * n
            source = items()
            return [next(source) for _ in range(n)], seen
        self.check(numbered, 3)

    def test_trees(self):
        def walked(keys):
            root = Node(keys[0])
            for key in keys[1:]:
                here = root
                while here is not None:
                    parent, here = here, here.left if key < here.key else here.right
                if key < parent.key:
                    parent.left = Node(key)
                else:
                    parent.right = Node(key)
            return list(in_order(root))
        self.check(walked, [5, 2, 8, 1, 9, 3])

    def test_lists_of_lists(self):
        """The list that list() makes of a generator is not like those that the generator gives, which list() makes too."""
        def chunks(values, size):
            source = iter(values)
            while part := list(itertools.islice(source, size)):
                yield part

        def listed(n):
            parts = list(chunks(range(n), 3))
            return parts, str(parts), [len(part) for part in parts], list(itertools.chain.from_iterable(parts)), sorted(chunks([3, 1, 2], 2))
        self.check(listed, 7)


if __name__ == "__main__":
    unittest.main()
