"""Compilers with one defect each, to prove that every kind is caught. The environment variable DEFECT names it.

The first family spoils what a right run gives; the second, `mutations`, compiles the program wrongly, as a real defect
would: only programs that use the construct show it, so it also proves that such programs are drawn.
"""
import ast
import copy
import functools
import inspect
import os
import signal
import sys
import time

import numpy as np


class CompileError(SyntaxError):
    pass


def _first_array(value, change):
    """The result with `change` applied to its first array or number."""
    if isinstance(value, (tuple, list)) and value:
        for i, item in enumerate(value):
            changed = _first_array(item, change)
            if changed is not item:
                return type(value)([*value[:i], changed, *value[i + 1:]])
        return value
    if isinstance(value, (np.ndarray, np.generic, int, float, complex)) and np.size(value):
        return change(value)
    return value


def _more(value):
    if isinstance(value, np.ndarray):
        spoiled = value.copy()
        spoiled.flat[-1] = not spoiled.flat[-1] if value.dtype == bool else spoiled.flat[-1] + 1
        return spoiled
    return type(value)(not value) if isinstance(value, (bool, np.bool_)) else type(value)(value + 1)


def _other_dtype(value):
    dtype = np.asarray(value).dtype
    return value.astype(np.complex64 if dtype != np.complex64 else np.complex128) if hasattr(value, "astype") else np.asarray(value)


def _other_shape(value):
    return np.asarray(value)[None]


def _copies(value):
    if isinstance(value, (tuple, list)):
        return type(value)(map(_copies, value))
    return value.copy() if isinstance(value, np.ndarray) else value


def _spoil(defect, function, arguments):
    if defect == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if defect == "hang":
        time.sleep(3600)
    if defect == "exit":
        os._exit(0)
    if defect == "refuse":
        raise CompileError("this compiler supports nothing", (function.__code__.co_filename, 1, 1, ""))
    if defect == "internal":
        raise CompileError("internal: an operation is left", (function.__code__.co_filename, 1, 1, ""))
    if defect == "inplace":
        return function(*map(_copies, arguments))
    if defect == "order":  # nondeterminism: the second call differs
        function.calls = getattr(function, "calls", 0) + 1
        return _first_array(function(*arguments), _more) if function.calls > 1 else function(*arguments)
    if defect == "first extents":  # a later call gets code that knows the extents of the first one
        function.shapes = getattr(function, "shapes", [*map(np.shape, arguments)])
        return function(*arguments) if function.shapes == [*map(np.shape, arguments)] else _first_array(function(*arguments), _more)
    before = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    try:
        value = function(*arguments)
    except Exception as error:
        if defect == "lost stores":  # what was stored before the error is not there
            for a, old in zip(arguments, before, strict=True):
                if isinstance(a, np.ndarray) and a.flags.writeable:
                    a[...] = old
        if defect == "swallow":
            return None
        if defect == "error":
            raise RuntimeError(str(error)) from None
        if defect == "message":
            raise type(error)("something went wrong") from None
        raise
    changes = {"value": _more, "dtype": _other_dtype, "shape": _other_shape}
    if defect in changes:
        return _first_array(value, changes[defect])
    if defect == "raise":
        raise ValueError("no reason")
    return _copies(value) if defect == "alias" else value


class _Mutation(ast.NodeTransformer):
    def __init__(self, defect):
        self.defect = defect

    def visit_AugAssign(self, node):  # a += b taken for a = a + b
        self.generic_visit(node)
        if self.defect == "rebinding" and isinstance(node.target, ast.Name):
            value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
            return ast.Assign([node.target], value)
        if self.defect == "truncated division" and isinstance(node.op, ast.FloorDiv):
            stored = copy.deepcopy(node.target)
            read = copy.deepcopy(node.target)
            read.ctx = ast.Load()
            quotient = ast.Call(ast.Name("_truncated", ast.Load()), [read, node.value], [])
            if isinstance(stored, ast.Name):
                stored = ast.Subscript(ast.Name(stored.id, ast.Load()), ast.Constant(...), ast.Store())
            return ast.Assign([stored], quotient)
        return node

    def visit_Assign(self, node):  # v = a[1:] taken for a copy
        self.generic_visit(node)
        if self.defect == "copied views" and isinstance(node.value, ast.Subscript) and isinstance(node.targets[0], ast.Name):
            node.value = ast.Call(ast.Attribute(ast.Name("np", ast.Load()), "copy", ast.Load()), [node.value], [])
        target = node.targets[0]
        if self.defect == "swaps in order" and isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            return [ast.Assign([name], value) for name, value in zip(target.elts, node.value.elts)]
        return node

    def visit_For(self, node):  # iterations taken not to need each other
        self.generic_visit(node)
        if self.defect == "loops in reverse" and isinstance(node.iter, ast.Call) and getattr(node.iter.func, "id", "") == "range":
            node.iter = ast.Call(ast.Name("reversed", ast.Load()), [node.iter], [])
        return node

    def visit_Slice(self, node):
        self.generic_visit(node)
        step = node.step
        if self.defect == "positive steps" and isinstance(step, ast.UnaryOp):
            node.step = step.operand
        return node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if self.defect == "truncated division" and isinstance(node.op, ast.FloorDiv):
            return ast.Call(ast.Name("_truncated", ast.Load()), [node.left, node.right], [])
        if self.defect == "wide literals" and isinstance(node.right, ast.Constant) and isinstance(node.right.value, float):
            node.right = ast.Call(ast.Attribute(ast.Name("np", ast.Load()), "float64", ast.Load()), [node.right], [])
        return node

    def visit_keyword(self, node):
        self.generic_visit(node)
        return ast.keyword(node.arg, ast.Constant(False)) if self.defect == "keepdims" and node.arg == "keepdims" else node


def _truncated(a, b):
    exact = a // b
    if np.asarray(exact).dtype.kind not in "iu":
        return exact
    result = np.trunc(np.asarray(a) / np.where(np.asarray(b) == 0, 1, b)) * (np.asarray(b) != 0)
    return result.astype(exact.dtype)[()] if hasattr(exact, "dtype") else int(result)


MUTATIONS = ("rebinding", "copied views", "positive steps", "truncated division", "wide literals", "keepdims", "swaps in order", "loops in reverse")
SPOILS = ("value", "dtype", "shape", "inplace", "alias", "swallow", "error", "message", "raise", "crash", "exit", "hang", "internal", "order",
          "lost stores", "first extents")


def can_show(defect, source):
    """Whether a program is another one where it is compiled with the defect."""
    return defect not in MUTATIONS or ast.dump(_Mutation(defect).visit(ast.parse(source))) != ast.dump(ast.parse(source))


def jit(function=None, **options):
    if function is None:
        return jit
    defect = os.environ["DEFECT"]
    if defect in MUTATIONS:
        module = sys.modules[function.__module__]
        tree = _Mutation(defect).visit(ast.parse(inspect.getsource(function)))
        names = dict(vars(module), _truncated=_truncated)
        exec(compile(ast.fix_missing_locations(tree), function.__code__.co_filename, "exec"), names)
        return names[function.__name__]
    if function.__name__ != "program" and defect not in ("swallow", "error"):
        return function

    @functools.wraps(function)
    def run(*arguments, **keywords):
        return _spoil(defect, functools.partial(function, **keywords), arguments) if keywords else _spoil(defect, function, arguments)
    return run
