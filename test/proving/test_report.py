"""The accuracy and coverage pages: errors planted in the data and in the functions are found, absences are said."""
import contextlib
import io
import json
import math
import os
import sys
import tempfile
import types
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [ROOT, os.path.join(ROOT, "tools")]

import numpy as np  # noqa: E402

try:
    import mpmath
except ImportError:
    mpmath = None

from report import accuracy, coverage, growth, ulp  # noqa: E402


NEEDS_MPMATH = unittest.skipUnless(mpmath, "mpmath gives the exact values; benchmarks/requirements.txt installs it")


@NEEDS_MPMATH
class Ulp(unittest.TestCase):
    def test_unit(self):
        self.assertEqual(ulp.unit(mpmath.mpf(1), np.float64), 2.0**-52)
        self.assertEqual(ulp.unit(mpmath.mpf(1.9), np.float32), 2.0**-23)
        self.assertEqual(ulp.unit(mpmath.mpf("1e-320"), np.float64), 2.0**-1074)
        self.assertEqual(ulp.unit(mpmath.mpf(0), np.float64), 5e-324)

    def test_error(self):
        third = mpmath.mpf(1) / 3
        self.assertLess(ulp.error(np.float64(1 / 3), third, np.float64), 0.5)
        self.assertAlmostEqual(ulp.error(np.nextafter(1 / 3, 1), third, np.float64), 0.667, delta=0.01)
        self.assertEqual(ulp.error(np.float64(np.inf), third, np.float64), math.inf)
        self.assertIsNone(ulp.error(np.float32(np.inf), mpmath.mpf(10) ** 50, np.float32))
        self.assertEqual(ulp.error(np.float32(1), mpmath.mpf(10) ** 50, np.float32), math.inf)

    def test_single_precision_inside_double_is_found(self):
        """A sine computed in the wrong precision, and one that loses its argument's reduction."""
        for wrong in (lambda n, a: np.sin(a[0].astype(np.float32)).astype(np.float64),
                      lambda n, a: np.sin(np.fmod(a[0], 2 * 3.141592653589793))):
            row = ulp.row(wrong, "sin", [ulp.inputs(np.float64, -100, 100, [1e22], 50, 3)], ulp.compiled("mp.sin(x)"), np.dtype("float64"))
            self.assertGreater(row["max"], 100)

    def test_special_values(self):
        apply = lambda name, arrays: np.where(np.isnan(arrays[0]), 0.0, getattr(np, name)(np.abs(arrays[0])))
        with np.errstate(all="ignore"):
            found = {(r["function"], r["input"]) for r in ulp.specials(apply)}
            self.assertEqual(list(ulp.specials(lambda name, arrays: getattr(np, name)(*arrays))), [])
        self.assertIn(("sin", "-0.0"), found)
        self.assertIn(("exp", "nan"), found)
        self.assertIn(("exp", "-inf"), found)
        self.assertNotIn(("cos", "0.0"), found)


@NEEDS_MPMATH
class Growth(unittest.TestCase):
    def test_exact_values(self):
        x = np.array([0.1, 0.2, 0.3])
        self.assertEqual(growth.exact("sum", x, x), math.fsum(x))
        self.assertAlmostEqual(growth.exact("var", x, x), np.var(x), places=15)
        self.assertAlmostEqual(growth.exact("prod", x, x), 0.006, places=15)
        self.assertAlmostEqual(growth.exact("dot", x, x), 0.14, places=15)

    def test_a_naive_sum_is_beyond_the_bound(self):
        def naive(name, arrays):
            return np.cumsum(arrays[0])[-1] if name == "sum" else getattr(np, name)(*arrays)
        rows = list(growth.rows(naive, seeds=2, lengths=[100_000], reductions=["sum", "mean", "cumsum"]))
        found = list(accuracy.failures({"elementwise": [], "specials": [], "growth": rows}))
        self.assertEqual({line.split()[0] for line in found}, {"sum"})


