"""Functions with what compiled code has no types for: Python runs these parts on its own objects, and the rest is compiled."""
import copy
import datetime
import heapq
import io
import random
import re
import unittest
from contextlib import redirect_stdout
from dataclasses import dataclass, field

import numpy as np
from harness import jit, npcc

def fib(n, memo=None):
    if memo is None:
        memo = {}
    if n in memo:
        return memo[n]
    if n < 2:
        return n
    memo[n] = fib(n - 1, memo) + fib(n - 2, memo)
    return memo[n]


def mixed(n):
    out = []
    d = {}
    for i in range(n):
        if i % 3 == 0:
            out.append(i)
        elif i % 3 == 1:
            out.append(str(i))
        else:
            out.append(None)
        d[str(i)] = out[-1]
    return out, d


def ba(text):
    b = bytearray(text.encode())
    for i in range(len(b)):
        b[i] ^= 7
    return bytes(b), len(b)


def rolls(rng, n):
    total = 0
    for _ in range(n):
        total += rng.randint(1, 6)
    return total, rng.random()


def seen_before(board, steps):
    seen = {}
    for step in range(steps):
        key = board.tobytes()
        if key in seen:
            return seen[key], step
        seen[key] = step
        board = np.roll(board, 1, axis=0)
    return None


def bytes_in_order(a):
    return a.T.tobytes(), a.tobytes("F"), a[::-1, 1].tobytes(order="C"), a.sum().tobytes()


