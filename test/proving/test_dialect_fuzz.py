"""Random IR: always valid and runnable, repeated by its seed; every kind of wrong pass is caught."""
import contextlib
import io
import os
import re
import sys
import tempfile
import textwrap
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

import numpy as np  # noqa: E402

from fuzz.dialect import generate, interpret, judging, loops, parse, passes, run  # noqa: E402

# Stand-ins for npcc-opt: each reads a module and prints what a pass with one defect would leave.
PASSES = {
    "right": "print(text)",
    "lost store": "lines = text.splitlines(); places = [i for i, l in enumerate(lines) if '\"np.store\"' in l]\n"
                  "print('\\n'.join(l for i, l in enumerate(lines) if not places or i != places[-1]))",
    "wrong value": "print(text.replace('\"subtract\"', '\"add\"').replace('\"maximum\"', '\"minimum\"'))",
    "copied view": "print(__import__('re').sub(r'\"np.load\"\\((%\\w+)\\)', r'\"np.load\"(\\1)', text).replace('value = 1 : index', 'value = 0 : index'))",
    "lost swap": "import re\nprint(re.sub(r'\"scf.yield\"\\((%\\w+), (%\\w+)\\)', r'\"scf.yield\"(\\2, \\1)', text))",
    "crash": "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
    "hang": "import time; time.sleep(60)",
    "refusal": "sys.stderr.write('error: not supported'); sys.exit(1)",
    "silent failure": "sys.exit(1)",
    "garbage": "print('this is no module')",
    "undefined value": "print(text.replace('\"func.return\"(%', '\"func.return\"(%undefined'))",
    "left the dialect": "print(text.replace('\"np.store\"', '\"linalg.copy\"').replace('\"np.load\"', '\"bufferization.to_tensor\"'))",
}
VERDICTS = {"right": "pass", "lost store": "wrong", "wrong value": "wrong", "copied view": "invalid output", "lost swap": "wrong", "crash": "crash",
            "hang": "hang", "refusal": "refused", "silent failure": "crash", "garbage": "invalid output", "undefined value": "invalid output",
            "left the dialect": "verified"}
# What a function must have for the defect to show, where few have it.
SHOWN_BY = {"lost swap": r'"scf.yield"\(%\w+, %\w+\)'}


class Generator(unittest.TestCase):
    def test_every_function_runs(self):
        for number in range(150):
            text, arguments = generate.generate(f"valid:{number}")
            outcome = judging.execute(text, arguments)
            self.assertEqual(outcome[0], "value")
            self.assertTrue(outcome[1], "a function returns something")

    def test_seeds_repeat(self):
        for number in range(10):
            one, two = generate.generate(f"repeat:{number}"), generate.generate(f"repeat:{number}")
            self.assertEqual(one[0], two[0])
            self.assertTrue(all(np.array_equal(a, b) for a, b in zip(one[1], two[1])))

    def test_operations_are_covered(self):
        text = "".join(generate.generate(f"cover:{i}")[0] for i in range(150))
        for name in ("np.view", "np.load", "np.store", "np.store_masked", "np.ufunc", "np.cast", "np.reduce", "np.full", "np.new", "np.dim",
                     "np.reshape", "np.exchange_halo", "x1xf64>", "scf.for", "scf.if", '"where"', "argmax", "strided", "value = -1 : index",
                     "axes = array<i64: 1, 0>", "axes = array<i64: -1"):
            self.assertIn(name, text)


    def test_chains_are_long(self):
        """A pass that follows both operands of each line, and remembers nothing, takes longer than the limit."""
        longest = 0
        for number in range(150):
            paths = {}  # from a value up
            for result, operands in re.findall(r'(%\w+) = "np.ufunc"\((%\w+(?:, %\w+)*)\)', generate.generate(f"chain:{number}")[0]):
                paths[result] = sum(paths.get(operand, 1) for operand in operands.split(", "))
            longest = max([longest, *paths.values()])
        self.assertGreater(longest, 10**6)


