"""What functions assign to outside of themselves: globals, names of closures, attributes of classes and functions, and the lists, dicts and sets in them, and
in the defaults of their own parameters, that they change.

Compiled code holds the values that these have when it is compiled, unless a function changes them: then each call hands over what they are and puts back
what they become (structures.AssignedGlobals). A place is a pair: the globals of a module, the attributes of a function, a class, the cell of a closure's
name, or a function (the place is the default of a parameter), and the name.
"""
import abc
import ast
import collections
import dis
import functools
import sys
import textwrap
import threading
import types
import weakref

import numpy as np

from . import _npcc

CONTAINERS = (list, dict, set, collections.deque)
CHANGING = frozenset(name for of in CONTAINERS for name in vars(of) if not name.startswith("_")) - {
    "copy", "count", "index", "get", "items", "keys", "values", "difference", "intersection", "isdisjoint", "issubset", "issuperset",
    "symmetric_difference", "union", "maxlen", "fromkeys"}
CELL = "cell_contents"
ITS_CLASS = "its class"  # whose attribute `type(self).count` is


def places(function, source, cls, with_containers):
    """The places that a function assigns to. `source`: its text; `cls`: the class whose method it is, or None; `with_containers`: also those of containers
    that it changes."""
    # What the standard library's own functions keep is no matter of the program's: a dataclass's __repr__ has a set.
    root = function.__globals__.get("__name__", "").partition(".")[0]
    is_own = root == "__main__" or root not in sys.stdlib_module_names
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ())) if is_own else {}
    names = {**function.__globals__, **dict(_cells_of(function))}
    found = [(function.__globals__, name) for name, in_place in _globals_assigned_by(function.__code__)
             if not (in_place and is_array(function.__globals__.get(name)))]
    in_place = _free_names_only_updated_by(function.__code__)
    found += [(cells[name], CELL) for name in free_names_assigned_by(function.__code__)
              if name in cells and not (name in in_place and is_array(names.get(name)))]
    stores, changes, added_to = _changed_by(source)
    defaults = defaults_of(function)
    changed = {root for root, name in changes if name is None} | set(added_to)
    found += [(function, name) for name in defaults if name in changed and can_be_handed_over(defaults[name])]
    first = function.__code__.co_varnames[0] if cls and function.__code__.co_argcount else None
    stores, changes = ([one for one in of if one[0] == first or not _is_own_name(function.__code__, one[0])] for of in (stores, changes))
    for root, name in stores:
        if isinstance(names.get(root), types.FunctionType) and root != first:
            if not name.startswith("__"):  # which vars() of a function does not have
                found.append((vars(names[root]), name))
            continue
        owner = _class_of(root, first, names, cls, isinstance(cls and vars_of(cls, function.__name__), classmethod))
        if owner and not callable(vars(owner).get(name)) and not isinstance(vars(owner).get(name), property):
            found.append((owner, name))
    for root, name in changes if with_containers else ():
        if name is None and root in cells:
            if can_be_handed_over(names.get(root)):
                found.append((cells[root], CELL))
            continue
        if name is None:
            if root not in defaults and can_be_handed_over(function.__globals__.get(root)):
                found.append((function.__globals__, root))
            continue
        if isinstance(names.get(root), types.FunctionType) and root != first:
            if name in vars(names[root]) and can_be_handed_over(vars(names[root])[name]):
                found.append((vars(names[root]), name))
            continue
        owner = _class_of(root, first, names, cls, True)
        owner = next((base for base in owner.__mro__ if name in vars(base)), None) if owner else None
        if owner and can_be_handed_over(vars(owner)[name]):
            found.append((owner, name))
    return found


class _Changed(threading.local):
    """What this thread's compilations found to be changed, until a walk looks for the places that lead to it."""

    def __init__(self):
        self.objects = {}


_changed = _Changed()
_leading = weakref.WeakKeyDictionary()  # code or a class -> the names of it that lead to what is changed
LEAVES = (str, bytes, int, float, complex, type(None), types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.CodeType, type)
A_DEFAULT = " ="  # behind the name of a parameter


def note_changed(value):
    """Called by the compiler for a list, dict, set or object that a global leads to, and that the function changes: `rows = list(TABLE); rows[0].append(1)`."""
    _changed.objects[id(value)] = value


def any_changed():
    """Whether something was found to be changed since forget_changed()."""
    return bool(_changed.objects)


def forget_changed():
    """Called when a walk has looked at all that the function can name."""
    _changed.objects.clear()


