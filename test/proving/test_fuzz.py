"""The fuzzer finds every kind of defect, never accuses plain NumPy, repeats itself exactly, and shrinks."""
import ast
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

from fuzz import regression, run, wrong  # noqa: E402
from fuzz.compare import difference  # noqa: E402
from fuzz.generator import generate  # noqa: E402
from fuzz.judge import PASS, UNFIT, UNSUPPORTED, Judge, Verdict  # noqa: E402
from fuzz.outcome import Outcome, observe  # noqa: E402
from fuzz.pool import Worker  # noqa: E402
from fuzz.program import Program  # noqa: E402
from fuzz.inputs import Base  # noqa: E402
from fuzz.shrink import shrink  # noqa: E402

# Which verdicts a defect of wrong.py may end in, and within how many programs it must be met.
EXPECTED = {
    "value": ({"wrong value", "wrong argument"}, 30), "dtype": ({"wrong dtype", "wrong type"}, 20), "shape": ({"wrong shape", "wrong type"}, 20),
    "inplace": ({"wrong argument", "wrong aliasing"}, 60), "alias": ({"wrong aliasing"}, 60), "swallow": ({"swallowed error"}, 200),
    "error": ({"wrong error"}, 200), "message": ({"wrong message"}, 200), "raise": ({"unexpected error"}, 10),
    "crash": ({"crash"}, 5), "exit": ({"crash"}, 5), "hang": ({"hang"}, 3), "internal": ({"internal error"}, 5),
    "order": ({"wrong value", "wrong argument"}, 30), "first extents": ({"wrong value", "wrong dtype"}, 60),
    "rebinding": ({"wrong argument", "wrong value", "wrong dtype", "wrong shape", "wrong aliasing", "swallowed error", "unexpected error"}, 300),
    "copied views": ({"wrong argument", "wrong value", "wrong aliasing", "unexpected error", "swallowed error", "wrong type"}, 200),
    "positive steps": ({"wrong value", "wrong argument", "wrong shape", "wrong aliasing", "unexpected error"}, 200),
    "truncated division": ({"wrong value", "wrong argument", "wrong shape", "unexpected error", "wrong error", "wrong type", "wrong dtype"}, 300),
    "wide literals": ({"wrong dtype", "wrong argument", "wrong value", "unexpected error", "wrong type"}, 300),
    "keepdims": ({"wrong shape", "wrong type", "unexpected error", "wrong value", "wrong argument"}, 200),
    "swaps in order": ({"wrong value", "wrong argument", "wrong aliasing", "unexpected error", "swallowed error", "wrong shape", "wrong dtype", "wrong type"}, 200),
    "loops in reverse": ({"wrong value", "wrong argument", "wrong aliasing", "wrong dtype", "wrong shape", "wrong type", "wrong message", "unexpected error",
                          "swallowed error"}, 100),
    "lost stores": ({"wrong argument"}, 100),
}
# The level of programs of which many show the defect; other defects are found at any level soon.
LEVELS = {"truncated division": 2, "swaps in order": 6, "keepdims": 2, "wide literals": 2}


def first_failure(judge, seed, count, defect, **options):
    """The first of so many random programs that the defect spoils, and the verdict on it."""
    for number in range(count):
        program = judge.draw(f"{seed}:{number}", **options)
        if wrong.can_show(defect, program.functions) and (verdict := judge(program)).failed:
            return program, verdict
    return None, None


