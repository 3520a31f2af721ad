"""The benchmark tools: wrong results are not timed as right, hangs and deaths are rows, missing peers are lines."""
import contextlib
import io
import json
import os
import sys
import tempfile
import textwrap
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)

import numpy as np  # noqa: E402

from benchmarks import machine, measure, npbench, peers, programs, run, setup, suites, table  # noqa: E402
from benchmarks.child import Child  # noqa: E402
from benchmarks.compile import run as compile_run, styles  # noqa: E402


class Comparisons(unittest.TestCase):
    def test_moves_are_more_than_the_spread(self):
        def row(best, median, worst):
            return {"best_ms": best, "ms": median, "worst_ms": worst}
        earlier = {"heat": row(1, 1.1, 1.2), "flow": row(2, 2.1, 2.4), "dot": row(3, 3.2, 3.4), "scan": {"error": "late"}, "old": row(1, 1, 1)}
        now = {"heat": row(1.3, 1.4, 1.6), "flow": row(2.3, 2.35, 2.5), "dot": row(1.5, 1.6, 1.7), "scan": row(1, 1, 1), "new": row(1, 1, 1)}
        self.assertEqual(run.moved(earlier, now), ["", "moved by more than the spread:", "  heat: 1.1 -> 1.4 ms, 1.27 times as long",
                                                   "  dot: 3.2 -> 1.6 ms, 2.00 times as fast", "1 of 3 programs are within the spread"])
        self.assertEqual(run.moved(earlier, earlier), ["", "4 of 4 programs are within the spread"])


class Programs(unittest.TestCase):
    def test_checks_accept_numpy_and_refuse_errors(self):
        """Every program's own check passes on NumPy's result, and fails when its samples are disturbed or exchanged."""
        for name in programs.NAMES:
            program = programs.load(name)
            for label in ("tiny", "quick"):
                with self.subTest(name, size=label):
                    size = program.SIZES[label]
                    arguments = program.inputs(size, measure.filler(1))
                    want = program.expected(size, arguments)
                    samples = [np.array(s) for s in program.pick(size, program.run(*arguments))]
                    measure.check(program, size, samples, want)
                    wrong = [s + (np.max(np.abs(s)) * 0.5 + 1) for s in samples]
                    with self.assertRaises(measure.Wrong):
                        measure.check(program, size, wrong, want)
                    if samples[0].ndim:
                        with self.assertRaises(measure.Wrong):
                            measure.check(program, size, [s[..., :-1] for s in samples], want)

    def test_floors_are_positive_and_published_sizes_stand(self):
        for name in programs.NAMES:
            program = programs.load(name)
            moved, operations = program.floor(program.SIZES["gpu"])
            self.assertGreater(moved, 0)
            self.assertGreater(operations, 0)
        gpu = {name: programs.load(name).SIZES["gpu"] for name in programs.NAMES}
        self.assertEqual(gpu["heat"], {"n": 16384, "steps": 20})
        self.assertEqual(gpu["row_norms"]["shape"], (1000, 1000, 100))
        self.assertEqual((gpu["dot"]["n"], gpu["black_scholes"]["n"], gpu["monte_carlo_pi"]["n"]), (10**8, 5 * 10**7, 10**8))
        self.assertEqual((gpu["matrix_chain"]["n"], gpu["image"]["shape"]), (8000, (1000, 3, 224, 224)))
        # 20 steps of two 2 GiB arrays at the published bandwidth take the published 20 milliseconds.
        self.assertAlmostEqual(run.floor_milliseconds(programs.load("heat"), "gpu", {"copy": 4.26e12, "float64": 3e13}), 20.0, delta=0.5)

    def test_arguments_stay_as_they_were(self):
        for name in programs.NAMES:
            program = programs.load(name)
            size = program.SIZES["tiny"]
            arguments = program.inputs(size, measure.filler(2))
            copies = [np.copy(a) for a in arguments]
            program.run(*arguments)
            for before, after in zip(copies, arguments):
                np.testing.assert_array_equal(before, after)


class Stale(peers.NumPy):
    """A peer that returns its first result for ever."""

    def prepare(self, program):
        kept = []

        def function(*arguments):
            kept.append(program.run(*arguments))
            return np.copy(kept[0])
        return function


