"""What npcc-opt makes of one function, judged: does it end well, verify again, and do what the function did before?"""
from __future__ import annotations

import subprocess

import numpy as np

from . import interpret, loops, parse, passes as lists

FAILURES = {"crash", "hang", "invalid output", "wrong", "refused", "internal error"}


class Guarded(Exception):
    """The pass made a version for extents that these arguments do not have (np.guards): it would not be called."""


def optimize(opt, passes, text, limit, *flags):
    """(status, output, diagnostics) of npcc-opt; status None when it passed the limit."""
    command = [opt, "--mlir-print-op-generic", *(f"--{p}" for p in passes), *flags]
    try:
        ran = subprocess.run(command, input=text, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return None, "", f"over {limit:.0f} s"
    return ran.returncode, ran.stdout, ran.stderr


def execute(text, arguments):
    """("value", results, arguments after) or ("raises", name, text)."""
    function = parse.functions(text)["f"]
    guards = function.attributes.get("np.guards") or []
    for i, j, k, m in zip(*[iter(guards)] * 4):
        if (j if i < 0 else arguments[i].shape[j]) != arguments[k].shape[m]:
            raise Guarded(f"this version is for equal extents of argument {i}, axis {j} and argument {k}, axis {m}")
    mine = [a.copy() for a in arguments]
    has_memory = "memref" in function.attributes["function_type"]
    memory = [loops.Memory.of(a) for a in mine]
    try:
        if has_memory:
            results = loops.LoopInterpreter().run(function.regions[0], list(memory))
        else:
            results = interpret.Interpreter().run(function.regions[0], mine)
    except interpret.Raised as raised:
        return "raises", *raised.args
    if has_memory:
        mine = [m.array() for m in memory]
    return "value", [r.array() if isinstance(r, loops.Memory) else np.array(r) for r in results], mine


def same(a, b, exact=True):
    if a[0] != b[0]:
        return False
    if a[0] == "raises":
        return a[1] == b[1]  # the words are the front end's matter: passes may merge two checks
    pairs = [*zip(a[1], b[1]), *zip(a[2], b[2])]
    return len(a[1]) == len(b[1]) and all(same_elements(x, y, exact) for x, y in pairs)


def same_elements(x, y, exact):
    """Bit for bit. Not `exact`, for the loop form: but for rounding, since its sums are in any order, and with bool and unsigned integers as memory
    has them."""
    if x.shape != y.shape or (x.dtype != y.dtype and (exact or x.dtype.kind not in "bu" or y.dtype != np.dtype(f"i{x.dtype.itemsize}"))):
        return False
    if x.dtype.kind == "f" and not exact:
        return np.allclose(x, y, rtol={2: 1e-2, 4: 1e-5, 8: 1e-12}[x.dtype.itemsize], atol=0, equal_nan=True)
    return np.array_equal(x, y.view(x.dtype), equal_nan=x.dtype.kind == "f")


def what_stopped(status, errors):
    """The verdict on npcc-opt that printed nothing that could be judged; None if it ended well."""
    if status is None:
        return "hang", errors
    if status < 0 or status in (132, 134, 136, 139) or "PLEASE submit a bug report" in errors or "Assertion" in errors:
        return "crash", errors[-1500:]
    if status and "error: cannot be distributed" in errors:
        return "declined", errors[:600]
    if status:
        return ("internal error" if "internal:" in errors else "refused" if "error:" in errors else "crash"), errors[:600]
    return None


def judge(opt, passes, text, arguments, expected, limit):
    """(verdict, detail). Verdicts: pass, verified (it left the dialect), guarded, declined (the program is none for several devices), or a failure."""
    status, out, errors = optimize(opt, passes, text, limit)
    if refusal := what_stopped(status, errors):
        return refusal
    again, _, problem = optimize(opt, [], out, limit)
    if again:
        return "invalid output", problem[-800:]
    return compare(passes, out, arguments, expected)


def compare(passes, out, arguments, expected):
    """(verdict, detail) of what the passes printed, which verifies."""
    if lists.BEYOND.intersection(passes):
        return "verified", ""
    try:
        got = execute(out, arguments)
    except interpret.Unknown as other:
        return "verified", str(other)
    except Guarded as other:
        return "guarded", str(other)
    except (interpret.Invalid, parse.ParseError) as broken:
        return "invalid output", f"{type(broken).__name__}: {broken}"
    if not same(expected, got, exact="memref<" not in out):
        return "wrong", f"before: {expected}\nafter: {got}"
    return "pass", ""