class Interpreter(unittest.TestCase):
    def test_windows_are_numpys_views(self):
        u = np.arange(20.0).reshape(4, 5)
        for got, want in ((interpret.window(u, [1, 3], [0], [2], [1]), u[1:-1, 3]),
                          (interpret.window(u, [0, 4], [1, 0], [5, 4], [-1, 1]), u.T[::-1]),
                          (interpret.window(u, [0, 0], [-1, 0, 1], [3, 2, 3], [0, 2, 2]), np.broadcast_to(u[::2, ::2], (3, 2, 3)))):
            np.testing.assert_array_equal(got, want)
            self.assertTrue(np.shares_memory(got, u))
        for bad in (([0, 0], [0], [5], [1]), ([3, 0], [0], [2], [1]), ([0, 0], [1], [6], [1]), ([0, 1], [1], [3], [-1])):
            with self.assertRaises(interpret.Invalid):
                interpret.window(u, *bad)

    def test_blocks_names_and_errors(self):
        text = '''"builtin.module"() ({
          "func.func"() <{function_type = (index) -> index, sym_name = "f"}> ({
          ^bb0(%n: index):
            %x = "np.var"() <{name = "x"}> : () -> !np.slot<index>
            "np.set"(%n, %x) : (index, !np.slot<index>) -> ()
            "cf.br"()[^bb1] : () -> ()
          ^bb1:
            %v = "np.get"(%x) : (!np.slot<index>) -> index
            %c = "arith.constant"() <{value = 3 : index}> : () -> index
            %low = "arith.cmpi"(%v, %c) <{predicate = 2 : i64}> : (index, index) -> i1
            "cf.cond_br"(%low, %v)[^bb2, ^bb3] <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (i1, index) -> ()
          ^bb2:
            %one = "arith.constant"() <{value = 1 : index}> : () -> index
            %next = "arith.addi"(%v, %one) : (index, index) -> index
            "np.set"(%next, %x) : (index, !np.slot<index>) -> ()
            "cf.br"()[^bb1] : () -> ()
          ^bb3(%r: index):
            %p = "np.check_index"(%r, %c) <{axis = 0 : i64}> : (index, index) -> index
            "func.return"(%p) : (index) -> ()
          }) : () -> ()
        }) : () -> ()'''
        region = parse.functions(text)["f"].regions[0]
        with self.assertRaises(interpret.Raised) as raised:
            interpret.Interpreter().run(region, [-2])
        self.assertEqual(raised.exception.args, ("IndexError", "index 3 is out of bounds for axis 0 with size 3"))

    def test_guards_say_for_whom_a_version_is(self):
        text, _ = generate.generate("guards:0")
        head, tail = text.rsplit("}) : () -> ()\n}) : () -> ()", 1)
        guarded = head + "}) {np.guards = array<i64: 0, 0, 0, 1>} : () -> ()\n}) : () -> ()" + tail
        with self.assertRaises(judging.Guarded):
            judging.execute(guarded, [np.zeros((2, 3))])

    def test_numbers_are_read_exactly(self):
        text = '"builtin.module"() ({"func.func"() <{function_type = () -> (f32, f64, i1), sym_name = "f"}> ({' \
               '%0 = "arith.constant"() <{value = 0x7FC00000 : f32}> : () -> f32 %1 = "arith.constant"() <{value = -2.5e-1 : f64}> : () -> f64 ' \
               '%2 = "arith.constant"() <{value = true}> : () -> i1 "func.return"(%0, %1, %2) : (f32, f64, i1) -> ()}) : () -> ()}) : () -> ()'
        nan, quarter, true = interpret.Interpreter().run(parse.functions(text)["f"].regions[0], [])
        self.assertTrue(np.isnan(nan) and nan.dtype == np.float32)
        self.assertEqual((float(quarter), bool(true)), (-0.25, True))


LOOP = """"builtin.module"() ({
  "func.func"() <{function_type = (memref<?x?xf64>, index) -> memref<?xf64>, sym_name = "f"}> ({
  ^bb0(%a: memref<?x?xf64>, %n: index):
    %zero = "arith.constant"() <{value = 0 : index}> : () -> index
    %one = "arith.constant"() <{value = 1 : index}> : () -> index
    %b = "memref.reinterpret_cast"(%a, %n) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>,
      static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<?x?xf64>, index) -> memref<?xf64>
    LOOP
    ^bb0(%i: index):
      %before = "arith.subi"(%i, %one) : (index, index) -> index
      %x = "memref.load"(%a, %before, %zero) : (memref<?x?xf64>, index, index) -> f64
      %y = "arith.addf"(%x, %x) : (f64, f64) -> f64
      "memref.store"(%y, %b, %i) : (f64, memref<?xf64>, index) -> ()
      END
    "func.return"(%b) : (memref<?xf64>) -> ()
  }) : () -> ()
}) : () -> ()"""
SERIAL = LOOP.replace("LOOP", '"scf.for"(%one, %n, %one) ({').replace("END", '"scf.yield"() : () -> () }) : (index, index, index) -> ()')
PARALLEL = LOOP.replace("LOOP", '"scf.parallel"(%one, %n, %one) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({').replace(
    "END", '"scf.reduce"() : () -> () }) : (index, index, index) -> ()')


