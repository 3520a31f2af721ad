"""Functions of numbers that are the same of whole arrays: their bodies are arithmetic and NumPy's own elementwise functions."""
import ast
import inspect
import textwrap

import numpy as np

OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift, ast.USub, ast.UAdd,
             ast.Invert)
COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
NUMBERS = (bool, int, float, complex, np.number, np.bool_)


def is_elementary(function):
    """Whether each element of `function` of arrays is what it gives for their elements. False where that is not plain from its text."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return False
    definition = tree.body[0]
    if len(tree.body) != 1 or not isinstance(definition, ast.FunctionDef):
        return False
    if function.__code__.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS) or function.__defaults__ or function.__kwdefaults__:
        return False
    names = inspect.getclosurevars(function)
    known = {**names.builtins, **names.globals, **names.nonlocals}
    bound = {argument.arg for argument in definition.args.args}
    body = definition.body
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str):
        body = body[1:]
    for statement in body:
        if isinstance(statement, ast.Return):
            return statement is body[-1] and statement.value is not None and _is_elementary(statement.value, bound, known)
        plain = isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name)
        if not plain or not _is_elementary(statement.value, bound, known):
            return False
        bound.add(statement.targets[0].id)
    return False


def _is_elementary(node, bound, known):
    def all_are(*nodes):
        return all(_is_elementary(one, bound, known) for one in nodes)

    if isinstance(node, ast.Constant):
        return isinstance(node.value, NUMBERS)
    if isinstance(node, ast.Name):
        return node.id in bound or isinstance(known.get(node.id), NUMBERS)
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, OPERATORS) and all_are(node.left, node.right)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, OPERATORS) and all_are(node.operand)
    if isinstance(node, ast.Compare):
        return len(node.ops) == 1 and isinstance(node.ops[0], COMPARISONS) and all_are(node.left, *node.comparators)
    if isinstance(node, ast.Call) and not node.keywords:
        callee = _value_of(node.func, bound, known)
        return isinstance(callee, np.ufunc) and callee.nout == 1 and callee.signature is None and len(node.args) == callee.nin and all_are(*node.args)
    return False


def _value_of(node, bound, known):
    """What a name, or an attribute of a module, stands for; None for anything else."""
    if isinstance(node, ast.Name):
        return None if node.id in bound else known.get(node.id)
    if isinstance(node, ast.Attribute):
        module = _value_of(node.value, bound, known)
        return getattr(module, node.attr, None) if inspect.ismodule(module) else None
    return None
