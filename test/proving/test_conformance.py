"""test/conformance finds what a compiled call does wrong: here its compiler is one that errs."""
import ast
import os
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import npcc  # noqa: E402
from conformance import report, standin  # noqa: E402
from conformance.rewrite import Rewriter  # noqa: E402


def refuse(words):
    raise npcc.CompileError(words, ("file", 1, 1, "", 1, 1))


def erring(function, arguments, kind):
    """What a compiled function does that is wrong in one way."""
    if kind == "internal":
        refuse("internal error: no way")
    if kind == "refused":
        refuse("this cannot be compiled")
    if kind == "crash":
        return None
    value = function(*arguments)
    if kind == "value":
        return value + 1
    if kind == "dtype":
        return np.asarray(value, np.float32)[()]
    if kind == "type":
        return float(value)
    if kind == "argument":
        arguments[0][0] = 77
    if kind == "error":
        raise ValueError("of its own")
    return value


class Verdicts(unittest.TestCase):
    def verdict(self, kind, call, *arguments):
        """The verdicts of one call, and what the test gets of it."""
        with tempfile.TemporaryFile() as journal:
            stand_in = standin.StandIn(journal.fileno())
            stand_in.active = True
            wrong = lambda target: lambda function: lambda *arguments: erring(function, arguments, kind)  # noqa: E731
            with mock.patch.object(standin.npcc, "jit", wrong):
                try:
                    got = call(stand_in, *arguments)
                except Exception as error:
                    got = type(error)
        return dict(stand_in.calls), got

    def test_what_is_right_passes(self):
        self.assertEqual(self.verdict("right", lambda s, a: s.call(np.sum, a), np.arange(4.0)), ({"passed": 1}, 6))
        self.assertEqual(self.verdict("right", lambda s, a: s.call(np.sum, a, axis=3), np.arange(4.0)), ({"raises": 1}, np.exceptions.AxisError))

    def test_what_is_wrong_is_found_and_the_test_goes_on_with_numpy(self):
        for kind in ("value", "dtype", "type", "argument", "error"):
            with self.subTest(kind):
                self.assertEqual(self.verdict(kind, lambda s, a: s.call(np.sum, a), np.arange(4.0)), ({"different": 1}, 6))

    def test_refusals_and_internal_errors_are_told_apart(self):
        self.assertEqual(self.verdict("refused", lambda s, a: s.call(np.sum, a), np.arange(4.0)), ({"refused": 1}, 6))
        self.assertEqual(self.verdict("internal", lambda s, a: s.call(np.sum, a), np.arange(4.0)), ({"internal": 1}, 6))
        self.assertEqual(self.verdict("refused", lambda s, a: s.call(np.sum, a, axis=3), np.arange(4.0))[0], {"early": 1})

    def test_an_error_that_is_not_raised_is_found(self):
        self.assertEqual(self.verdict("crash", lambda s, a: s.call(np.sum, a, axis=3), np.arange(4.0)), ({"different": 1}, np.exceptions.AxisError))

    def test_operators_stores_and_methods_are_calls(self):
        for call in (
            lambda s, a: s.operate("+", a, 1),
            lambda s, a: s.operate_in_place("*", a, 2),
            lambda s, a: s.operate_alone("-", a),
            lambda s, a: s.item(a, slice(1, None)),
            lambda s, a: s.set_item(5.0, a, 0),
            lambda s, a: s.attribute(a, "T"),
            lambda s, a: s.call(a.sum),
        ):
            self.assertEqual(self.verdict("right", call, np.arange(4.0))[0], {"passed": 1})

    def test_what_is_no_call_of_numpy_is_left_alone(self):
        self.assertEqual(self.verdict("value", lambda s, a: s.call(list, a), (1, 2)), ({}, [1, 2]))


class Rewriting(unittest.TestCase):
    def test_calls_operators_and_subscripts(self):
        tree = ast.fix_missing_locations(Rewriter().visit(ast.parse("y[0] = np.sum(x[1:] + y, axis=0)")))
        self.assertEqual(
            ast.unparse(tree),
            "__npcc_set_item__(__npcc_call__(np.sum, __npcc_operate__('+', __npcc_item__(x, __npcc_slice__(1, None, None)), y), axis=0), y, 0)",
        )


class Reports(unittest.TestCase):
    def test_the_worst_call_decides(self):
        record = dict(test="t", outcome="passed", calls={"passed": 3, "refused": 1})
        self.assertEqual(report.verdict_of(record, set()), "passed")
        self.assertEqual(report.verdict_of(dict(record, calls={"passed": 3, "internal": 1}), set()), "different")
        self.assertEqual(report.verdict_of(dict(record, outcome="closer"), set()), "closer")
        self.assertEqual(report.verdict_of(record, {"t"}), "crash")


if __name__ == "__main__":
    unittest.main()
