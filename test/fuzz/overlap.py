"""Do a program's stores depend on an order that NumPy leaves open?

`a[mask] = a[::-1]` and `a[i, ::-1] = a[:, c]` read elements that the same statement has stored before. Buffered stores (every value copied before it is
stored) tell: where they give something else, NumPy's own answer is no specification.

`a[b % 7] = c` may store to an element more than once. For advanced assignments NumPy guarantees no order, and takes the elements as the positions lie in
memory. Positions that are copied in C order tell.
"""
from __future__ import annotations

import ast

import numpy as np

from .program import ENTRIES


class _Buffer(ast.NodeTransformer):
    """`a[...] = value` becomes `a[...] = _copied(value)`, unless the value is a display of others."""

    def visit_Assign(self, node):
        if any(isinstance(target, ast.Subscript) for target in node.targets) and not isinstance(node.value, (ast.Tuple, ast.List)):
            node.value = ast.copy_location(ast.Call(ast.Name("_copied", ast.Load()), [node.value], []), node.value)
        return node


class _Order(ast.NodeTransformer):
    """`a[i, b]` that is stored to becomes `a[_ordered(i), _ordered(b)]`."""

    def visit_Subscript(self, node):
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Store):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            parts = [p if isinstance(p, (ast.Slice, ast.Constant)) else ast.Call(ast.Name("_ordered", ast.Load()), [p], []) for p in parts]
            node.slice = ast.Tuple(parts, ast.Load()) if isinstance(node.slice, ast.Tuple) else parts[0]
        return node


def _rewritten(source, transformer, name):
    tree = ast.parse(source)
    tree.body = [s if isinstance(s, ast.FunctionDef) and s.name in ENTRIES else transformer.visit(s) for s in tree.body]
    return compile(ast.fix_missing_locations(tree), name, "exec")


def buffered(source):
    """The program's module with every stored value copied; what copies is named `_copied`."""
    return _rewritten(source, _Buffer(), "<buffered>")


def in_order(source):
    """The program's module with all positions that it stores to in C order; what copies them is named `_ordered`."""
    return _rewritten(source, _Order(), "<in order>")


def ordered(value):
    return np.array(value, order="C") if type(value).__name__ == "ndarray" and value.ndim > 1 else value


def copied(value):
    return value.copy() if type(value).__name__ == "ndarray" else value
