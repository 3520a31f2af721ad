"""Python's module `random` in compiled code: the same numbers, and the generator goes on where a call leaves it."""
import math
import random
import unittest
from random import Random, randint

import numpy as np

import executed
import harness
from everything import same

OWN = Random(7)


class PythonRandom(unittest.TestCase):
    def check(self, function, *arguments):
        compiled = harness.jit(function)
        results = []
        for one in (function, compiled):
            random.seed(12)
            OWN.seed(3)
            results.append([one(*arguments), one(*arguments), random.random(), OWN.getrandbits(40)])
        self.assertIsNone(same(results[0], results[1]), f"{results}")
        executed.note(__file__, function)

    def test_numbers(self):
        def drawn(n):
            return random.random(), random.uniform(2.0, n), random.getrandbits(5), random.getrandbits(32), random.getrandbits(50), random.getrandbits(0)
        self.check(drawn, 3)

    def test_loops(self):
        def pi(n):
            inside = 0
            for _ in range(n):
                x, y = random.random(), random.random()
                inside += math.hypot(x, y) < 1
            return 4 * inside / n
        self.check(pi, 1000)

    def test_integers(self):
        def drawn(n):
            return [random.randint(1, n) for _ in range(10)], random.randrange(n), random.randrange(2, n), randint(-n, n)
        self.check(drawn, 17)

    def test_items(self):
        def drawn(n):
            items = [k * 2 for k in range(n)]
            random.shuffle(items)
            return items, random.choice(items), random.choice("abc"), random.choice(np.arange(n))
        self.check(drawn, 9)

    def test_distributions(self):
        def drawn(n):
            return random.expovariate(0.5), random.normalvariate(1.0, 2.0), random.triangular(0.0, n, 1.0), random.paretovariate(3.0)
        self.check(drawn, 4)

    def test_own_generators(self):
        def drawn(n):
            return OWN.random() + n, OWN.randint(0, 9), random.random()
        self.check(drawn, 1)

    def test_generators_made_inside(self):
        class Walk:
            def __init__(self, seed):
                self.rng = Random(seed)
                self.place = 0

            def step(self):
                self.place += self.rng.choice([-1, 1]) * self.rng.randint(1, 3)

        def walked(n):
            walk = Walk(n)
            for _ in range(n):
                walk.step()
            rng = random.Random(-n)
            deck = [(rank, suit) for suit in "SH" for rank in range(5)]
            rng.shuffle(deck)
            return walk.place, deck, rng.uniform(1.0, n), isinstance(rng, Random), Random(2**40).getrandbits(32)
        self.check(walked, 6)

    def test_generators_by_default(self):
        def drawn(n, rng=None):
            rng = rng or random.Random(n)
            return rng.random()
        self.check(drawn, 5)

    def test_normal_numbers_in_pairs(self):
        def drawn(n):
            return [random.gauss(0, 1) for _ in range(n)], random.gauss(1.5, 2.0), OWN.gauss()
        self.check(drawn, 2)
        self.check(drawn, 5)

    def test_samples(self):
        def drawn(n):
            few = random.sample(range(n), 3), random.sample([k * 2 for k in range(n)], 2), random.sample("abcd", 4)
            return few, random.sample(range(1000), 7), random.sample([1, 2], counts=[3, 4], k=4), random.sample(range(n), 0)
        self.check(drawn, 9)

    def test_lists_of_known_length(self):
        def shuffled(n):
            items = [1, 2, 3, 4]
            random.shuffle(items)
            return items
        self.check(shuffled, 1)

    def test_seeds(self):
        def drawn(n):
            random.seed(n)
            first = random.random()
            random.seed(42)
            return first, random.random()
        self.check(drawn, 5)
        self.check(drawn, -2**40)

    def test_errors_leave_the_state(self):
        def failing(n):
            x = random.random()
            if n > 0:
                raise ValueError("too much")
            return x
        compiled = harness.jit(failing)
        states = []
        for one in (failing, compiled):
            random.seed(1)
            with self.assertRaises(ValueError):
                one(1)
            states.append(random.random())
        self.assertEqual(states[0], states[1])

    def test_variable_parameters(self):
        def drawn(*values):
            return random.random() * len(values)
        self.check(drawn, 1, 2)


if __name__ == "__main__":
    unittest.main()