class Defects(unittest.TestCase):
    def test_every_defect_is_caught(self):
        self.assertEqual(set(EXPECTED), {*wrong.SPOILS, *wrong.MUTATIONS})
        reference = Worker()
        self.addCleanup(reference.close)
        for defect, (kinds, count) in EXPECTED.items():
            limit = 1.5 if defect == "hang" else 20
            with self.subTest(defect), Judge("wrong", limit=limit, environment={"DEFECT": defect}, reference=reference) as judge:
                program, verdict = first_failure(judge, "proving", count, defect, level=LEVELS.get(defect))
                self.assertIsNotNone(verdict, f"not caught in {count} programs")
                self.assertIn(verdict.kind, kinds, verdict.detail + "\n" + program.source())

    def test_refusal_is_not_a_pass(self):
        with Judge("wrong", environment={"DEFECT": "refuse"}) as judge:
            verdicts = [judge(judge.draw(f"refusal:{i}")) for i in range(5)]
        self.assertLessEqual({v.kind for v in verdicts}, {UNSUPPORTED, UNFIT})
        self.assertIn("this compiler supports nothing", {v.detail for v in verdicts})


class PlainNumPy(unittest.TestCase):
    def test_agrees_with_itself(self):
        kinds = []
        with Judge("reference") as judge:
            for level in (1, 2, 3, 4, 5, 6, 7, 10, 11):
                for number in range(25):
                    program = judge.draw(f"agree:{number}", level)
                    verdict = judge(program)
                    kinds.append(verdict.kind)
                    self.assertFalse(verdict.failed, f"{verdict}\n{program.source()}")
        self.assertGreater(kinds.count(PASS), 0.9 * len(kinds))

    def test_ill_conditioned_programs_are_not_judged(self):
        base = Base("base0", "float64", (3,), [1.25, -2.5, 0.4])
        for body, reason in (("return (a * 3.3) - a * 3.3 + a * 0", "ill-conditioned"), ("return np.floor(np.sqrt(a * a) / np.abs(a))", "ill-conditioned"),
                             ("return (np.sqrt(a * a) >= np.abs(a)).sum()", "rounding")):
            program = Program(f"def program(a):\n    {body}\n", [base], [("a", "base0")])
            with Judge("reference") as judge:
                verdict = judge(program)
            self.assertEqual(verdict.kind, UNFIT, body)
            self.assertIn(reason, verdict.detail)


class Comparison(unittest.TestCase):
    def test_exact_programs_allow_no_rounding(self):
        one, near = Outcome(np.float64(1)), Outcome(np.nextafter(np.float64(1), 2))
        self.assertIsNone(difference(one, near, {}))
        self.assertEqual(difference(one, near, None)[0], "wrong value")
        self.assertIsNone(difference(Outcome(np.array([np.nan, -0.0])), Outcome(np.array([np.nan, 0.0])), None))

    def test_arguments_are_compared_after_an_error(self):
        error = ("IndexError", "index 3 is out of bounds for axis 0 with size 3")
        some, more = Outcome(arguments=[np.array([1, 0, 0])], error=error), Outcome(arguments=[np.array([1, 1, 0])], error=error)
        self.assertIsNone(difference(some, some, None))
        self.assertEqual(difference(some, more, None)[0], "wrong argument")

    def test_stores_before_an_error_are_judged(self):
        body = "    for i in range(5):\n        a[i] = i + 1\n    return a\n"
        program = Program("EXACT = True\n\n\ndef program(a):\n" + body, [Base("base0", "int64", (3,), [0, 0, 0])], [("a", "base0")])
        with Judge("reference") as judge:
            verdict = judge(program)
        self.assertEqual((verdict.kind, verdict.raises), (PASS, True))


