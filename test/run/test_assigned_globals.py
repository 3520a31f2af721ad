"""Globals that compiled functions assign to, and containers among them that they change: handed over with each call, and put back, against Python."""
import copy
import functools
import unittest

import numpy as np

from everything import same
from harness import jit

count = 0
best = None
found = []
grid = np.zeros(3)


def add(k):
    global count
    count += k
    return count


def add_twice(k):
    add(k)
    add(k)
    return count


def descend(n):
    global count
    if n == 0:
        return 0
    count += 1
    return descend(n - 1) + 1


def keep_best(numbers):
    global best, count
    for x in numbers:
        count += 1
        if best is None or x > best:
            best = x
    return best


def collect(n):
    global found
    found = [k * k for k in range(n)]
    found.append(7)
    return len(found)


def make(n):
    global made
    made = n * 2.5
    return made + 1


def shift(v):
    global grid
    grid = grid + v
    grid[0] = 9
    return grid.sum()


class Counter:
    def set(self, n):
        global count
        count = n


def by_method(n):
    Counter().set(n)
    return count


def by_inner_function(n):
    def inner():
        global count
        count += n
    inner()
    inner()
    return count


def read():
    return count * 2


log = []
hits = {"a": 0}
seen = set()
nested = {"x": [1]}


def note(text):
    log.append(("info", text))
    return len(log)


def hit(key):
    hits[key] = hits.get(key, 0) + 1
    return hits[key]


def see(n):
    for k in range(n):
        seen.add(k * k)
    return len(seen)


def fibonacci(n):
    if n < 2:
        return n
    if n not in hits:
        hits[n] = fibonacci(n - 1) + fibonacci(n - 2)
    return hits[n]


def change_inside(v):
    nested["x"].append(v)
    return len(nested["x"])


def set_first(log, x):
    hits = np.zeros(2)
    hits[1] = x
    log[0] = x + hits[1]
    return log[0]


class ChangedContainers(unittest.TestCase):
    def results(self, function, arguments, start):
        for container in (log, hits, seen):
            container.clear()
        hits.update(start)
        nested["x"] = [1]
        before = [id(container) for container in (log, hits, seen, nested)]
        results = [(function(*arguments), copy.deepcopy((log, hits, sorted(seen), nested))) for _ in range(3)]
        self.assertEqual(before, [id(container) for container in (log, hits, seen, nested)])
        return results

    def test_functions(self):
        for function, start, *arguments in ((note, {}, "m"), (hit, {"a": 0}, "a"), (hit, {"a": 0}, "z"), (see, {}, 4),
                                            (fibonacci, {}, 10), (change_inside, {}, 5)):
            expected, got = self.results(function, arguments, start), self.results(jit(function), arguments, start)
            self.assertIsNone(same(expected, got), f"{function.__name__}: {expected}, compiled {got}")

    def test_own_names(self):
        """A parameter or a variable that has the name of a list hands no list over."""
        compiled, x = jit(set_first), np.ones(3)
        self.assertEqual([compiled(x, 2.0), x[0]], [4.0, 4.0])
        self.assertEqual(compiled.inspect.__self__.assigned_globals(), [])
        self.assertEqual(len(compiled.signatures), 1)  # the call takes no detour


def counted(function):
    calls, total = [], 0

    @functools.wraps(function)
    def wrapper(*args):
        nonlocal total
        result = function(*args)
        calls.append((function.__name__, result))
        total += 1
        wrapper.count += 1
        return result
    wrapper.calls, wrapper.count, wrapper.total = calls, 0, lambda: total
    return wrapper


def remembering(function):
    known = {}

    def wrapper(n):
        if n not in known:
            known[n] = function(n)
        return known[n]
    wrapper.known = known
    return wrapper


def closures():
    """Functions of names that decorators made, which have these under other names, too."""
    half = counted(lambda k: k * 0.5)
    square = remembering(lambda n: n * n)

    def halves(n):
        for k in range(n):
            half(k)
        return len(half.calls), half.calls[-1], half.count, half.total()

    def squares(n):
        return sum(square(k % 3) for k in range(n)), len(square.known)
    return halves, squares, lambda: (half.calls, half.count, half.total(), square.known)


class Closures(unittest.TestCase):
    def results(self, compiled):
        halves, squares, state = closures()
        if compiled:
            halves, squares = jit(halves), jit(squares)
        return [(halves(n), squares(n), copy.deepcopy(state())) for n in (3, 4, 1)]

    def test_functions(self):
        self.assertEqual(self.results(False), self.results(True))


class AssignedGlobals(unittest.TestCase):
    def results(self, function, arguments):
        """Of three calls, with what the globals are then."""
        globals().update(count=0, best=None, found=[], grid=np.zeros(3))
        globals().pop("made", None)
        results = []
        for _ in range(3):
            results.append((function(*arguments), count, best, list(found), grid.copy(), globals().get("made")))
        return results

    def test_functions(self):
        for function, *arguments in ((add, 2), (add_twice, 3), (descend, 4), (keep_best, [3, 1, 5]), (collect, 3), (make, 2), (shift, 1.5),
                                     (by_method, 8), (by_inner_function, 4)):
            expected, got = self.results(function, arguments), self.results(jit(function), arguments)
            self.assertIsNone(same(expected, got), f"{function.__name__}: {expected}, compiled {got}")

    def test_types_that_change(self):
        global count
        compiled = jit(add)
        count = 1
        self.assertEqual([compiled(1), compiled(0.5), compiled(1)], [2, 2.5, 3.5])
        self.assertEqual(repr(count), "3.5")

    def test_no_compilation_for_each_value(self):
        """What others read of such a global is compiled again, what assigns to it is not."""
        global count
        count = 0
        adding, reading = jit(add), jit(read)
        self.assertEqual([(adding(5), reading()) for _ in range(3)], [(5, 10), (10, 20), (15, 30)])
        self.assertEqual(len(adding.inspect.__self__.structured), 1)


if __name__ == "__main__":
    unittest.main()
