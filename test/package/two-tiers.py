# RUN: rm -rf %t && env NPCC_CACHE=1 NPCC_CACHE_DIR=%t %python %s
"""Kernels of a first call are made in two tiers, which give the same bits; the second one is made while the program goes on."""
import os
import subprocess
import sys
import threading
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import npcc
from npcc import _npcc, cache, second_tier


def step(u):
    v = u.copy()
    v[1:-1, 1:-1] = np.sqrt(np.abs(u[1:-1, 1:-1])) + 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] - u[1:-1, 2:] / (u[1:-1, :-2] + 2))
    return np.where(v > 1, np.maximum(v, u), -v)


def integers(x):
    return (x * 3 + (x >> 2)) // 7 % 5 + (x ^ 1) * (x > 3) + np.minimum(x, 9) ** 3


def parts(z):
    return (z.real * z.imag + np.floor(z.real) - np.copysign(z.imag, z.real)) * (z.real - 2) / (z * z + 3 - 1j)


def loop(x, steps):
    for _ in range(steps):
        x[1:-1] = 0.5 * x[1:-1] + 0.2 * x[2:] + 0.1 * x[:-2] - 0.01 * x[1:-1] * x[1:-1]
    return x


def rows(x):
    return np.sum(x * x, axis=1)


def exponentials(x):
    return np.exp(x) + np.sin(x * 2) * np.exp(-x)


def rounded(x):
    return (x * 3 + 1).astype(np.int32) + (x - 2).astype(np.int64) * 3


def compiled(function, *arguments, tiers="first"):
    """What the function gives, and whether it has kernels that were made in a hurry."""
    with mock.patch.dict(os.environ, NPCC_TIERS=tiers, NPCC_CACHE="0"), mock.patch.object(_npcc, "is_quick", wraps=_npcc.is_quick) as asked:
        answers = []
        asked.side_effect = lambda capsule: answers.append(asked._mock_wraps(capsule)) or answers[-1]
        with np.errstate(all="ignore"):
            return npcc.jit(function, target="cpu")(*arguments), any(answers)


class TwoTiers(unittest.TestCase):
    def test_the_same_bits(self):
        random = np.random.default_rng(3)
        for function, dtypes, shape in ((step, ("f4", "f8"), (9, 13)), (integers, ("i4", "i8", "u1"), (37,)), (parts, ("c8", "c16"), (21,))):
            for dtype in dtypes:
                x = (random.random(shape) * 20 - 3).astype(dtype)
                x.flat[5] = 0
                if dtype[0] in "fc":
                    x.flat[7], x.flat[11], x.flat[13] = np.nan, np.inf, -0.0
                with self.subTest(function=function.__name__, dtype=dtype):
                    first, is_quick = compiled(function, x)
                    second, is_quick_then = compiled(function, x, tiers="0")
                    self.assertEqual((is_quick, is_quick_then), (True, False))
                    self.assertEqual(first.tobytes(), second.tobytes())

    def test_what_depends_on_the_optimiser_is_made_once(self):
        for function in (rows, exponentials, rounded):
            with self.subTest(function=function.__name__):
                self.assertFalse(compiled(function, np.ones((4, 30)))[1])

    def test_calls_with_large_arrays_wait(self):
        self.assertFalse(second_tier.is_worth_it(((3, 0), (second_tier.MOST_ELEMENTS + 1, 0), (7,))))
        self.assertTrue(second_tier.is_worth_it(((3, 0), (second_tier.MOST_ELEMENTS, 0), ())))

    def test_a_call_that_runs_goes_over(self):
        start, steps = np.linspace(0, 1, 500), 1000
        with mock.patch.object(second_tier, "make") as make, mock.patch.dict(os.environ, NPCC_CACHE="0"):
            while True:
                function = npcc.jit(loop, target="cpu")
                function(start.copy(), 1)
                (capsule, code, _), _ = make.call_args
                results, begun = [], threading.Event()

                def call():
                    begun.set()
                    results.append(function(start.copy(), steps))

                thread = threading.Thread(target=call)
                thread.start()
                begun.wait()
                _npcc.finish(capsule, code)
                was_running = thread.is_alive()
                thread.join()
                np.testing.assert_allclose(results[0], loop(start.copy(), steps), rtol=1e-12)
                if was_running:
                    return
                steps *= 4

    def test_what_is_stored_is_the_second_tier(self):
        function = npcc.jit(step, target="cpu")
        x = np.arange(30.0).reshape(5, 6)
        wanted = function(x).tobytes()
        second_tier.wait()
        self.assertEqual(function(x).tobytes(), wanted)
        entries = [_npcc.load(cache.load(path.name)) for path in Path(cache.folder()).glob("*.npcc")]
        self.assertTrue(entries)
        self.assertFalse(any(_npcc.is_quick(capsule) for functions in entries for capsule in functions))
        before = _npcc.counters()["compilations"]
        self.assertEqual(npcc.jit(step, target="cpu")(x).tobytes(), wanted)
        self.assertEqual(_npcc.counters()["compilations"], before)

    def test_calls_go_on_where_no_thread_can_be_had(self):
        with mock.patch.dict(os.environ, NPCC_CACHE="0"), mock.patch.object(threading.Thread, "start", side_effect=RuntimeError("no thread")):
            self.assertEqual(npcc.jit(integers, target="cpu")(np.arange(9)).tolist(), integers(np.arange(9)).tolist())
        second_tier.wait()

    def test_a_process_ends_while_code_is_made(self):
        script = f"import sys; sys.path.insert(0, {os.path.dirname(__file__)!r}); {{}}"
        for end in ("", "; raise SystemExit(0)", "; import os; os._exit(0)"):
            body = "import numpy as np, npcc, importlib; m = importlib.import_module('two-tiers'); print(npcc.jit(m.step, target='cpu')(np.ones((4, 5)))[0, 0])"
            done = subprocess.run([sys.executable, "-u", "-c", script.format(body + end)], env=dict(os.environ, NPCC_CACHE="0"), capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "-1.0\n", ""))

    def test_a_child_goes_on_with_it(self):
        with mock.patch.dict(os.environ, NPCC_CACHE="0"):
            function = npcc.jit(step, target="cpu")
            x = np.arange(30.0).reshape(5, 6)
            wanted = function(x).tobytes()
            child = os.fork()
            if not child:
                good = function(x).tobytes() == wanted
                second_tier.wait()
                os._exit(not (good and function(x).tobytes() == wanted and npcc.jit(integers, target="cpu")(np.arange(9))[0] == 0))
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)


if __name__ == "__main__":
    unittest.main()
