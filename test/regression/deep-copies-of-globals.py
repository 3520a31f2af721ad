# RUN: %python %s
"""copy.deepcopy() of what a global holds is the function's own, all the way down. What was changed in a list inside of it was lost."""
import importlib
from copy import deepcopy
from dataclasses import asdict, astuple, dataclass

import npcc

importlib.import_module("npcc.jit").Specialiser.may_use_python = False

ROWS = [[1, 2], [3]]
NAMED = {"a": [1], "b": [2]}
NUMBERED = {1: [2], 3: [4]}
NESTED = ([1, 2], (3, [4]))
SET = {1, 2}


def rows():
    copy = deepcopy(ROWS)
    copy[0].append(5)
    copy[1][0] = 9
    last = copy[1]
    last.append(4)
    return copy, last is copy[1], len(ROWS[0])


def named():
    copy = deepcopy(NAMED)
    copy["a"].append(5)
    copy["c"] = [7]
    return copy, len(NAMED)


def numbered(k):
    copy = deepcopy(NUMBERED)
    copy[k].append(5)
    copy[k + 6] = [1]
    return copy


def nested():
    copy = deepcopy(NESTED)
    copy[0].append(7)
    copy[1][1].append(8)
    return copy, len(NESTED[1][1])


def sets():
    copy = deepcopy(SET)
    copy.add(9)
    return sorted(copy), len(SET)


@dataclass
class Setting:
    size: int = 64
    name: str = "none"


def settings(names):
    """A string of run time is an object without a class: asdict() crashed."""
    found = []
    for name in names:
        setting = Setting(name=name)
        found.append(astuple(setting))
    return found, asdict(setting), deepcopy(setting).name


for function, *arguments in (rows,), (named,), (numbered, 3), (nested,), (sets,), (settings, ["x", "yy"] * 10):
    expected, found = function(*arguments), npcc.jit(function)(*arguments)
    assert found == expected, (function.__name__, found, expected)