@NEEDS_MPMATH
class Accuracy(unittest.TestCase):
    def test_measure_check_and_page(self):
        with tempfile.TemporaryDirectory() as folder:
            data, page = os.path.join(folder, "data.json"), os.path.join(folder, "accuracy.md")
            accuracy.main(["measure", "--compiler", "numpy", "--count", "20", "--lengths", "10", "--json", data])
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(accuracy.main(["check", data]), 0)
            accuracy.main(["write", page, data])
            with open(page) as file:
                text = file.read()
            self.assertIn("Plain NumPy, not npcc", text)
            self.assertIn("| `sin` |", text)
            with open(data) as file:
                planted = json.load(file)
            planted["compiler"], planted["elementwise"][0]["max"] = "npcc", 900.0
            with open(data, "w") as file:
                json.dump(planted, file)
            with contextlib.redirect_stdout(io.StringIO()) as out:
                self.assertEqual(accuracy.main(["check", data]), 1)
            self.assertIn("900.00 ULP", out.getvalue())
            accuracy.main(["write", page, data])
            with open(page) as file:
                text = file.read()
            self.assertNotIn("Plain NumPy", text)
            self.assertIn("900.00 ULP", text)


class Coverage(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        for name, text in {"run/sums.py": "import numpy as xp\nfrom numpy import cumsum as c\nprint(xp.sum([1], axis=0), c([1]))\n",
                           "run/table.py": "import numpy as np\nfor n in ('sin', 'cos'):\n    getattr(np, n)(1)\n",
                           "fuzz/random.py": "import numpy as np\nnp.prod([1])\n", "run/notes.py": "# covers: np.linalg.norm\n"}.items():
            path = os.path.join(self.folder.name, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
        self.table = types.ModuleType("table_of_a_front_end")
        sys.modules["table_of_a_front_end"] = self.table
        self.addCleanup(sys.modules.pop, "table_of_a_front_end")

    def check(self, names, *arguments):
        self.table.supported = lambda: [{"name": n, "keywords": ["axis", "dtype"] if n == "np.sum" else [], "targets": ["cpu"]} for n in names]
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = coverage.main(["check", "--tests", self.folder.name, "--compiler", "table_of_a_front_end", *arguments])
        return status, out.getvalue()

    def test_tests_are_found(self):
        status, out = self.check(["np.sum", "numpy.cumsum", "sin", "cos", "linalg.norm"])
        self.assertEqual(status, 0, out)

    def test_a_function_without_a_test_fails(self):
        status, out = self.check(["np.sum", "np.prod"])
        self.assertEqual((status, out.strip()), (1, "prod: no test"))

    def test_keywords_and_passed_tests_only(self):
        self.assertEqual(self.check(["np.sum"], "--keywords"), (1, "sum: no test uses dtype\n"))
        results = os.path.join(self.folder.name, "results.json")
        with open(results, "w") as file:
            json.dump({"tests": [{"name": "npcc :: run/sums.py", "code": "FAIL"}, {"name": "npcc :: run/table.py", "code": "PASS"}]}, file)
        self.assertEqual(self.check(["sum"], "--ran", results)[0], 1)
        self.assertEqual(self.check(["sin"], "--ran", results)[0], 0)

    def test_page_with_and_without_a_table(self):
        path = os.path.join(self.folder.name, "coverage.md")
        self.table.supported = lambda: [{"name": "np.sum", "keywords": ["axis", "dtype"], "targets": ["cpu", "cuda"]}, {"name": "np.prod"}]
        coverage.main(["write", path, "--tests", self.folder.name, "--compiler", "table_of_a_front_end"])
        with open(path) as file:
            text = file.read()
        self.assertIn("| `sum` | `axis`, *dtype* | cpu, cuda | run/sums.py |", text)
        self.assertIn("| `prod` |  |  | **none** |", text)
        coverage.main(["write", path, "--tests", self.folder.name, "--compiler", "no_such_front_end"])
        with open(path) as file:
            self.assertIn("no table yet", file.read())


if __name__ == "__main__":
    unittest.main()
