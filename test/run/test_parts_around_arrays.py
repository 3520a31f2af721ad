"""Parts that Python runs beside arrays that stay compiled: codes of variable length for what an image is made of."""
import heapq
import unittest
from collections import Counter

import numpy as np
from harness import jit


def codes_of(weights):
    heap = [[weight, k, [symbol, ""]] for k, (symbol, weight) in enumerate(sorted(weights.items()))]
    heapq.heapify(heap)
    made = len(heap)
    while len(heap) > 1:
        low, high = heapq.heappop(heap), heapq.heappop(heap)
        for pair in low[2:]:
            pair[1] = "0" + pair[1]
        for pair in high[2:]:
            pair[1] = "1" + pair[1]
        heapq.heappush(heap, [low[0] + high[0], made] + low[2:] + high[2:])
        made += 1
    return {symbol: code for symbol, code in heap[0][2:]}


def coded(image, step):
    """The array is read again behind the part that makes a list of it, and is no object of Python's for that."""
    levels = np.round(image / step).astype(int)
    weights = Counter(levels.ravel().tolist())
    code = codes_of(weights)
    bits = sum(len(code[symbol]) * weight for symbol, weight in weights.items())
    back = levels * step
    return bits / image.size, np.mean((back - image) ** 2), len(code)


def dicts_of_objects(n):
    heap = [[k, k, [k % 3, "a"]] for k in range(n)]
    heapq.heapify(heap)
    pairs = heap[0][2:]
    return ({symbol: code for symbol, code in pairs}, {code: symbol for symbol, code in heap[1][2:]}, {pair[0]: 1 for pair in pairs},
            {k: len(code) for k, (_, code) in enumerate(pairs)})


class PartsAroundArrays(unittest.TestCase):
    def test_codes(self):
        image = np.random.default_rng(0).standard_normal((16, 16)) * 50
        bits, error, symbols = jit(coded)(image, 4.0)
        expected = coded(image, 4.0)
        self.assertEqual((bits, symbols), (expected[0], expected[2]))
        np.testing.assert_allclose(error, expected[1], rtol=1e-12)

    def test_dicts_of_objects(self):
        self.assertEqual(jit(dicts_of_objects)(5), dicts_of_objects(5))


if __name__ == "__main__":
    unittest.main()
