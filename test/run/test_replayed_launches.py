"""Launches that come again become graphs (runtime/cuda/Replay.h). What they do, and what goes wrong in them, is as it was."""
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
        """Each with arrays of its own; the launches of both go to one stream."""
        compiled, failed = jit(smoothed), []

        def work(n):
            try:
                start, positions = np.linspace(0, 1, n), np.arange(n)[::-1].copy()
                expected = smoothed(start.copy(), positions, 3)
                x, positions = npcc.array(start, device="cuda"), npcc.array(positions, device="cuda")
                for _ in range(30):
                    x[:] = start
                    np.testing.assert_allclose(compiled(x, positions, 3), expected, rtol=1e-12)
            except BaseException as error:  # unittest sees those of its own thread only
                failed.append(error)

        before = replays()
        threads = [threading.Thread(target=work, args=(n,)) for n in (40, 50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])
        self.assertGreater(replays(), before)


if __name__ == "__main__":
    unittest.main()