def fnv(text):
    h = 0xCBF29CE484222325
    for c in text:
        h ^= ord(c)
        h = (h * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return h


def congruential(seed, n):
    state = seed
    numbers = []
    for _ in range(n):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        numbers.append(state / 2**64)
    return numbers, state


def by_name(names, values):
    kinds = np.array([name.lower() for name in names])
    totals = {}
    for kind in ["b", "a"]:
        totals[kind] = float(sum(v for k, v in zip(kinds, values) if k == kind))
    return totals, int((kinds == "a").sum()), np.sort(kinds)


@dataclass(order=True)
class Task:
    priority: int
    name: str = field(compare=False)
    deps: list = field(default_factory=list, compare=False)


def schedule(tasks):
    heap = []
    for t in tasks:
        heapq.heappush(heap, t)
    order = []
    while heap:
        t = heapq.heappop(heap)
        order.append(t.name)
    return order


def transpose(rows):
    return [list(col) for col in zip(*rows)]


def nested(n):
    table = {}
    for i in range(n):
        table.setdefault(i % 3, {})[f"k{i}"] = i * i
    total = 0
    for k, inner in table.items():
        for name, v in inner.items():
            total += v
    return table, total


def words(lines):
    stack = list(lines)
    seen = []
    while stack:
        w = stack.pop()
        seen.append(w.upper())
    return seen


def dates(n):
    d = datetime.date(2024, 1, 1)
    out = []
    for i in range(n):
        d = d + datetime.timedelta(days=40)
        out.append(d.isoformat())
    return out


def safe(values):
    results = []
    errors = 0
    for v in values:
        try:
            results.append(int(v))
        except ValueError as e:
            errors += 1
            results.append(str(e))
        except TypeError:
            results.append(None)
        finally:
            errors += 0
    return results, errors


def arr(n):
    a = np.linspace(0, 1, n)
    stats = {}
    stats["mean"] = a.mean()
    stats["parts"] = [a[:2], a[2:]]
    stats["obj"] = datetime.date(2020, 1, 2)
    a[0] = 5.0
    return stats

def bad(n):
    d = {}
    d["x"] = datetime.date(2020, 1, 1)
    if n > 3:
        raise ValueError(f"bad {d['x']}")
    return d["missing"]


def counted(records):
    """A loop over arrays beside objects: what is computed with arrays stays compiled."""
    totals = {}
    x = np.linspace(0.0, 1.0, 50)
    for day, weight in records:
        total = 0.0
        for k in range(len(x)):
            total += x[k] * weight
        totals[day.isoformat()] = total
        totals.setdefault("days", []).append(day)
    return totals


def printed(names):
    print("begin", len(names))
    for k, name in enumerate(names):
        print(k, name, end=";")
    print(sorted(names, key=str))
    return None


class Shelf:
    limit = 2

    def __init__(self):
        self.things = {}

    def put(self, name, thing):
        if len(self.things) >= self.limit:
            raise OverflowError(f"no room for {name!r}")
        self.things[name] = thing


def shelved(things):
    shelf, failures = Shelf(), []
    for k, thing in enumerate(things):
        try:
            shelf.put(f"t{k}", thing)
        except OverflowError as error:
            failures.append(str(error))
        else:
            failures.append(None)
    return shelf.things, failures


def reraised(text):
    try:
        return [datetime.date.fromisoformat(part) for part in text.split()]
    except ValueError as error:
        raise KeyError(str(error)) from None


def queued(calls):
    """An attempt to compile the loop is taken back: the queue is as it was before."""
    queue, log = [], []
    for count, (delay, name) in enumerate(calls):
        heapq.heappush(queue, (delay + 0.5, count, name, {"floor": count}))
    while queue:
        now, _, name, data = heapq.heappop(queue)
        log.append((now, name, data["floor"]))
    return log


def bound_later(values):
    handlers = {}

    def first(x):
        return second(x) + 1

    handlers["first"] = first

    def second(x):
        return x * 2

    return [handlers["first"](value) for value in values]


class PythonObjects(unittest.TestCase):
    def check(self, function, *arguments):
        """Value, printed text, changed arguments and exception are Python's, at the first call and at the next."""
        compiled = jit(function)
        for _ in range(2):
            outcomes = []
            for called in (function, compiled):
                given, printed = copy.deepcopy(arguments), io.StringIO()
                with redirect_stdout(printed):
                    try:
                        result = called(*given)
                    except Exception as error:
                        result = type(error), str(error)
                outcomes.append((repr(result), re.sub(" at 0x[0-9a-f]*", "", repr(given)), printed.getvalue()))
            self.assertEqual(outcomes[1], outcomes[0])

    def test_fib(self):
        self.check(fib, 30)

    def test_mixed(self):
        self.check(mixed, 7)

    def test_ba(self):
        self.check(ba, "hello world")

    def test_rolls(self):
        self.check(rolls, random.Random(5), 10)

    def test_schedule(self):
        self.check(schedule, [Task(3, "c"), Task(1, "a", ["x"]), Task(2, "b")])

    def test_transpose(self):
        self.check(transpose, [[k * j for k in range(4)] for j in range(3)])

    def test_nested(self):
        self.check(nested, 10)

    def test_words(self):
        self.check(words, ["a", "bb", "ccc"])

    def test_dates(self):
        self.check(dates, 5)

    def test_safe(self):
        self.check(safe, ["1", "x", None, 3.5])

    def test_arr(self):
        self.check(arr, 5)

    def test_bad_11(self):
        self.check(bad, 5)

    def test_bad_12(self):
        self.check(bad, 1)

    def test_queued(self):
        self.check(queued, [(0, "a"), (3, "b"), (1, "c")])

    def test_functions_bound_later(self):
        """Python would look for the name when it calls the function: it is right, or refused."""
        try:
            self.assertEqual(jit(bound_later)([1, 2]), [3, 5])
        except npcc.CompileError as error:
            self.assertIn("second", str(error) + str(getattr(error, "__notes__", "second")))

    def test_counted(self):
        self.check(counted, [(datetime.date(2024, 1, 2), 0.5), (datetime.date(2024, 1, 3), 2)])

    def test_printed(self):
        self.check(printed, ["b", "a", 3])

    def test_bytes_of_arrays(self):
        self.check(seen_before, np.eye(4, dtype=int), 9)
        self.check(seen_before, np.eye(4), 3)
        self.check(bytes_in_order, np.arange(6.0).reshape(2, 3))
        self.check(bytes_in_order, np.arange(6, dtype=np.int16).reshape(2, 3)[:, ::-1])

    def test_ints_of_more_than_64_bits(self):
        self.check(fnv, "")
        self.check(fnv, "foobar")
        self.check(congruential, 12345, 5)

    def test_arrays_of_strings(self):
        self.check(by_name, ["a", "B", "A"], np.array([1.0, 2.0, 4.0]))

    def test_shelved(self):
        self.check(shelved, ["x", 1, None])

    def test_reraised(self):
        self.check(reraised, "2024-01-02 2024-02-30")
        self.check(reraised, "2024-01-02")

    def test_identity(self):
        things = [object(), 1]
        self.assertIs(jit(lambda items: items[0])(things), things[0])

    def test_what_arrays_do_is_compiled_or_refused(self):
        with self.assertRaises(npcc.CompileError):
            jit(lambda x: {"bytes": x.dumps()})(np.ones(3))

    def test_nothing_is_kept(self):
        from npcc import objects

        function = jit(mixed)
        function(5)
        held = sum(one is not None for one in objects.table)
        for _ in range(5):
            function(20)
        self.assertEqual(sum(one is not None for one in objects.table), held)


if __name__ == "__main__":
    unittest.main()
