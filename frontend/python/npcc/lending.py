"""Which functions of installed packages may be handed what an array of compiled code holds, asked by the importer (LentArrays.h).

A function that draws an array or writes it to a file looks at it, and the program goes on with its own array. What the program stores into something that
such a function gave could be a store into the array, of which that may be a view.
"""
import ast
import sys
import types

import numpy as np

from .dependencies import is_installed

# NumPy's functions that compiled code leaves to Python, with its arrays.
_LOOKING = (np.save, np.savez, np.savez_compressed, np.savetxt, np.einsum_path)

# What is no function by its type, and is called as one: NumPy's functions that are written in C, those behind __array_function__, and ufuncs.
_CALLED = (types.FunctionType, types.BuiltinFunctionType, type(np.sum), np.ufunc)

# What these set is for code that follows: compiled code raises no errors for numbers, and has its own options of printing.
_SETTING = (np.seterr, np.seterrcall, np.printoptions, np.set_printoptions)


def looks_at_arrays(function):
    """Whether a function is one of NumPy's that Python runs, and that only looks at the arrays it is given."""
    return any(function is one for one in _LOOKING)


def makes_call(function):
    """Whether Python can make a call of NumPy's that is not compiled: one of a function on arrays. The numbers of numpy.random are drawn from a state
    that compiled code may hold, and numpy.ndarray's methods belong to arrays."""
    if not isinstance(function, _CALLED) or function in _SETTING:
        return function in (np.matrix, np.busdaycalendar)
    owner = getattr(function, "__self__", None)
    if isinstance(function, types.BuiltinFunctionType) and owner is not None and not isinstance(owner, types.ModuleType):
        return isinstance(owner, np.ufunc)
    module = getattr(function, "__module__", None) or ("numpy" if isinstance(function, np.ufunc) else "")
    return module.split(".")[0] == "numpy" and not module.startswith("numpy.random")


def is_of_package(value):
    """Whether a module, function, class or object is one of an installed package other than NumPy."""
    name = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    if not isinstance(name, str) or name.split(".")[0] in ("numpy", "npcc"):
        return False
    path = getattr(sys.modules.get(name), "__file__", None)
    return bool(path) and is_installed(path)


def sources_of(definition, name):
    """The expressions that a name of a function is bound to, or to items of which it is; None where it is bound otherwise, as a parameter is."""
    found, bound, known = [], set(), set()
    for node in ast.walk(definition):
        if isinstance(node, ast.arg) and node.arg == name:
            return None
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
            bound.add(id(node))
        pairs = []
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            pairs = [(node.target, node.value)]
        elif isinstance(node, (ast.For, ast.comprehension)):
            pairs = _items(node.target, node.iter)
        elif isinstance(node, ast.With):
            pairs = [(item.optional_vars, item.context_expr) for item in node.items if item.optional_vars]
        for target, value in pairs:
            places = {id(one) for one in _names_in(target) if one.id == name}
            known |= places
            found += [value] * bool(places)
    return found if found and bound == known else None


def _items(target, iterable):
    """Pairs of a target and what its values are taken from, where it is bound to the items of something."""
    if isinstance(iterable, (ast.Tuple, ast.List)):
        return [(target, item) for item in iterable.elts]
    if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name) and not iterable.keywords:
        function, given, targets = iterable.func.id, iterable.args, getattr(target, "elts", [])
        if function in ("reversed", "list", "tuple", "iter") and len(given) == 1:
            return _items(target, given[0])
        if function == "enumerate" and given and len(targets) == 2:
            return [(targets[0], iterable), *_items(targets[1], given[0])]
        if function == "zip" and len(targets) == len(given):
            return [pair for one, items in zip(targets, given) for pair in _items(one, items)]
    return [(target, iterable)]


def is_only_looked_at(definition, call):
    """Whether nothing is stored into what a call gives, nor into its items and attributes. By the name `out`, a function is given what it stores
    into, and gives that."""
    if any(keyword.arg == "out" for keyword in call.keywords):
        return False
    names = set()
    for node in ast.walk(definition):
        if not isinstance(node, ast.stmt) or not _is_within(node, call):
            continue
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        if isinstance(node, ast.With):
            targets = [item.optional_vars for item in node.items]
        targets = [target for target in targets if target is not None]
        if any(_is_within(target, call) for target in targets):
            return False
        names.update(one.id for target in targets for one in _names_in(target))
    for node in ast.walk(definition):
        is_store = isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load)
        if is_store and _root_of(node) in names or isinstance(node, ast.AugAssign) and _root_of(node.target) in names:
            return False
    return True


def _is_within(node, inner):
    return any(one is inner for one in ast.walk(node))


def _names_in(target):
    if isinstance(target, ast.Name):
        return [target]
    if isinstance(target, ast.Starred):
        return _names_in(target.value)
    if isinstance(target, (ast.Tuple, ast.List)):
        return [one for item in target.elts for one in _names_in(item)]
    return []


def _root_of(node):
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