class Unwritten(peers.NumPy):
    """A peer that forgets to write its result after the first time: the memory is what poison left."""

    def prepare(self, program):
        memory = []

        def function(*arguments):
            if not memory:
                memory.append(program.run(*arguments))
            return memory[0]
        return function


class Measuring(unittest.TestCase):
    def test_stale_and_unwritten_results_are_not_timed(self):
        program = programs.load("row_norms")
        for peer in (Stale("cpu"), Unwritten("cpu")):
            with self.assertRaises(measure.Wrong):
                measure.measure(peer, program, program.SIZES["tiny"], 0.1, 5)

    def test_poison_covers_every_result(self):
        values = (np.ones(3), np.ones((2, 2), dtype=np.int64))
        measure.poison(peers.NumPy("cpu"), values)
        self.assertTrue(np.isnan(values[0]).all())
        self.assertTrue((values[1] == -1).all())

    def test_another_module_stands_for_numpy(self):
        """Helpers too: none of the calls of a program reaches NumPy when it runs under another name."""
        class Counting:
            def __init__(self):
                self.asked = []

            def __getattr__(self, name):
                self.asked.append(name)
                return getattr(np, name)
        program = programs.load("black_scholes")
        counting = Counting()
        peers.with_module(program.run, counting)(*program.inputs(program.SIZES["tiny"], measure.filler(0)))
        self.assertIn("where", counting.asked)  # only the helper `normal` uses it


