"""Runs functions through npcc.jit on the CPU and through NumPy: results, types, the arguments afterwards, errors."""
import sys
from pathlib import Path

import numpy as np

import npcc

sys.path.append(str(Path(__file__).resolve().parents[2] / "run"))
import executed  # noqa: E402


def outcome(call, arguments):
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    try:
        result = call(*copies)
    except Exception as error:
        return [type(error).__name__, str(error)], copies
    return list(result) if isinstance(result, tuple) else [result], copies


def same(mine, expected):
    if type(mine) is not type(expected):
        return False
    if mine is None or isinstance(mine, str):
        return mine == expected
    return (np.asarray(mine).dtype == np.asarray(expected).dtype and np.shape(mine) == np.shape(expected)
            and np.allclose(mine, expected, rtol=1e-14, atol=1e-14, equal_nan=True))


def check(function, *arguments):
    expected, theirs = outcome(function, arguments)
    result, ours = outcome(npcc.jit(function, target="cpu"), arguments)
    assert len(result) == len(expected) and all(map(same, result, expected)), (function.__name__, result, expected)
    assert all(map(same, ours, theirs)), (function.__name__, "arguments", ours, theirs)
    if not isinstance(expected[0], str):  # else it is an error's name
        executed.note(sys.argv[0], function)