def leads_to_changed(owner, name, value):
    """Whether what a name of some code, or of a class, stands for is changed, or anything that can be reached from it, by this walk or an earlier one."""
    if name in _leading.get(owner, ()):
        return True
    if _changed.objects and reaches(value, _changed.objects):
        _leading.setdefault(owner, set()).add(name)
        return True
    return False


def reaches(value, sought):
    """Whether a value is one of these objects (by their ids), or leads to one."""
    return any(id(one) in sought for one in _reached(value, set()))


def containers_in(values):
    """The lists, dicts, sets and objects that values lead to, by their ids."""
    seen = set()
    found = [one for value in values for one in _reached(value, seen)]
    return {id(one): one for one in found if isinstance(one, CONTAINERS) or hasattr(one, "__dict__") or _slots_of(type(one))}


def _reached(value, seen):
    """A value and all that it leads to, each once."""
    open_ = [value]
    while open_:
        value = open_.pop()
        if id(value) in seen or isinstance(value, LEAVES):
            continue
        seen.add(id(value))
        yield value
        if isinstance(value, dict):
            open_ += [*value, *value.values()]
        elif isinstance(value, (list, tuple, set, frozenset, collections.deque)):
            open_ += value
        elif isinstance(value, types.MethodType):
            open_.append(value.__self__)
        elif isinstance(value, functools.partial):
            open_ += [value.func, value.args, value.keywords]
        open_ += getattr(value, "__dict__", {}).values()
        open_ += [getattr(value, slot) for base in type(value).__mro__ for slot in _slots_of(base) if hasattr(value, slot)]


def _slots_of(cls):
    slots = vars(cls).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def names_of(owner):
    """What is at the places of an owner, by their names."""
    if isinstance(owner, types.CellType):
        return {CELL: owner.cell_contents} if hasattr(owner, CELL) else {}
    return vars(owner) if isinstance(owner, type) else defaults_of(owner) if isinstance(owner, types.FunctionType) else owner


def holds(place):
    owner, name = place
    return name in names_of(owner)


def inherits(place):
    """Whether it is an attribute that a class has from one of its bases, and that is a value."""
    owner, name = place
    if not isinstance(owner, type) or name in vars(owner):
        return False
    value = vars_of(owner, name)
    return value is not None and not callable(value) and not hasattr(value, "__get__")


def value_of(place):
    owner, name = place
    return names_of(owner)[name]


def holds_object(owner, name, value):
    """Whether a place has this very object."""
    return names_of(owner).get(name) is value


def defaults_of(function):
    """The defaults of a function's parameters, by their names."""
    positional = function.__code__.co_varnames[:function.__code__.co_argcount]
    values = function.__defaults__ or ()
    return {**dict(zip(positional[len(positional) - len(values):], values)), **(function.__kwdefaults__ or {})}


def store(place, value):
    """Of a default only what is in it changes."""
    owner, name = place
    if isinstance(owner, (type, types.CellType)):
        setattr(owner, name, value)
    else:
        owner[name] = value


def is_own_mapping(value):
    """Whether a dict is of a class that finds items in a way of its own, as a defaultdict does: compiled code leaves it to Python."""
    return type(value).__getitem__ is not dict.__getitem__ or hasattr(type(value), "__missing__")


def can_be_handed_over(value):
    return isinstance(value, CONTAINERS) and not (isinstance(value, dict) and is_own_mapping(value))


def vars_of(cls, name):
    """An attribute as a class or one of its bases has it, without binding it."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)


def _cells_of(function):
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            yield name, cell.cell_contents
        except ValueError:  # bound later
            continue


def _class_of(root, first, names, cls, is_first_class):
    """The class whose attributes a root's are, or None. `first`: the first parameter of a method of `cls`, whose class counts where `is_first_class`."""
    if root == ITS_CLASS:
        found = cls
    elif root == first:
        found = cls if is_first_class else None
    else:
        found = names.get(root)
    return found if type(found) in (type, abc.ABCMeta) and found.__module__ != "builtins" else None


def is_array(value):
    """Whether `name += x` changes the elements of what a name holds, and leaves the name alone: so it does for an array that compiled code knows."""
    try:
        return type(value) is np.ndarray and _npcc.types_of((value,))[0] is not None
    except TypeError:  # of objects, dates, records
        return False


@functools.lru_cache(maxsize=1024)
def _globals_assigned_by(code):
    """The names that the code, or a function inside it, declares `global` and assigns to, each with whether it only updates it: `name += x`."""
    return tuple(sorted(_stores_of(code, "STORE_GLOBAL").items()))


