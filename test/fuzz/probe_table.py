"""What is probed: one line for each function, operator, method and attribute, over `x` and `y`.

A row is an expression, or statements between "; " of which the last is an expression. A row is tried with every dtype
and kind of argument, so most combinations are errors; these must be NumPy's errors.

What NumPy itself leaves open about a row's results stands behind the row, after two blanks and a `#`: rules by which
its results are compared, which `probe_rules.py` holds.

  zeros              which of two zeros it is
  ties               in which order positions of equal elements come: what stands at them is compared
  casts              what a float gives that uint32 does not hold, which NumPy casts in two ways
  sums EXPRESSION    sums in any order; the expression bounds what the terms come to, where it is not the row itself
  divides            a quotient and what remains, which cancels: both times the divisor and added are what was divided, to rounding
  powers BASE, EXP   complex powers, whose errors grow with the exponent
  scales BASE, EXP   powers of exponents that were computed, so that real ones too are no better
  rounded            what is printed is a quotient of integers that float64 rounds first
  joins              where two paths meet, numbers have the type that holds both: the number itself is compared, rounded to the
                     dtype where that is NumPy's narrow float
"""

from __future__ import annotations

import re

import numpy as np

from .probe_arguments import DTYPES, PYTHON, arguments
from .probe_binary import BINARY_ROWS, RULES
from .probe_left_out import LEFT_OUT
from .probe_texts import RAISE_ROWS, TEXT_ROWS
from .probe_unary import UNARY, UNARY_ROWS

OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">="]
LITERALS = [
    "0",
    "1",
    "2",
    "-1",
    "300",
    "2**40",
    "True",
    "0.5",
    "2.0",
    "-0.0",
    "np.nan",
    "np.inf",
    "1e40",
    "1j",
    "np.float32(2)",
    "np.float64(2)",
    "np.int8(3)",
    "np.uint64(7)",
    "np.bool_(True)",
]


def ufuncs(inputs):
    import npcc

    for entry in npcc.supported():
        function = getattr(np, entry["name"].removeprefix("numpy."), None)
        if isinstance(function, np.ufunc) and function.nin == inputs:
            yield f"np.{entry['name'].removeprefix('numpy.')}"


class Row(str):
    """The text of a row, with its rules: what follows each rule's name."""

    rules: dict

    def __new__(cls, text, **rules):
        row = super().__new__(cls, text)
        row.rules = rules
        return row


def row(line):
    text, _, rules = line.partition("  # ")
    split = [rule.strip().partition(" ") for rule in rules.split(";") if rule]
    return Row(text, **{name: operands for name, _, operands in split})


def rows_of(text):
    return [row(line) for line in text.strip().splitlines() if line]


def unary():
    rows = [Row(f"{name}(x)") for name in ufuncs(1)]
    for module, names in UNARY.items():
        prefix = {"numpy": "np.", "builtins": "", "math": "math."}[module]
        for name in names.split():
            name, _, rule = name.partition("#")
            rows.append(Row(f"{prefix}{name}(x)", **({rule: ""} if rule else {})))
    rows += rows_of(UNARY_ROWS)
    for dtype in DTYPES:
        name = np.dtype(dtype).name if dtype != "?" else "bool_"
        rows += [
            Row(f"x.astype(np.{name})", casts=""),
            Row(f"np.{name}(x)", casts=""),
            Row(f"t = np.zeros(3, np.{name}); t[0] = x; t"),
            Row(f"t = np.zeros(3, np.{name}); t[...] = x; t"),
        ]
    return rows


def constants():
    """Operators between x and what is known at compile time."""
    return (
        [operation("x", op, value) for op in OPERATORS for value in LITERALS]
        + [operation(value, op, "x") for op in OPERATORS for value in LITERALS]
        + [
            called(f"np.{f}", "x", value)
            for f in ("maximum", "arctan2", "fmod", "copysign", "hypot", "logical_and", "power")
            for value in LITERALS
        ]
    )


def operation(left, op, right):
    return Row(f"{left} {op} {right}", **({"powers": f"{left}, {right}"} if op == "**" else {}))


def called(name, left, right):
    """A function of two arguments, with what is said of it in RULES."""
    rule = RULES.get(name)
    rules = {rule: f"{left}, {right}" if rule == "powers" else ""} if rule else {}
    return Row(f"{name}({left}, {right})", **rules)


def binary():
    rows = [operation("x", op, "y") for op in OPERATORS] + [called(name, "x", "y") for name in ufuncs(2)]
    return rows + rows_of(BINARY_ROWS)


def combinations():
    """Every (rows' name, [(form, dtype)])."""
    for dtype in DTYPES:
        for form in ("A1", "A2", "A0", "S"):
            for rows in ("unary", "constants") if form != "A2" else ("unary",):
                yield rows, [(form, dtype)]
        yield "text", [("S", dtype)]
    for dtype in PYTHON:
        for rows in ("unary", "constants", "text"):
            yield rows, [("P", dtype)]
    for a in DTYPES:
        for b in DTYPES:
            for forms in (("A1", "A1"), ("S", "S"), ("A1", "S"), ("S", "A1")):
                yield "binary", [(forms[0], a), (forms[1], b)]
        for b in PYTHON:
            for form in ("A1", "A0", "S"):
                yield "binary", [(form, a), ("P", b)]
                yield "binary", [("P", b), (form, a)]
        yield "binary", [("A0", a), ("A0", a)]
        yield "binary", [("A0", a), ("S", a)]
    for a in PYTHON:
        for b in PYTHON:
            yield "binary", [("P", a), ("P", b)]


def uncovered():
    """Functions in npcc.supported() that no row calls and LEFT_OUT does not name."""
    import npcc

    rows = " ".join(unary() + binary() + constants() + TEXT_ROWS)
    named = {name for names in LEFT_OUT.values() for name in names.split()}
    short = {entry["name"]: entry["name"].split(".")[-1] for entry in npcc.supported()}
    return [
        name
        for name, last in short.items()
        if name not in named
        and not name.startswith("numpy.random.")  # test/run/test_random_*.py have the dtypes
        and not re.search(rf"\b{last}\(|\b{last}[.]", rows)
    ]
