"""Calls that the host runs instead of a GPU that nobody asked for, because it is sooner: small ones, with arrays of the host."""
import os
import unittest
from unittest import mock

import numpy as np

import npcc
from harness import TARGET


def relax(x, steps):
    total = 0.0
    for k in range(steps):
        x = x + 0.5 * (np.roll(x, 1) - x)
        if x.max() - x.min() < 1e-3:
            break
        total += x[k % 3]
    return x, total


def scale(x):
    return 2 * x + 1


def add_to(x, y):
    x += y
    return x.sum()


def shuffled(x, seed):
    return x + seed % 7


def of_an_element(x):
    return np.arange(int(x[0])) * 2.0


def appended(x, steps):
    found = []
    for k in range(steps):
        found.append((x * k).sum())
        if found[-1] > 1e6:
            break
    return np.array(found)


def pick_apart(x, height, apart):
    """The sort would be the device's, the many steps behind it are the host's."""
    found = np.array([], dtype=np.int64)
    for i in np.argsort(x)[::-1]:
        if x[i] < height:
            break
        if len(found) == 0 or np.min(np.abs(found - i)) > apart:
            found = np.append(found, i)
    return found


def compile_anew(function, **options):
    """Another process may have left code for its first call in the cache."""
    return npcc.jit(function, cache=False, **options)


def launches():
    return npcc.counters()["launches"]


@unittest.skipUnless(TARGET == "cuda", "of the host alone")
class SmallCalls(unittest.TestCase):
    def check(self, compiled, function, *arguments, on_host):
        """One call, compared with NumPy's; `on_host`: whether nothing is launched."""
        copies = [np.array(a, order="K") if isinstance(a, np.ndarray) else a for a in arguments]
        before = launches()
        result = compiled(*arguments)
        self.assertEqual(launches() == before, on_host)
        expected = function(*copies)
        for one, other in zip(*(r if isinstance(r, tuple) else (r,) for r in (result, expected))):
            self.assertIs(type(one), type(other))
            np.testing.assert_allclose(one, other, rtol=1e-12)
        for one, other in zip(arguments, copies):
            np.testing.assert_allclose(one, other, rtol=1e-12)

    def test_loops_over_a_few_elements(self):
        self.check(compile_anew(relax), relax, np.arange(6.0), 50, on_host=True)

    def test_larger_calls_are_looked_at_anew(self):
        compiled = compile_anew(scale)
        self.check(compiled, scale, np.arange(10.0), on_host=True)
        self.check(compiled, scale, np.arange(20.0), on_host=True)
        self.check(compiled, scale, np.arange(200000.0), on_host=False)
        self.check(compiled, scale, np.arange(10.0), on_host=True)

    def test_large_calls_first(self):
        compiled = compile_anew(scale)
        self.check(compiled, scale, np.arange(200000.0), on_host=False)
        self.check(compiled, scale, np.arange(10.0), on_host=False)

    def test_a_target_is_what_was_asked_for(self):
        self.check(compile_anew(scale, target="cuda"), scale, np.arange(10.0), on_host=False)

    def test_arrays_of_a_device_stay_there(self):
        compiled = compile_anew(scale)
        self.check(compiled, scale, np.arange(10.0), on_host=True)
        before = launches()
        result = compiled(npcc.array(np.arange(10.0), device="cuda"))
        self.assertGreater(launches(), before)
        self.assertIsInstance(result, npcc.ndarray)
        np.testing.assert_array_equal(result.get(), scale(np.arange(10.0)))

    def test_views_are_copied_to_the_device(self):
        compiled = compile_anew(add_to)
        self.check(compiled, add_to, np.arange(10.0), np.ones(10), on_host=True)
        self.check(compiled, add_to, np.arange(20.0)[::2], np.ones(20)[::2], on_host=False)
        self.check(compiled, add_to, np.arange(10.0), np.ones(10), on_host=True)

    def test_arrays_that_overlap(self):
        compiled = compile_anew(add_to)
        self.check(compiled, add_to, np.arange(10.0), np.ones(10), on_host=True)
        x = np.arange(11.0)
        expected = x[1:] + x[:-1]
        self.assertEqual(compiled(x[1:], x[:-1]), expected.sum())
        np.testing.assert_array_equal(x[1:], expected)

    def test_extents_that_only_memory_knows(self):
        self.check(compile_anew(of_an_element), of_an_element, np.array([20.0]), on_host=False)

    def test_lists_that_grow(self):
        self.check(compile_anew(appended), appended, np.arange(5.0), 30, on_host=True)

    def test_loops_that_are_left_in_the_middle(self):
        x = np.random.default_rng(3).normal(size=2000)
        self.check(compile_anew(pick_apart), pick_apart, x, 1.5, 5, on_host=True)

    def test_numbers_that_count_nothing(self):
        compiled = compile_anew(shuffled)
        self.check(compiled, shuffled, np.arange(10.0), 3, on_host=True)
        before = npcc.counters()["compilations"]
        self.check(compiled, shuffled, np.arange(10.0), 1 << 40, on_host=True)
        self.assertEqual(npcc.counters()["compilations"], before)

    def test_between_copies_that_are_under_way(self):
        compiled, large = compile_anew(add_to), compile_anew(add_to, target="cuda")
        x, y = np.zeros(10), np.ones(10)
        with npcc.overlap():
            for _ in range(5):
                large(x, y)
                compiled(x, y)
        np.testing.assert_array_equal(x, np.full(10, 10.0))

    def test_placement_by_the_environment(self):
        with mock.patch.dict(os.environ, NPCC_PLACEMENT="device"):
            self.check(compile_anew(lambda x: x - 3), lambda x: x - 3, np.arange(10.0), on_host=False)

    def test_errors(self):
        compiled = compile_anew(lambda x, k: x[k])
        self.assertEqual(compiled(np.arange(5.0), 2), 2.0)
        with self.assertRaisesRegex(IndexError, "index 7 is out of bounds for axis 0 with size 5"):
            compiled(np.arange(5.0), 7)

    def test_explain_says_so(self):
        self.assertIn("calls like this one are the host's", str(compile_anew(relax).explain(np.arange(6.0), 50)))
        self.assertNotIn("are the host's", str(compile_anew(relax, target="cuda").explain(np.arange(6.0), 50)))


if __name__ == "__main__":
    unittest.main()