class Command(unittest.TestCase):
    def run_main(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = run.main(list(arguments))
        return status, out.getvalue()

    def test_a_run_its_data_and_a_comparison(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bench.json")
            common = ["dot", "scan", "--target", "cpu", "--size", "tiny", "--quick"]
            status, out = self.run_main(*common, "--peers", "numpy,cupy", "--json", path)
            self.assertEqual(status, 0)
            with open(path) as file:
                data = json.load(file)
            self.assertGreater(data["rows"]["numpy"]["dot"]["ms"], 0)
            self.assertEqual(set(data["machine"]), set(machine.describe()))
            self.assertIn("cupy: not measured", out)  # a missing peer is a line
            self.assertIn("of floor", out.splitlines()[-4])  # the table comes last
            data["rows"]["npcc"] = {"dot": dict(data["rows"]["numpy"]["dot"], ms=1.0)}
            data["peers"]["npcc"] = {"version": "?"}
            data["earlier"] = {"rows": {"npcc": {"dot": {"ms": 3.0}}}}
            self.assertIn("3.00x", run.report(data))

    def test_unknown_programs_are_refused(self):
        with contextlib.redirect_stderr(io.StringIO()) as error, self.assertRaises(SystemExit):
            run.main(["no_such_program"])
        self.assertIn("no_such_program", error.getvalue())

    def test_children_that_hang_or_die_are_rows_and_start_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "child.py")
            with open(path, "w") as file:
                file.write(textwrap.dedent("""\
                    import json, os, sys, time
                    print(json.dumps({"ready": 1}), flush=True)
                    for line in sys.stdin:
                        request = json.loads(line)
                        if request == "hang": time.sleep(60)
                        if request == "die": os.abort()
                        if request == "phases":
                            print(json.dumps({"phase": "slow"}), flush=True)
                            time.sleep(2)
                            print(json.dumps({"phase": "late", "row": {"echo": "first"}}), flush=True)
                            time.sleep(60)
                        print(json.dumps({"echo": request}), flush=True)
                    """))
            child = Child([path])
            self.assertIn("over the limit", child.ask("hang", 0.5)["error"])
            self.assertEqual(child.ask("again", 10), {"echo": "again"})
            self.assertIn("died with status -6", child.ask("die", 10)["error"])
            self.assertEqual(child.ask("again", 10), {"echo": "again"})
            self.assertEqual(child.ask("phases", 1, {"slow": 10, "late": 0.5}), {"echo": "first"})  # each phase has its limit
            self.assertIn("over the limit", child.ask("phases", 1, {"slow": 0.5, "late": 10})["error"])
            self.assertIn("over the limit", child.ask("phases", 1, {"slow": 10, "late": 10}, time.monotonic() + 1)["error"])
            child.close()


class CompileTimes(unittest.TestCase):
    def test_every_style_is_a_program_that_numpy_runs(self):
        for name, style in styles.STYLES.items():
            source, arguments = style(3)
            namespace = {}
            exec(compile(source, name, "exec"), namespace)
            self.assertTrue(np.all(np.isfinite(namespace["f"](*arguments))), name)

    def test_phases_are_measured_and_failures_are_rows(self):
        row = compile_run.measure("chain", 3, "cpu", 60)
        self.assertTrue(row["equal"])
        self.assertGreater(row["call"], row["phases"]["np-to-loops"])
        self.assertEqual(compile_run.measure("chain", 3, "cpu", 0.01)["failure"], "more than 0.01 s")


class Figures(unittest.TestCase):
    def test_geometric_mean(self):
        self.assertAlmostEqual(table.geometric_mean([2.0, 8.0, None]), 4.0)
        self.assertIsNone(table.geometric_mean([]))

    def test_picture_is_well_formed(self):
        from xml.dom import minidom
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ratios.svg")
            self.assertTrue(table.picture("a < b", {"k": {"x": 10.0, "y": 0.1}}, path))
            bars = [r for r in minidom.parse(path).getElementsByTagName("rect") if r.getAttribute("height") == "8"]
            self.assertEqual(len(bars), 2)
            self.assertEqual(bars[0].getAttribute("width"), bars[1].getAttribute("width"))
            self.assertFalse(table.picture("none", {}, path))

    def test_requirements_by_target(self):
        self.assertIn("numba", setup.requirements("cpu"))
        self.assertNotIn("torch", setup.requirements("cpu"))
        self.assertIn("cupy-cuda13x", setup.requirements("cuda"))
        self.assertIn("jax[cuda13]", setup.requirements("cuda"))


SUITE = '''
import importlib, json, os, numpy as np
HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Benchmark:
    def __init__(self, name):
        with open(os.path.join(HERE, "bench_info", name + ".json")) as file:
            self.info = json.load(file)

    def get_data(self, preset):
        return {"a": np.arange(self.info["size"][preset], dtype=float)}


class Framework:
    def __init__(self, name): self.name = name
    def impl_files(self, bench): return [(os.path.join(HERE, bench.info["file"] + f"_{self.name}.py"), "default")]
    def implementations(self, bench):
        import sys; sys.path.insert(0, HERE)
        return [(importlib.import_module(bench.info["file"] + f"_{self.name}").kernel, "default")]
    def imports(self): return {}
    def copy_func(self): return np.copy
    def copy_back_func(self): return lambda x: x
    def setup_str(self, bench, impl=None): return "__npb_x_a = __npb_copy(a)"
    def exec_str(self, bench, impl=None): return "__npb_result = __npb_impl(__npb_x_a)"
    def inout_args(self, bench): return ["__npb_x_a"]


generate_framework = Framework


class utilities:
    def validate(want, got, rtol=1e-5, atol=1e-8, norm_error=1e-5):
        return all(np.allclose(w, g, rtol=rtol, atol=atol) for w, g in zip(want, got))
'''


def miniature(folder):
    """A suite of two kernels with the layout and the classes that NPBench has."""
    for name in ("bench_info", "framework_info", "npbench/infrastructure"):
        os.makedirs(os.path.join(folder, name))
    files = {"npbench/__init__.py": "", "npbench/infrastructure/__init__.py": SUITE, "framework_info/numpy.json": "{}",
             "framework_info/fractions.json": "{}",  # a `framework` that is installed everywhere
             "bench_info/double.json": json.dumps({"file": "double", "size": {"S": 10}, "output_args": ["a"]}),
             "bench_info/loop.json": json.dumps({"file": "loop", "size": {"S": 10}, "output_args": []}),
             "double_numpy.py": "def kernel(a):\n    a *= 2\n    return a.sum()\n",
             "double_fractions.py": "def kernel(a):\n    a *= 3\n    return a.sum()\n",
             "loop_numpy.py": "import numpy as np\n\n\ndef kernel(a):\n    return np.cumsum(a)\n",
             "copying.py": "def jit(**options):\n    return lambda f: lambda a: f(a.copy())\n",
             "sleeping.py": "import time\n\n\ndef jit(**options):\n    return lambda f: lambda a: time.sleep(60)\n",
             "compiling.py": "import time\n\n\ndef jit(**options):\n    time.sleep(2)\n    return lambda f: f\n",
             "refusing.py": "class CompileError(SyntaxError):\n    pass\n\n\ndef jit(**options):\n    def no(f):\n"
                            "        raise CompileError('no loops here')\n    return no\n"}
    for path, text in files.items():
        with open(os.path.join(folder, path), "w") as file:
            file.write(text)


class NPBench(unittest.TestCase):
    def run_main(self, folder, *arguments):
        os.environ["PYTHONPATH"] = os.pathsep.join([folder, os.path.join(ROOT, "test", "fuzz")])
        path = os.path.join(folder, "out.json")
        try:
            with contextlib.redirect_stdout(io.StringIO()) as out:
                self.assertEqual(npbench.main(["--checkout", folder, "--target", "cpu", "--json", path, *arguments]), 0)
        finally:
            del os.environ["PYTHONPATH"]
        with open(path) as file:
            return json.load(file), out.getvalue()

    def test_verdicts(self):
        with tempfile.TemporaryDirectory() as folder:
            miniature(folder)
            data, out = self.run_main(folder, "--compiler", "reference", "--peers", "fractions,cupy")
            self.assertEqual(data["rows"]["double"]["reference"]["validation"], "valid")
            self.assertEqual(data["rows"]["double"]["fractions"]["validation"], "wrong")
            self.assertEqual(data["rows"]["loop"]["fractions"], {"none": "NPBench has no port"})
            self.assertIn("cupy", data["missing"])
            self.assertIn("reference: 2 of 2 kernels run, 2 validated", out)
            self.assertNotIn("over fractions", out)  # a wrong result's time is in no mean
            data, out = self.run_main(folder, "--compiler", "copying")
            self.assertEqual(data["rows"]["double"]["copying"]["validation"], "wrong")  # the argument was not written
            self.assertEqual(data["rows"]["loop"]["copying"]["validation"], "valid")
            data, out = self.run_main(folder, "--compiler", "refusing")
            self.assertIn("no loops here", data["rows"]["loop"]["refusing"]["unsupported"])
            self.assertIn("0 of 2 kernels run", out)
            data, out = self.run_main(folder, "loop", "--compiler", "sleeping", "--compile-limit", "1")
            self.assertIn("over the limit", data["rows"]["loop"]["sleeping"]["error"])

    def test_compiling_has_a_limit_of_its_own(self):
        with tempfile.TemporaryDirectory() as folder:
            miniature(folder)
            data, out = self.run_main(folder, "loop", "--compiler", "compiling", "--limit", "1")
            self.assertEqual(data["rows"]["loop"]["compiling"]["validation"], "valid")
            data, out = self.run_main(folder, "loop", "--compiler", "compiling", "--compile-limit", "1")
            self.assertIn("over the limit", data["rows"]["loop"]["compiling"]["error"])

    def test_a_run_cut_short_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            miniature(folder)
            data, out = self.run_main(folder, "--compiler", "sleeping", "--total", "5")
            self.assertIn("ms", data["rows"]["double"]["numpy"])
            self.assertIn("unreached", data["rows"]["double"]["sleeping"])  # cut short
            self.assertIn("unreached", data["rows"]["loop"]["sleeping"])    # never begun
            self.assertIn("not reached", out)
            self.assertIn("2 not reached", out)
            self.assertNotIn("failed", out)


class Suites(unittest.TestCase):
    def test_report_counts_verdicts_and_reasons(self):
        rows = [dict(suite="a", name="a/1", verdict="pass", msg=""), dict(suite="a", name="a/2", verdict="compile error", msg="no sets")]
        text = suites.report({"machine": machine.describe(), "programs": rows})
        self.assertIn("no sets", text)
        self.assertRegex(text.splitlines()[-1], r"all\s+1\s+1")


if __name__ == "__main__":
    unittest.main()