def _is_own_name(code, name):
    """Whether a name is a parameter or variable of the code, and is no global in it or in a function inside it either."""
    return name in (*code.co_varnames, *code.co_cellvars) and not _is_read_as_global(code, name)


def _is_read_as_global(code, name):
    # Names of attributes stand in co_names, too: then the instructions say which they are.
    if name in code.co_names and any(one.opname in ("LOAD_GLOBAL", "LOAD_NAME") and one.argval == name for one in dis.get_instructions(code)):
        return True
    return any(isinstance(inner, types.CodeType) and _is_read_as_global(inner, name) for inner in code.co_consts)


@functools.lru_cache(maxsize=1024)
def _free_names_only_updated_by(code):
    """Of the names that free_names_assigned_by() gives those that are only updated: `name += x`."""
    return frozenset(name for name, in_place in _stores_of(code, "STORE_DEREF", "DELETE_DEREF").items() if in_place)


def _stores_of(code, *operations):
    """The names that these instructions of the code and of the functions inside it store, with whether each of them stores what an operator like += gives."""
    found, before = {}, None
    for one in dis.get_instructions(code) if _has_any(code, operations) else ():
        if one.opname in operations:
            in_place = before is not None and (before.opname.startswith("INPLACE_") or before.opname == "BINARY_OP" and before.argrepr.endswith("="))
            found[one.argval] = found.get(one.argval, True) and in_place
        before = one
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            for name, in_place in _stores_of(inner, *operations).items():
                found[name] = found.get(name, True) and in_place
    return found


def _has_any(code, operations):
    """Whether any of these instructions is in the code itself. Most code has none, and dis makes an object of each instruction to tell."""
    return not {dis.opmap[operation] for operation in operations}.isdisjoint(code.co_code[::2])


@functools.lru_cache(maxsize=1024)
def free_names_assigned_by(code):
    """The names of scopes around the code that it, or a function inside it, declares `nonlocal` and assigns to."""
    stores = ("STORE_DEREF", "DELETE_DEREF")
    found = {one.argval for one in dis.get_instructions(code) if one.opname in stores} if _has_any(code, stores) else set()
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return tuple(sorted(found.union(*map(free_names_assigned_by, inner)) & set(code.co_freevars)))


@functools.lru_cache(maxsize=1024)
def _changed_by(source):
    """(the attributes that a function's source assigns to, the names and attributes of what it changes: `name[...] = x`, `del name[...]`,
    `name.append(x)`), pairs of a root and the attribute's name, or None; and the names that it adds to: `name += x`."""
    try:
        tree = ast.parse(textwrap.dedent(source))
    except SyntaxError:  # of a lambda, which ends where its line does not
        return (), (), ()
    stores, changes, added_to = {}, {}, {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            if root := _root(node.value):
                stores[root, node.attr] = True
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            added_to[node.target.id] = True
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            place = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            place = node.func.value
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):  # of a list: name.found += [x]
            place = node.target
        else:
            continue
        while isinstance(place, ast.Subscript):  # of a container in it
            place = place.value
        if isinstance(place, ast.Name):
            changes[place.id, None] = True
        elif isinstance(place, ast.Attribute) and (root := _root(place.value)):
            changes[root, place.attr] = True
    return tuple(stores), tuple(changes), tuple(added_to)


def _root(node):
    """The name of what an attribute is of; ITS_CLASS of type(self) and self.__class__; None of all else."""
    if isinstance(node, ast.Name):
        return node.id
    is_type = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type" and len(node.args) == 1
    return ITS_CLASS if is_type or isinstance(node, ast.Attribute) and node.attr == "__class__" else None


#---- Containers that the code only looks at ----

MOST_LEVELS = 3  # of containers in each other, of which results may be part


def place_of_constant(container, names):
    """(module, name, key, key, ...): by which name of a module, and which items, Python comes to a list, dict or array; None where it does not."""
    module = names.get("__name__")
    if getattr(sys.modules.get(module), "__dict__", None) is not names:
        return None
    for name, value in names.items():
        keys = _keys_to(container, value, MOST_LEVELS)
        if keys is not None:
            return module, name, *keys
    return None


def _keys_to(container, value, levels):
    if value is container:
        return ()
    if levels == 0 or type(value) not in (list, tuple, dict):
        return None
    for key, item in value.items() if type(value) is dict else enumerate(value):
        if type(key) in (int, str) and (item is container or type(item) in (list, tuple, dict)):
            keys = _keys_to(container, item, levels - 1)
            if keys is not None:
                return key, *keys
    return None


def constant_at(module, name, *keys):
    value = getattr(sys.modules[module], name)
    for key in keys:
        value = value[key]
    return value
