"""How often functions are imported as a whole: again after an import that found what the next one has to begin with, and not once for each such thing."""
import unittest

import numpy as np

import npcc
from harness import TARGET


class Account:
    def __init__(self, name, balance):
        self.name = name
        self.balance = balance
        self.history = [balance]
        self.weights = np.array([0.5, balance])

    def move(self, amount):
        self.balance += amount
        self.history.append(amount)


def number_of(text):
    try:
        return int(text)
    except ValueError:
        return -1


class Counter:
    """Says how often it is read: by Python at each turn, and by each import."""

    def __init__(self):
        self.reads = 0

    @property
    def half(self):
        self.reads += 1
        return 0.5


COUNTER = Counter()


class Nested:
    def __init__(self, text):
        self.text = text
        self.position = 0

    def total(self):
        value = self.pair()
        while self.position < len(self.text) and self.text[self.position] == "(":
            value += self.pair()
        return value

    def pair(self):
        self.position += 1
        value = self.inside()
        while self.text[self.position] != ")":
            value += self.inside()
        self.position += 1
        return value

    def inside(self):
        return self.total() * COUNTER.half + 1.0 if self.text[self.position] == "(" else COUNTER.half


class Imports(unittest.TestCase):
    def check(self, function, most, *arguments):
        expected = function(*arguments)
        compiled = npcc.jit(target=TARGET, cache=False)(function)
        before = npcc.counters()["imports"]
        result = compiled(*arguments)
        imports = npcc.counters()["imports"] - before
        self.assertEqual(result, expected)
        self.assertGreater(imports, 0)
        self.assertLessEqual(imports, most, function.__name__)

    def test_arrays(self):
        def scaled(x):
            return float((x * 2).sum())
        self.check(scaled, 1, np.arange(5.0))

    def test_dict_of_computed_keys(self):
        """Its lists are objects from the beginning."""
        def counted(n):
            counts = {}
            for k in range(n):
                counts[k % 3] = counts.get(k % 3, 0) + 1
            return [counts[k] for k in range(3)]
        self.check(counted, 2, 10)

    def test_dicts_that_tell_at_once(self):
        """Of run-time items, or with a computed key where it is made: nothing was made of it before."""
        def paired(n):
            squares = dict([(k, k * k) for k in range(n)])
            other = {n: 1, n + 1: 2}
            return squares[n - 1], other[n], len(other)
        self.check(paired, 2, 20)

    def test_objects_of_a_table(self):
        """What an object holds is found with its class: numbers, strings, a list, an array."""
        def moved(n):
            accounts = []
            for k in range(n):
                accounts.append(Account(str(k), k * 1.5))
            for k in range(n):
                accounts[k].move(1.0)
            return [a.balance for a in accounts], [len(a.history) for a in accounts], float(sum(a.weights[1] for a in accounts)), accounts[1].name
        self.check(moved, 3, 4)

    def test_errors_that_are_raised(self):
        """Code that raises an error begins with what was found before the error was met."""
        def parsed(x):
            counts = {}
            for k in range(len(x)):
                counts[k % 3] = k
            return counts[0], number_of("12"), number_of("twelve")
        self.check(parsed, 3, np.arange(10.0))

    def test_what_a_loop_reads(self):
        """A nest of loops is imported a sum of times, and not a product: each begins with what it has settled on before."""
        def nested(n):
            total = 0
            for _ in range(n):
                for _ in range(n):
                    for _ in range(n):
                        total += COUNTER.half
            return total
        COUNTER.reads = 0
        self.check(nested, 1, 2)
        self.assertLessEqual(COUNTER.reads, 8 + 6)  # by Python, and by imports of the innermost body

    def test_functions_that_call_each_other(self):
        def depth(text):
            return Nested(text).total()
        COUNTER.reads = 0
        self.check(depth, 2, "(()())(())")
        self.assertLessEqual(COUNTER.reads, 5 + 7)

    def test_copies_that_fail(self):
        """A loop over known items that cannot be straight code is not imported for each of them, to hear the same of all."""
        def followed(frames):
            tracks = []
            for frame in frames:
                for k in range(len(frame)):
                    near = [t for t in tracks if abs(t.balance - frame[k]) < 0.5]
                    if len(near) == 0:
                        tracks.append(Account(str(k), frame[k] * COUNTER.half))
                    else:
                        near[0].move(float(frame[k] - near[0].balance))
            return [float(t.balance) for t in tracks]
        COUNTER.reads = 0
        self.check(followed, 8, [np.arange(3.0) + 0.1 * k for k in range(40)])
        self.assertLessEqual(COUNTER.reads, 3 + 92)


if __name__ == "__main__":
    unittest.main()
