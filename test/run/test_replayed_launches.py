"""Launches that come again become graphs (runtime/cuda/Replay.h). What they do, and what goes wrong in them, is as it was."""
import contextlib
import threading
import unittest

import numpy as np

import npcc
from harness import TARGET, jit


def smoothed(x, positions, steps):
    """Several kernels a call, at places that come again."""
    y = x.copy()
    for _ in range(steps):
        y = np.cumsum(y) * 0.5
        y = y[positions] + np.max(y)
    x[:] = y
    return x.sum()


def factors_in_turn(a, steps):
    """The QR algorithm: routines of small matrices, of which the host asks nothing."""
    for _ in range(steps):
        q, r = np.linalg.qr(a)
        a = r @ q
    return a


def replays():
    return npcc.counters()["replays"]


@unittest.skipUnless(TARGET == "cuda", "graphs are a GPU's")
class ReplayedLaunches(unittest.TestCase):
    def test_illegal_positions(self):
        """The same launches, with the same parameters, as a graph: a position that has become illegal is an error of the call that finds it there, and of no other."""
        n = 40
        compiled, good = jit(smoothed), np.arange(n)[::-1].copy()
        bad = good.copy()
        bad[7] = n
        start = np.linspace(0, 1, n)
        x, positions = npcc.array(start, device="cuda"), npcc.array(good, device="cuda")
        expected = smoothed(start.copy(), good, 3)
        before = replays()
        for call in range(12):
            x[:] = start
            positions[:] = bad if call in (6, 9) else good
            if call in (6, 9):
                with self.assertRaisesRegex(IndexError, "index 40 is out of bounds for axis 0 with size 40"):
                    compiled(x, positions, 3)
            else:
                np.testing.assert_allclose(compiled(x, positions, 3), expected, rtol=1e-12)
        self.assertGreater(replays(), before)

    def test_two_threads(self):
        """Each with arrays of its own; the launches of both go to one stream. Calls that take turns are graphs; of calls at the same time
        each may cut the other's launches anywhere, so that only their values are known."""
        compiled, failed = jit(smoothed), []

        def work(n, turn):
            try:
                start, positions = np.linspace(0, 1, n), np.arange(n)[::-1].copy()
                expected = smoothed(start.copy(), positions, 3)
                x, positions = npcc.array(start, device="cuda"), npcc.array(positions, device="cuda")
                for _ in range(30):
                    with turn:
                        x[:] = start
                        np.testing.assert_allclose(compiled(x, positions, 3), expected, rtol=1e-12)
            except BaseException as error:  # unittest sees those of its own thread only
                failed.append(error)

        def together(turn):
            threads = [threading.Thread(target=work, args=(n, turn)) for n in (40, 50)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(failed, [])

        before = replays()
        together(threading.Lock())
        self.assertGreater(replays(), before)
        together(contextlib.nullcontext())

    def test_factors_of_small_matrices(self):
        a = np.random.default_rng(0).standard_normal((4, 6, 6))
        compiled, before = jit(factors_in_turn), replays()
        np.testing.assert_allclose(np.asarray(compiled(npcc.array(a, device="cuda"), 40)), factors_in_turn(a, 40), rtol=1e-6, atol=1e-6)
        self.assertGreater(replays(), before)
        self.assertLessEqual(replays() - before, 20)  # of two iterations each: were the factors no part of it, each iteration would have one


if __name__ == "__main__":
    unittest.main()