class Generator(unittest.TestCase):
    def test_seeds_repeat_across_processes(self):
        here = [generate(f"repeat:{i}").source() for i in range(25)]
        code = "import sys; sys.path.insert(0, sys.argv[1]); from fuzz.generator import generate; import json; " \
               "print(json.dumps([generate(f'repeat:{i}').source() for i in range(25)]))"
        there = subprocess.run([sys.executable, "-c", code, ROOT], capture_output=True, text=True, check=True,
                               env=dict(os.environ, PYTHONHASHSEED="7")).stdout
        self.assertEqual(here, json.loads(there))

    def test_language_is_covered(self):
        """A few hundred programs use every construct the compiler is to be tested on."""
        text = "\n".join(generate(f"cover:{i}").source() for i in range(350))
        for construct in ("[::-1]", "::2", "[1:-1", "...", "None", "np.newaxis", "out=", "keepdims=True", "axis=-1", "axis=(", "dtype=np.",
                          "for i1 in range", "enumerate(", "zip(", "while ", "if ", "else:", "elif ", "helper0(", "return", ".T", "+=", "//=",
                          " @ ", "np.where(", "astype", "np.concatenate", "np.cumsum", "uint8", "int16", "float16", "float32", "complex64",
                          "bool_", "np.broadcast_to", "asfortranarray", "[..., ::2]", "np.zeros((0", "break", "~(", ".shape", "np.einsum",
                          ".sort()", "np.argsort", "np.unique", "&=", "raise ValueError", "dtype=np.float64)\n", " ** ", "% "):
            self.assertTrue(construct in text, construct)
        trees = ast.walk(ast.parse("\n".join(generate(f"cover:{i}", 4).functions for i in range(40))))
        swaps = [n for n in trees if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Tuple) and isinstance(n.value, ast.Tuple)]
        self.assertTrue(swaps)

    def test_loops_are_covered(self):
        programs = [generate(f"loops:{i}", 7) for i in range(400)]
        text = "\n".join(p.source() for p in programs)
        patterns = {
            "three loops deep": r"\n    for .*\n(        .*\n)*        for .*\n(            .*\n)*            for ", "len()": r"range\(len\(", "a shape": r"range\(.*\.shape\[",
            "backward": r", -1, -1\):", "a step": r", 2\):", "a triangle": r"range\(i\d+ \+ 1, ", "a row": r"\w+\[i\d+, :\] = ", "a column": r"\w+\[:, i\d+\] \S?= ",
            "a slice": r"i\d+:i\d+ \+ \d\] \S?= ", "a prefix": r"\[i\d+, :i\d+ \+ 1\] \S?= ", "scattered": r"\[p\[[^]]*\].*\] \S?= ", "a sum of a row": r"\]\.sum\(\)",
            "the largest of a row": r"\.max\(\)", "a window": r"\[i\d+:i\d+ \+ \d\]\.sum\(\)", "a product of rows": r"np\.dot\(", "running sums": r"np\.cumsum\(",
            "a temporary turned": r"u\d+ = t\d+\[::-1\]", "a recurrence": r"(\w+)\[(i\d+)\] = .*\1\[\2 - 1\]", "two steps behind": r"(\w+)\[(i\d+)\] = .*\1\[\2 - 2\]",
            "ahead": r"(\w+)\[(i\d+) \+ 1\] = .*\1\[\2\]", "in place": r"(\w+)\[(i\d+)\] \+= \1\[\2 - 1\]", "a store under if": r"if .*:\n +\w+\[.*\] = ",
            "a carried sum": r"\n +(s\d+) \+= ", "a carried minimum": r"(s\d+) = min\(\1, ", "a carried maximum with if": r"if .* > (s\d+):\n +\1 = ",
            "the position of an extremum": r"\n +k\d+ = i\d+\n", "a counter": r"\n +k\d+ \+= 1\n", "exclusive or": r"\n +s\d+ \^= ", "names that alternate": r"(s\d+), (s\d+) = \2, ",
            "a carried scalar stored": r"\] \S?= s\d+\n", "views of one memory": r"base0\[1:\]", "read-only": r"np\.broadcast_to", "empty": r"np\.zeros\(\(0", "bools": "bool_", "float32": "float32",
        }
        for what, pattern in patterns.items():
            self.assertRegex(text, pattern, what)
        self.assertTrue([p for p in programs if any(40 <= n <= 90 for b in p.bases for n in b.shape)])

    def test_loops_store_before_they_raise(self):
        """Programs that raise are kept, and what they stored to their arguments before is there to compare."""
        stored = 0
        for i in range(150):
            names = {}
            exec(compile(generate(f"raise:{i}", 7).source(), "<loops>", "exec"), names)
            outcome = observe(names["program"], names["arguments"]())
            if outcome.error and outcome.error[0] == "IndexError":
                stored += any(not np.array_equal(a, b, equal_nan=True) for a, b in zip(outcome.arguments, names["arguments"](), strict=True))
        self.assertGreater(stored, 0)

    def test_features_can_be_left_out(self):
        text = "\n".join(generate(f"without:{i}", 3, ("complex", "float16", "uint", "empty", "special")).source() for i in range(120))
        for word in ("complex64", "complex128", "float16", "uint8", "np.zeros((0", "np.nan,"):
            self.assertNotIn(word, text)