class Loops(unittest.TestCase):
    def run_loop(self, text, size, n):
        memory = loops.Memory.of(np.ones((size, 1)))
        result, = loops.LoopInterpreter().run(parse.functions(text)["f"].regions[0], [memory, n])
        np.testing.assert_array_equal(result.array(), memory.array().reshape(-1))  # one memory
        return result.array()

    def test_a_kernel_has_no_order(self):
        doubled = 2.0 ** np.arange(12)
        np.testing.assert_array_equal(self.run_loop(SERIAL, 12, 12), doubled)
        self.assertFalse(np.array_equal(self.run_loop(PARALLEL, 12, 12), doubled))

    def test_positions_outside_are_refused(self):
        with self.assertRaises(interpret.Invalid):
            self.run_loop(SERIAL, 12, 13)

    def test_reductions_combine_in_any_order(self):
        text = """"builtin.module"() ({ "func.func"() <{function_type = (memref<?xi64>) -> i64, sym_name = "f"}> ({
          ^bb0(%a: memref<?xi64>):
            %zero = "arith.constant"() <{value = 0 : index}> : () -> index
            %one = "arith.constant"() <{value = 1 : index}> : () -> index
            %none = "arith.constant"() <{value = 0 : i64}> : () -> i64
            %n = "memref.dim"(%a, %zero) : (memref<?xi64>, index) -> index
            %sum = "scf.parallel"(%zero, %n, %one, %none) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
            ^bb0(%i: index):
              %x = "memref.load"(%a, %i) : (memref<?xi64>, index) -> i64
              "scf.reduce"(%x) ({
              ^bb0(%l: i64, %r: i64):
                %s = "arith.addi"(%l, %r) : (i64, i64) -> i64
                "scf.reduce.return"(%s) : (i64) -> ()
              }) : (i64) -> ()
            }) : (index, index, index, i64) -> i64
            "func.return"(%sum) : (i64) -> ()
          }) : () -> () }) : () -> ()"""
        total, = loops.LoopInterpreter().run(parse.functions(text)["f"].regions[0], [loops.Memory.of(np.arange(10))])
        self.assertEqual(total, 45)

    def test_memory_has_no_unsigned_integers(self):
        self.assertEqual(loops.Memory.of(np.array([255], np.uint8)).buffer.dtype, np.int8)
        self.assertEqual(loops.least(np.int8(-1), np.int8(3)), 3)
        self.assertTrue(judging.same_elements(np.array([255], np.uint8), np.array([-1], np.int8), exact=False))
        self.assertFalse(judging.same_elements(np.array([255], np.uint8), np.array([-1], np.int8), exact=True))

    def test_comparisons_with_nan(self):
        for code, wanted in enumerate([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]):
            op = parse.Operation("arith.cmpf", [], [], [], {"predicate": code}, [], [], [])
            self.assertEqual(bool(loops.LoopInterpreter().arith_cmpf(op, [np.float64("nan"), np.float64(1)], {})[0]), bool(wanted))
        for code, wanted in enumerate([0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1]):
            op = parse.Operation("arith.cmpf", [], [], [], {"predicate": code}, [], [], [])
            self.assertEqual(bool(loops.LoopInterpreter().arith_cmpf(op, [np.float64(0), np.float64(1)], {})[0]), bool(wanted))


# A row of ghosts that a neighbour fills, and what is read of it before and after.
HALO = """"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xf64>) -> memref<?xf64>, sym_name = "f"}> ({
  ^bb0(%a: memref<?xf64>):
    %zero = "arith.constant"() <{value = 0 : index}> : () -> index
    %one = "arith.constant"() <{value = 1 : index}> : () -> index
    %x = "memref.load"(%a, %zero) : (memref<?xf64>, index) -> f64
    "np.exchange_halo"(%a, %one, %zero) : (memref<?xf64>, index, index) -> ()
    "memref.store"(%x, %a, %one) : (f64, memref<?xf64>, index) -> ()
    "func.return"(%a) : (memref<?xf64>) -> ()
  }) : () -> ()
}) : () -> ()"""
LOAD = '    %x = "memref.load"(%a, %zero) : (memref<?xf64>, index) -> f64\n'
EXCHANGE = '    "np.exchange_halo"(%a, %one, %zero) : (memref<?xf64>, index, index) -> ()\n'


