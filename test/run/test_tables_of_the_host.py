"""Arrays, lists and dicts that loops of the host go through: right on every target, and a device waits for none of them."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison, jit


def collatz(n):
    """A dict that grows."""
    seen = {}
    best = 0
    for i in range(1, n):
        k, c = i, 0
        while k != 1:
            if k in seen:
                c += seen[k]
                break
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            c += 1
        seen[i] = c
        best = max(best, c)
    return best


def sieve(n):
    """Elements that are read between stores of slices."""
    is_prime = np.ones(n, dtype=bool)
    is_prime[:2] = False
    for i in range(2, int(n ** 0.5) + 1):
        if is_prime[i]:
            is_prime[i * i::i] = False
    return is_prime


def primes(n):
    """A list that is returned, which its own loop reads."""
    found = [2]
    k = 3
    while len(found) < n:
        if all([k % p != 0 for p in found]):
            found.append(k)
        k += 2
    return found


def weights(n, x):
    """A table that the host fills, and then a kernel reads beside an argument, and one that it stores to."""
    table = np.zeros(n)
    table[0] = 1.0
    for i in range(1, n):
        table[i] = table[i - 1] * 0.5 + (table[i // 2] if i % 3 == 0 else 1.0)
    y = x * table
    table += x
    total = np.float64(0)
    for i in range(n):
        if table[i] > 1.5:
            total += table[n - 1 - i]
    return y, table, total


def breadth_first(near, start):
    """A queue, and an argument that is read element by element."""
    n = near.shape[0]
    distance = [-1] * n
    distance[start] = 0
    queue = [start]
    head = 0
    while head < len(queue):
        u = queue[head]
        head += 1
        for v in range(n):
            if near[u, v] and distance[v] < 0:
                distance[v] = distance[u] + 1
                queue.append(v)
    return distance


def levels(x, count):
    """A list of arrays, whose table the host reads."""
    kept = []
    for _ in range(count):
        even, odd = x[:, 0::2], x[:, 1::2]
        kept.append((even - odd) / 2.0)
        x = (even + odd) / 2.0
    return np.concatenate(kept[::-1] + [x], axis=1)


def out_of_range(n, x):
    """An error behind what was stored."""
    table = np.zeros(n)
    for i in range(n + 1):
        x[0] = i
        table[i] = i
    return table


def launches(function, *arguments):
    """Of the second call."""
    function(*arguments)
    before = npcc.counters()["launches"]
    function(*arguments)
    return npcc.counters()["launches"] - before


class TablesOfTheHost(Comparison):
    def test_results(self):
        rng = np.random.default_rng(3)
        for function in (collatz, sieve, primes, weights):
            compiled = jit(function)
            for n in (40, 1, 2, 3, 700):
                given = [rng.integers(0, 4, n).astype(float)] if function is weights else []
                with self.subTest(function=function.__name__, n=n):
                    self.compare(function, [min(n, 60) if function is primes else n, *given], compiled)
        for n in (1, 5, 30):
            self.compare(breadth_first, [rng.random((n, n)) < 2.5 / n, 0])
        self.compare(levels, [rng.integers(0, 64, (6, 64)).astype(float), 4])

    def test_errors(self):
        self.compare(out_of_range, [7, np.zeros(2)])

    @unittest.skipUnless(TARGET == "cuda", "the host's own memory")
    def test_no_launches(self):
        self.assertEqual(launches(jit(collatz), 300), 0)
        self.assertEqual(launches(jit(primes), 30), 0)
        self.assertEqual(launches(jit(breadth_first), np.eye(9, k=1, dtype=bool), 0), 0)
        # The products with the table, and the sum with it: no more for a longer table.
        few = launches(jit(weights), 20, np.ones(20))
        self.assertEqual(launches(jit(weights), 200, np.ones(200)), few)
        self.assertLessEqual(few, 2)


if __name__ == "__main__":
    unittest.main()