class Shrinking(unittest.TestCase):
    def test_shrinks_to_the_defect(self):
        with Judge("wrong", environment={"DEFECT": "positive steps"}) as judge:
            program, verdict = first_failure(judge, "shrinking", 300, "positive steps", level=4)
            small = shrink(program, lambda p: judge(p).kind == verdict.kind, seconds=8, attempts=400)
            self.assertEqual(judge(small, fresh=True).kind, verdict.kind)
        self.assertLess(len(small.functions), len(program.functions) / 2)
        statements = [n for n in ast.walk(ast.parse(small.functions)) if isinstance(n, ast.stmt) and not isinstance(n, ast.FunctionDef)]
        self.assertLessEqual(len(statements), 5, small.functions)
        text = regression.text(verdict, small, "wrong", "cpu")
        names = {}
        exec(compile(text, "<regression>", "exec"), names)
        self.assertEqual(len(names["arguments"]()), len(small.arguments))

    def test_cuts_leave_programs(self):
        functions = "class One:\n    a = 1\n\nclass Two(One):\n    b = 2\n\ndef program(n):\n    n = Two().b\n    return n\n"

        def runs(program):
            exec(compile(program.source(), "<cut>", "exec"), {})  # raises where a cut took the class that the other is made of
            return "Two()" in program.functions and "class Two" in program.functions

        small = shrink(Program(functions, [], [("n", "1")]), runs, seconds=8)
        self.assertNotIn("class One", small.functions.replace("class One:\n    pass", ""))


class Command(unittest.TestCase):
    def test_reports_and_exit_status(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
            report = os.path.join(folder, "report.json")
            status = run.main(["--compiler", "reference", "--count", "15", "--seed", "3", "--json", report])
            with open(report) as file:
                counts = json.load(file)["counts"]
        self.assertEqual(status, 0)
        self.assertEqual(sum(counts.values()), 15)
        self.assertIn("15 programs", out.getvalue())

    def test_stored_programs_must_pass(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            path = os.path.join(folder, "stored.py")
            with open(path, "w") as file:
                file.write(regression.text(Verdict("wrong value", "detail"), generate("stored:1", 2), "npcc", "cpu"))
            self.assertEqual(run.main(["--file", path, "--compiler", "reference"]), 0)
            for defect in ("value", "refuse"):
                os.environ["DEFECT"] = defect
                try:
                    self.assertEqual(run.main(["--file", path, "--compiler", "wrong"]), 1, defect)
                finally:
                    del os.environ["DEFECT"]

    def test_a_failure_is_printed_and_saved(self):
        os.environ["DEFECT"] = "value"
        try:
            with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
                status = run.main(["--compiler", "wrong", "--count", "20", "--seed", "3", "--level", "2", "--failures", "1", "--shrink", "2", "--save", folder])
                saved = os.listdir(folder)
        finally:
            del os.environ["DEFECT"]
        self.assertEqual(status, 1)
        self.assertEqual(len(saved), 1)
        self.assertIn("def program(", out.getvalue())

    def test_a_missing_compiler_is_status_2(self):
        with contextlib.redirect_stderr(io.StringIO()) as error:
            self.assertEqual(run.main(["--compiler", "no_such_compiler", "--count", "3"]), 2)
        self.assertIn("no_such_compiler", error.getvalue())


if __name__ == "__main__":
    unittest.main()
