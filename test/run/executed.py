"""Which functions of NumPy and Python the tests have compiled, run, and found right: $NPCC_EXECUTED is the folder for one file a test,
which tools/report/coverage.py reads. Without it nothing is written."""
import ast
import atexit
import builtins
import inspect
import json
import os
import textwrap
import types
from pathlib import Path

import numpy as np

FOLDER = os.environ.get("NPCC_EXECUTED")
TESTS = Path(__file__).resolve().parents[1]
found = {}  # test -> name -> {"keywords": [...], "positional": the most of them in a call}
seen = set()


def note(test, function, classes=()):
    """A test's file has run `function` compiled, and it did what NumPy does. Methods that one of `classes` has were called on objects of it; others on
    arrays."""
    if FOLDER and (test, function, classes) not in seen:
        seen.add((test, function, classes))
        path = Path(test).resolve()
        _read(found.setdefault(str(path.relative_to(TESTS)) if TESTS in path.parents else path.name, {}), function, set(), classes)


def _read(names, function, visited, classes=()):
    function = inspect.unwrap(function)
    if not isinstance(function, types.FunctionType) or function in visited:
        return
    visited.add(function)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    scope = {**vars(builtins), **function.__globals__, **inspect.getclosurevars(function).nonlocals}
    called = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called[node.func] = node
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Name, ast.Attribute)):
            continue
        known, value = _resolve(node, scope)
        if isinstance(value, types.FunctionType) and (value.__module__ or "").partition(".")[0] not in ("numpy", "npcc", "copy", "dataclasses"):
            _read(names, value, visited, classes)
            continue
        if known:
            spelled = filter(None, [_name(node, value)])
        else:
            spelled = _methods(node.attr, classes) if isinstance(node, ast.Attribute) else ()
        for name in spelled:
            entry = names.setdefault(name, {"keywords": [], "positional": 0})
            if node in called:
                entry["keywords"] = sorted({*entry["keywords"], *(k.arg for k in called[node].keywords if k.arg)})
                entry["positional"] = max(entry["positional"], len(called[node].args))


def _resolve(node, scope):
    """(whether it is known without running, its value) of a name or attribute."""
    if isinstance(node, ast.Name):
        return node.id in scope, scope.get(node.id)
    if not isinstance(node, ast.Attribute):
        return False, None
    known, value = _resolve(node.value, scope)
    if not known or not isinstance(value, (types.ModuleType, np.ufunc)):
        return False, None
    return hasattr(value, node.attr), getattr(value, node.attr, None)


def _methods(attribute, classes):
    """The full names of what may be called by this name: methods of numpy.random's classes, or else one of arrays."""
    return [f"numpy.random.{c.__name__}.{attribute}" for c in classes if hasattr(c, attribute)] or ["numpy.ndarray." + attribute]


def _name(node, value):
    """The full name of what belongs to NumPy or Python, by how it is written: two names of one function are told apart by the reader."""
    if isinstance(node, ast.Name):
        if vars(builtins).get(node.id) is value:
            return "builtins." + node.id
        module = getattr(value, "__module__", None) or ("numpy" if isinstance(value, np.ufunc) else None)
        return f"{module}.{value.__name__}" if module in ("numpy", "math", "copy", "dataclasses") else None
    names = [node.attr]
    while isinstance(node := node.value, ast.Attribute):
        names.append(node.attr)
    return ".".join([{"np": "numpy"}.get(node.id, node.id), *reversed(names)]) if isinstance(node, ast.Name) else None


@atexit.register
def write():
    for test, names in found.items():
        path = Path(FOLDER) / (test.replace(os.sep, "--") + ".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(f".{os.getpid()}")
        temporary.write_text(json.dumps({"test": test, "functions": names}, indent=1))
        os.replace(temporary, path)
