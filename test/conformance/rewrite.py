"""Test modules are changed as they are imported: every call, operator, subscript and array attribute in them goes through the stand-in.

`np.sum(x[1:] + y, axis=0)` becomes

    __npcc_call__(np.sum, __npcc_operate__("+", __npcc_item__(x, slice(1, None, None)), y), axis=0)

What is called is known only when the test runs (`for f in (np.add, np.multiply): f(a, b)`, `from numpy import dot`, `x.sum()`), so all calls are
changed and the stand-in looks at what came.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

import numpy as np

BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}
COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
ATTRIBUTES = ("T", "mT", "real", "imag", "size", "ndim", "shape")
LOOK_AT_THE_CALLER = ("super", "locals", "globals", "vars", "dir", "eval", "exec")


class Rewriter(ast.NodeTransformer):
    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in LOOK_AT_THE_CALLER:
            return node
        return self.call(node, "call", [node.func, *node.args], node.keywords)

    def visit_BinOp(self, node):
        self.generic_visit(node)
        return self.call(node, "operate", [ast.Constant(BINARY[type(node.op)]), node.left, node.right])

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) or isinstance(node.operand, ast.Constant):
            return node
        return self.call(node, "operate_alone", [ast.Constant(UNARY[type(node.op)]), node.operand])

    def visit_Compare(self, node):
        self.generic_visit(node)
        if len(node.ops) > 1 or type(node.ops[0]) not in COMPARISONS:
            return node
        return self.call(node, "operate", [ast.Constant(COMPARISONS[type(node.ops[0])]), node.left, *node.comparators])

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or node.attr not in ATTRIBUTES:
            return node
        return self.call(node, "attribute", [node.value, ast.Constant(node.attr)])

    def visit_Subscript(self, node):
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        return self.call(node, "item", [node.value, self.index(node.slice)])

    def visit_Assign(self, node):
        self.generic_visit(node)
        if len(node.targets) > 1 or not isinstance(node.targets[0], ast.Subscript):
            return node
        target = node.targets[0]
        return self.statement(node, "set_item", [node.value, target.value, self.index(target.slice)])

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        operator = ast.Constant(BINARY[type(node.op)])
        if isinstance(node.target, ast.Name):
            value = self.call(node, "operate_in_place", [operator, ast.Name(node.target.id, ast.Load()), node.value])
            return ast.copy_location(ast.Assign([node.target], value), node)
        if isinstance(node.target, ast.Subscript):
            return self.statement(node, "update_item", [operator, node.target.value, self.index(node.target.slice), node.value])
        return node

    def visit_MatchValue(self, node):
        return node  # a pattern holds names, no expressions

    def visit_AnnAssign(self, node):
        return node

    def index(self, node):
        """The value of what stands in brackets."""
        if isinstance(node, ast.Slice):
            bounds = [part or ast.Constant(None) for part in (node.lower, node.upper, node.step)]
            return ast.copy_location(ast.Call(ast.Name("__npcc_slice__", ast.Load()), bounds, []), node)
        if isinstance(node, ast.Tuple):
            return ast.copy_location(ast.Tuple([self.index(item) for item in node.elts], ast.Load()), node)
        return node

    def call(self, node, name, arguments, keywords=()):
        return ast.copy_location(ast.Call(ast.Name(f"__npcc_{name}__", ast.Load()), arguments, list(keywords)), node)

    def statement(self, node, name, arguments):
        return ast.copy_location(ast.Expr(self.call(node, name, arguments)), node)


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module in which `names` stand for what the changed code calls."""

    def __init__(self, name, path, names):
        super().__init__(name, path)
        self.names = names

    def get_code(self, fullname):  # from the source, never from a file of byte code
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)

    def source_to_code(self, data, path, *, _optimize=-1):
        tree = ast.fix_missing_locations(Rewriter().visit(ast.parse(data)))
        return compile(tree, path, "exec", dont_inherit=True, optimize=_optimize)

    def exec_module(self, module):
        vars(module).update(self.names)
        super().exec_module(module)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the tests inside of NumPy."""

    def __init__(self, names):
        self.names = names

    def find_spec(self, fullname, path=None, target=None):
        if not fullname.rpartition(".")[2].startswith("test_"):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is None or not spec.origin or not spec.origin.startswith(os.path.dirname(np.__file__)):
            return None
        return importlib.util.spec_from_file_location(fullname, spec.origin, loader=Loader(fullname, spec.origin, self.names))


def install(names):
    """From here on NumPy's tests are imported with calls of `names`: of {"call": function, ...}, see standin.py."""
    sys.meta_path.insert(0, Finder({"__npcc_slice__": slice, **{f"__npcc_{name}__": value for name, value in names.items()}}))
