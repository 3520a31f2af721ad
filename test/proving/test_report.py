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
            planted["elementwise"][0]["max"] = 900.0
            planted["elementwise"][1]["max"] = 0.01  # it was better once
            planted["elementwise"].append({"function": "gone", "dtype": "float64"})
            with open(data, "w") as file:
                json.dump(planted, file)
            with contextlib.redirect_stdout(io.StringIO()) as out:
                self.assertEqual(accuracy.main(["check", data]), 1)
            self.assertIn("900.00 ULP", out.getvalue())
            self.assertRegex(out.getvalue(), r"sin float32: 0\.\d+ ULP at .*, was 0\.01")
            self.assertIn("gone float64: not measured any more", out.getvalue())
            self.assertEqual(len(out.getvalue().splitlines()), 3)
            planted["compiler"] = "npcc"
            planted["elementwise"].pop()
            with open(data, "w") as file:
                json.dump(planted, file)
            accuracy.main(["write", page, data])
            with open(page) as file:
                text = file.read()
            self.assertNotIn("Plain NumPy", text)
            self.assertIn("900.00 ULP", text)


class Coverage(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.tests, self.executed = (os.path.join(self.folder.name, n) for n in ("tests", "executed"))
        for folder in (self.tests, self.executed):
            os.mkdir(folder)
        for test, functions in {"sums.py": {"numpy.sum": (["axis"], 1), "numpy.ndarray.cumsum": ([], 0)},
                                "names.py": {"numpy.abs": ([], 1), "numpy.linalg.norm": ([], 2), "math.sin": ([], 1)}}.items():
            open(os.path.join(self.tests, test), "w").close()
            self.write(test, functions)
        self.write("gone.py", {"numpy.prod": ([], 1)})
        self.table = types.ModuleType("table_of_a_front_end")
        sys.modules["table_of_a_front_end"] = self.table
        self.addCleanup(sys.modules.pop, "table_of_a_front_end")

    def write(self, test, functions):
        with open(os.path.join(self.executed, test + ".json"), "w") as file:
            json.dump({"test": test, "functions": {name: {"keywords": k, "positional": p} for name, (k, p) in functions.items()}}, file)

    def check(self, rows, *arguments):
        self.table.supported = lambda: [{"name": n, "keywords": rows[n] if isinstance(rows, dict) else [], "targets": ["cpu"]} for n in rows]
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = coverage.main(["check", "--executed", self.executed, "--tests", self.tests, "--compiler", "table_of_a_front_end", *arguments])
        return status, out.getvalue().strip()

    def test_what_tests_ran_is_found_by_all_its_names(self):
        status, out = self.check(["np.sum", "numpy.cumsum", "absolute", "linalg.norm", "math.sin"])
        self.assertEqual(status, 0, out)

    def test_a_function_that_no_test_ran_fails(self):
        self.assertEqual(self.check(["np.sum", "np.sin"]), (1, "sin: no test"))  # math.sin is another function

    def test_tests_that_are_gone_do_not_count(self):
        self.assertEqual(self.check(["np.prod"]), (1, "prod: no test"))

    def test_keywords(self):
        rows = {"numpy.sum": ["a", "axis", "dtype"], "np.abs": ["out", "where"], "linalg.norm": ["x", "ord", "axis"]}
        self.assertEqual(self.check(rows)[0], 0)
        self.assertEqual(self.check(rows, "--keywords"),
                         (1, "abs: no test gives out, where\nlinalg.norm: no test gives axis\nsum: no test gives dtype"))

    def test_no_table_is_no_success(self):
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(coverage.main(["check", "--executed", self.executed, "--compiler", "no_such_front_end"]), 1)

    def test_page_with_and_without_a_table(self):
        path = os.path.join(self.folder.name, "coverage.md")
        self.table.supported = lambda: [{"name": "np.sum", "keywords": ["axis", "dtype"], "targets": ["cpu", "cuda"]}, {"name": "np.prod"}]
        arguments = ["--executed", self.executed, "--tests", self.tests]
        coverage.main(["write", path, "--compiler", "table_of_a_front_end", *arguments])
        with open(path) as file:
            text = file.read()
        self.assertIn("| `sum` | `axis`, *dtype* | cpu, cuda | sums.py |", text)
        self.assertIn("| `prod` |  |  | **none** |", text)
        coverage.main(["write", path, "--compiler", "no_such_front_end", *arguments])
        with open(path) as file:
            self.assertIn("no table yet", file.read())

    def test_pages_of_another_table_are_found_without_tests(self):
        path = os.path.join(self.folder.name, "coverage.md")
        self.table.supported = lambda: [{"name": "np.sum", "keywords": ["axis", "dtype"], "targets": ["cpu"]}]
        arguments = ["--tests", self.tests, "--compiler", "table_of_a_front_end"]
        coverage.main(["write", path, "--executed", self.executed, *arguments])

        def compare():
            with contextlib.redirect_stdout(io.StringIO()) as out:
                return coverage.main(["compare", path, "--executed", os.path.join(self.folder.name, "none"), *arguments]), out.getvalue()

        self.assertEqual(compare(), (0, ""))
        self.table.supported = lambda: [{"name": "np.sum", "keywords": ["axis", "dtype", "out"], "targets": ["cpu"]}]
        status, out = compare()
        self.assertEqual(status, 1)
        self.assertIn("`out`", out)
        self.table.supported = lambda: []
        self.assertEqual(compare()[0], 1)


class Executed(unittest.TestCase):
    def test_names_are_found_in_what_ran(self):
        sys.path.insert(0, os.path.join(ROOT, "test", "run"))
        self.addCleanup(sys.path.pop, 0)
        import executed
        from numpy import hypot as length

        def helper(x):
            return math.floor(x)

        def function(a, n):
            return np.sum(a.cumsum(), axis=n), len(a), helper(n), length(n, 1), np.add.reduce(a), np.linalg.norm(a, 1)

        names = {}
        executed._read(names, function, set())
        self.assertEqual(names["numpy.sum"], {"keywords": ["axis"], "positional": 1})
        self.assertEqual(names["numpy.linalg.norm"]["positional"], 2)
        self.assertLessEqual({"numpy.ndarray.cumsum", "builtins.len", "math.floor", "numpy.hypot", "numpy.add"}, set(names))
        self.assertNotIn("numpy.floor", names)


if __name__ == "__main__":
    unittest.main()
