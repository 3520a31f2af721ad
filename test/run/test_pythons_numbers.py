"""Numbers that are Python's on one path and NumPy's on another; compiled, against Python: results, their types and errors."""
import copy
import unittest

import numpy as np

import harness

F4, U1 = np.float32, np.uint8


def outcome(function, arguments):
    """The result, with the type of each number in it, or the error."""
    def described(value):
        if isinstance(value, (tuple, list)):
            return type(value).__name__, [described(item) for item in value]
        if isinstance(value, np.ndarray):
            return str(value.dtype), value.tolist()
        return type(value).__name__, repr(value)
    try:
        with np.errstate(all="ignore"):
            return described(function(*copy.deepcopy(arguments)))
    except (TypeError, ZeroDivisionError, OverflowError) as error:
        return type(error).__name__, str(error)


class PythonsNumbers(unittest.TestCase):
    def check_all(self, function, *cases):
        compiled = harness.jit(function)
        for arguments in cases:
            with self.subTest(arguments=arguments):
                self.assertEqual(outcome(compiled, arguments), outcome(function, arguments))

    def test_choices_are_given_back(self):
        def number(a):
            return 4 if a else a

        def other(a):
            return 0.7 if a else a
        scalars = [(make(k),) for k in (0, 3) for make in (np.float64, np.int64, F4, np.int8, np.uint16)]
        arrays = [(np.array(k, np.int8),) for k in (0, 3)]
        self.check_all(number, *scalars, *arrays)
        self.check_all(other, *scalars, *arrays)

    def test_what_no_bit_tells_apart(self):
        def unused(b, c):
            p = c if b else -3
            return p
        self.check_all(unused, *((np.array([x]), c) for x in (0.0, 1.0) for c in (np.uint32(4), np.int64(4), F4(4))))

        def kinds(left):
            moved = left + 1.5
            return (left if moved else moved) & left
        self.check_all(kinds, (np.array(1),), (np.array(-1.5),))

        def stored(left):
            made = np.zeros_like(left) if left else left
            made[...] = 3
            return made
        self.check_all(stored, (np.array(2.0),))

        def three(a, k):
            x = a[0] if k == 0 else (0 if k == 1 else 2.5)
            return x, x * 2, x + 1.5, [x]
        self.check_all(three, *((a, k) for a in (np.arange(1.0, 4), np.arange(1, 4)) for k in (0, 1, 2)))

        def listed(b, a):
            return [2.0 if b < 0.4 else np.prod(a) for k in (1, 2, 3)]
        self.check_all(listed, *((b, a) for b in (0.1, 0.9) for a in (np.array([1, 2]), np.array([1.0, 2]))))

    def test_dtypes_follow_the_path(self):
        def floats(a, k):
            v = 0.0 if k else a[0]
            return v * a, v + 1, v / 2, -v, abs(v), np.sqrt(v), (v, type(v).__name__), str(v)
        self.check_all(floats, *((np.arange(1, 4, dtype=t), k) for t in (np.float64, F4) for k in (0, 1)))

        def ints(a, k):
            v = 3 if k else a[0]
            return v + 1, v * 2, v // 2, v % 2, v ** 2, -v, abs(v), ~v, v + a, a[v - v], list(range(int(v)))
        self.check_all(ints, *((np.arange(5, 9, dtype=t), k) for t in (np.int64, U1, np.int32) for k in (0, 1)))

        def divided(a, k):
            v = 0.0 if k else a[0]
            return 1.0 / v
        self.check_all(divided, (np.zeros(1), 0), (np.zeros(1), 1))

        def added(a):
            return np.add(a if a else 1, a)
        self.check_all(added, (np.array(True),), (np.array(False),), (np.array(2.5),))

    def test_neighbours_of_bytes(self):
        # 0 - 1 of Python's is -1, of a byte 255.
        def differences(image):
            out = np.zeros(len(image), np.int64)
            for i in range(len(image)):
                v = image[i - 1] if i > 0 else 0
                out[i] = v - 1
            return out
        self.check_all(differences, (np.array([0, 5, 255], U1),), (np.array([0, 5, 255], np.int16),))

    def test_sums_of_nothing(self):
        def total(a):
            return sum(a)
        self.check_all(total, *((np.arange(n, dtype=t),) for n in (0, 3) for t in (float, np.uint64, np.int8, F4)))

        def inverted(a):
            return np.invert(sum(a))
        self.check_all(inverted, (np.arange(0.0),))

    def test_ints_that_loops_replace(self):
        def best(a):
            found = 0
            for i in range(len(a)):
                if a[i] > found:
                    found = a[i]
            return found
        self.check_all(best, *((sign * np.arange(n, dtype=t),) for sign in (1, -1) for n in (0, 4) for t in (float, np.int64, F4)))

        def positive(a, n):
            s = 0
            for i in range(n):
                s = s + a[i] if a[i] > 0 else s
            return s
        self.check_all(positive, *((sign * np.arange(3, dtype=t), n) for sign in (1, -1) for n in (0, 3) for t in (float, np.int64)))


if __name__ == "__main__":
    unittest.main()
