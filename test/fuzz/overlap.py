"""Does a program store a view of an array into the same array where NumPy does not buffer?

`a[mask] = a[::-1]` and `a[i, ::-1] = a[:, c]` read elements that the same statement has stored before, in an order that NumPy leaves open. Buffered
stores (every value copied before it is stored) tell: where they give something else, NumPy's own answer is no specification.
"""
from __future__ import annotations

import ast


class _Buffer(ast.NodeTransformer):
    """`a[...] = value` becomes `a[...] = _copied(value)`, unless the value is a display of others."""

    def visit_Assign(self, node):
        if any(isinstance(target, ast.Subscript) for target in node.targets) and not isinstance(node.value, (ast.Tuple, ast.List)):
            node.value = ast.copy_location(ast.Call(ast.Name("_copied", ast.Load()), [node.value], []), node.value)
        return node


def buffered(source):
    """The program's module with every stored value copied; what copies is named `_copied`."""
    tree = ast.parse(source)
    tree.body = [s if isinstance(s, ast.FunctionDef) and s.name == "arguments" else _Buffer().visit(s) for s in tree.body]
    return compile(ast.fix_missing_locations(tree), "<buffered>", "exec")


def copied(value):
    return value.copy() if type(value).__name__ == "ndarray" else value