class Defects(unittest.TestCase):
    """Three faults that the compiler has had, in the loop form: put back, they are found."""

    def verdict(self, before, after, arguments, wait=0):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "opt")
            with open(path, "w") as file:
                file.write(f"#!{sys.executable}\nimport sys, time\ntext = sys.stdin.read()\nif len(sys.argv) == 2:\n    sys.exit(print(text))\n"
                           f"time.sleep({wait})\nprint({after!r})\n")
            os.chmod(path, 0o755)
            return judging.judge(path, ["a-pass"], before, arguments, judging.execute(before, arguments), 2)[0]

    def test_a_recurrence_through_a_reshape_that_runs_in_parallel(self):
        count = '    %n = "memref.dim"(%a, %zero) : (memref<?x?xf64>, index) -> index\n'
        serial, parallel = (text.replace("(memref<?x?xf64>, index) -> memref<?xf64>, sym", "(memref<?x?xf64>) -> memref<?xf64>, sym")
                            .replace("%a: memref<?x?xf64>, %n: index", "%a: memref<?x?xf64>").replace("    %b = ", count + "    %b = ")
                            for text in (SERIAL, PARALLEL))
        self.assertEqual(self.verdict(serial, serial, [np.ones((12, 1))]), "pass")
        self.assertEqual(self.verdict(serial, parallel, [np.ones((12, 1))]), "wrong")

    def test_a_pass_that_takes_three_times_as_long_for_each_line(self):
        self.assertEqual(self.verdict(HALO, HALO, [np.ones(3)], wait=3), "hang")

    def test_a_load_that_goes_past_an_exchange_of_halos(self):
        self.assertEqual(self.verdict(HALO, HALO, [np.ones(3)]), "pass")
        self.assertEqual(self.verdict(HALO, HALO.replace(LOAD, "").replace(EXCHANGE, EXCHANGE + LOAD), [np.ones(3)]), "wrong")


class Passes(unittest.TestCase):
    def test_every_pass_is_run(self):
        declared = set()
        for folder, _, names in os.walk(os.path.join(os.path.dirname(ROOT), "compiler")):
            if "Passes.td" in names:
                with open(os.path.join(folder, "Passes.td")) as file:
                    declared.update(re.findall(r': Pass<"([\w-]+)"', file.read()))
        run_by = {one.split("=")[0] for chosen in passes.ALL.values() for one in chosen}
        self.assertEqual(declared - run_by, set())
        self.assertGreater(len(declared), 70)

    def test_every_defect_is_caught(self):
        self.assertEqual(set(PASSES), set(VERDICTS))
        with tempfile.TemporaryDirectory() as folder:
            for name, body in PASSES.items():
                path = os.path.join(folder, name.replace(" ", "_"))
                with open(path, "w") as file:
                    # Without a pass it is the check that output verifies again: garbage does not.
                    file.write(f"#!{sys.executable}\nimport sys\ntext = sys.stdin.read()\nif not text.startswith('\"builtin.module\"'):\n"
                               "    sys.exit('error: not a module')\nif len(sys.argv) == 2:\n    sys.exit(print(text))\n" + textwrap.dedent(body) + "\n")
                os.chmod(path, 0o755)
                with self.subTest(name):
                    self.assertIn(VERDICTS[name], self.verdicts(path, name))

    def verdicts(self, opt, name):
        found = set()
        for number in range(400):
            text, arguments = generate.generate(f"passes:{number}")
            if not re.search(SHOWN_BY.get(name, ""), text):
                continue
            verdict, _ = judging.judge(opt, ["a-pass"], text, arguments, judging.execute(text, arguments), 1 if name == "hang" else 20)
            found.add(verdict)
            if name == "right":
                self.assertEqual(verdict, "pass")
                if number == 15:
                    break
            elif VERDICTS[name] in found:
                break
        return found

    def test_a_failure_is_shrunk_and_printed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "opt")
            with open(path, "w") as file:
                file.write(f"#!{sys.executable}\nimport sys\ntext = sys.stdin.read()\n"
                           "print(text.replace('name = \\\"add\\\"', 'name = \\\"subtract\\\"') if len(sys.argv) > 2 else text)\n")
            os.chmod(path, 0o755)
            with contextlib.redirect_stdout(io.StringIO()) as out:
                status = run.main(["--opt", path, "--count", "120", "--passes", "a-pass", "--failures", "1", "--seed", "shrink"])
        self.assertEqual(status, 1)
        self.assertIn("==== wrong by a-pass", out.getvalue())
        self.assertIn('"add"', out.getvalue())

    def test_a_missing_tool_is_status_2(self):
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(run.main(["--opt", "no-such-opt"]), 2)


if __name__ == "__main__":
    unittest.main()
