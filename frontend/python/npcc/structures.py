"""Arguments that are containers or objects: taken apart into the arrays and numbers in them, each a parameter of the compiled code.

A form says how they lie together, as nested tuples that can be compared and hashed:

    ("leaf",)                                 the next array, number or list of numbers
    ("strided",)                              the next array, which need not be contiguous: a field in the memory of an argument
    ("held",)                                 an object of Python's own, as a number (objects.py)
    ("text",)                                 a string, of which the code knows nothing
    ("texts",)                                a list of many strings: one string of them, with a separator between
    ("strings", forms)                        an array of strings: its extents, the width of its dtype, and all as one string
    ("known", Constant)                       None, a string, a function, ...: known when the function is compiled
    ("tuple" | "list", forms)
    ("named", class, forms)                   a named tuple
    ("range", forms)                          of its bounds and step
    ("dict", keys, forms)                     in the order of its items
    ("mapping", Constant, keys, forms)        a Counter, defaultdict or OrderedDict: its class's name, or the factory of a defaultdict
    ("deque", Constant, (form,))              its maxlen, and a list or tuple of its items, or rows
    ("set" | "frozenset", (form,))            of a list or tuple of its items, or of rows
    ("rows", class, forms)                    many tuples of numbers and strings, named ones where there is a class; the forms are the columns
    ("many", (form,))                         a list of such tuples, or of many strings
    ("grown", (form,))                        a list, of a list or tuple of its items or of rows, that the function may change in any way
    ("object", class, names, forms)           an instance with its attributes; of scipy's sparse matrices, of the library's class for them
    ("function", FunctionCode, names, forms)  one with a closure, whose names are these
    ("cell", (form,))                         of what such a name is bound to, which several functions may share; of a function its own form
    ("method", name, (form,))                 of an object
    ("records", dtype, form, forms)           an array of a structured dtype or a record, of its fields (records.py); ("field", ...) inside of others
    ("same", k)                               the k-th list, dict or object, met before
    ("opaque", words)                         an attribute that compiled code cannot use, and says so where it does

Lists, dicts, deques and objects are changed in place after the call, as the function changed them.
"""
import collections
import contextlib
import enum
import functools
import sys
import threading
import types
import typing

import numpy as np

from . import _npcc, assigned, objects, records
from .constants import Constant, FunctionCode

MOST_ITEMS = 256  # of a list or tuple that is taken apart; the code knows each of them
MOST_DEPTH = 16
MOST_KNOWN_TUPLES = 16  # of numbers and strings, in a list or set, and strings: more are columns of any length
SEPARATOR = "\x1f"  # between strings that are one
LEAVES = ("leaf", "strided", "held", "text", "texts")
NUMBERS = (bool, int, float, complex)
MAPPINGS = (collections.Counter, collections.defaultdict, collections.OrderedDict)
_calls = threading.local()  # `taken`: the arguments of the call that runs
SPARSE_MODULES = ("scipy.sparse", "cupyx.scipy.sparse")
SPARSE = ("data", "indices", "indptr", "shape", "nnz")


class Taken:
    """Arguments taken apart: `form` (one for each), `leaves` in their order, `containers` that may be changed."""

    def __init__(self, names, arguments, grows=False, takes_records=True, held=(), named=False, texts=False):
        """`grows`: lists are objects in the compiled code, which can be changed anywhere, but are slower. Without `takes_records`, records and
        arrays of strings are a TypeError. `held`: the names of those that stay Python's own objects. `named`: the names of the leaves are asked for.
        `texts`: strings are leaves, too."""
        self._held = []
        self._names = []  # of the leaves
        self.assigned = ()  # the AssignedGlobals among the arguments
        self._described = names, arguments, grows, takes_records, texts
        self.lent = records.Lent()
        quick = None if held or named else _npcc.take_apart(arguments, grows, texts)
        if quick is not None:
            self.form, self.leaves, self.containers = quick
            return
        self._grows, self._takes_records, self._texts = grows, takes_records, texts
        self._numbers = {}  # id of a container -> its number
        self._fixed = set()  # ids of cells that are taken for the functions in them
        self.leaves, self.containers = [], []
        self.form = tuple(self._hold(value, name) if name in held else self._form(value, name, 0) for name, value in zip(names, arguments))

    def __enter__(self):
        self._before = getattr(_calls, "taken", None)
        _calls.taken = self
        return self

    def __exit__(self, *_):
        _calls.taken = self._before

    def _hold(self, value, name):
        self._held.append(objects.hold(value))
        return self._leaf(self._held[-1], name, "held")

    def release(self):
        """Once the call has ended."""
        while self._held:
            objects.release(self._held.pop())

    def _leaf(self, value, name, kind="leaf"):
        self.leaves.append(value)
        self._names.append(name)
        return (kind,)

    def _container(self, value):
        self._numbers[id(value)] = len(self.containers)
        self.containers.append(value)

    def _items(self, values, name, depth):
        if len(values) > MOST_ITEMS or depth > MOST_DEPTH:
            raise TypeError(f"npcc takes containers of at most {MOST_ITEMS} items apart, and {MOST_DEPTH} levels: {name} has more")
        return tuple(self._form(value, f"{name}[{k}]", depth + 1) for k, value in enumerate(values))

    def _rows_or_items(self, values, name, depth):
        if is_list_of_strings(values):
            return self._strings(values, name)
        columns = columns_of(values)
        if columns is None:
            return ("tuple", self._items(values, name, depth))
        names = [f"{name}[:][{k}]" for k in range(len(columns))]
        cls = type(values[0]) if type(values[0]) is not tuple else None
        return ("rows", cls, tuple(self._strings(column, path) if type(column[0]) is str else self._leaf(column, path) for column, path in zip(columns, names)))

    def _all(self, values, name, depth):
        return self._leaf(values, name) if values and is_list_of_numbers(values) else self._rows_or_items(values, name, depth)

    def _strings(self, values, name):
        return self._leaf(SEPARATOR.join(values), name, "texts")

    def _form(self, value, name, depth):
        if id(value) in self._numbers:
            return ("same", self._numbers[id(value)])
        kind = type(value)
        if kind in NUMBERS:
            return self._leaf(value, name)
        if kind is str and self._texts:
            return self._leaf(value, name, "text")
        if self._takes_records and records.is_structured(value):
            fields, are_copies = self.lent.fields(value)
            form = self._records(value.dtype, records.form_of(value), iter(fields), name, "leaf" if are_copies else "strided")
            self._container(value)
            return form
        if kind is list and self._grows:
            self._container(value)
            is_of_lists = value and type(value[0]) is list and len(value) <= MOST_ITEMS  # which other lists may have, too
            is_leaf = value and not is_of_lists and is_list_of_numbers(value)
            return ("grown", (self._leaf(value, name) if is_leaf else self._rows_or_items(value, name, depth),))
        if kind is list:
            if is_list_of_numbers(value):
                return self._leaf(value, name)
            self._container(value)
            inner = self._rows_or_items(value, name, depth)
            return ("list", inner[1]) if inner[0] == "tuple" else ("many", (inner,))
        if kind is range:
            return ("range", tuple(self._leaf(bound, name) for bound in (value.start, value.stop, value.step)))
        if kind is tuple:
            return ("tuple", self._items(value, name, depth))
        if is_named_tuple(value):
            return ("named", kind, self._items(tuple(value), name, depth))
        if kind is dict:
            self._container(value)
            keys = tuple(value)
            return ("dict", tuple(map(Constant, keys)), self._items(list(value.values()), name, depth))
        if kind is set or kind is frozenset:
            self._container(value)
            return ("set" if kind is set else "frozenset", (self._all(list(value), name, depth),))
        if kind in MAPPINGS and is_known_factory(getattr(value, "default_factory", None)):
            self._container(value)
            made_by = Constant(value.default_factory) if kind is collections.defaultdict else Constant(kind.__name__)
            return ("mapping", made_by, tuple(map(Constant, value)), self._items(list(value.values()), name, depth))
        if kind is collections.deque:
            self._container(value)
            return ("deque", Constant(value.maxlen), (self._all(list(value), name, depth),))
        if kind is types.FunctionType and has_closure(value):
            return self._function(value, name, depth)
        if kind is types.MethodType and is_own_method(value):
            return ("method", value.__name__, (self._form(value.__self__, name, depth + 1),))
        if kind is functools.partial:
            from .library.partials import Partial
            self._container(value)
            parts = dict(func=value.func, args=value.args, keywords=value.keywords)
            return ("object", Partial, tuple(parts), tuple(self._form(part, f"{name}.{key}", depth + 1) for key, part in parts.items()))
        if self._takes_records and kind is np.ndarray and value.dtype.kind == "U" and value.dtype.isnative:
            items = value.ravel().tolist()
            if not any(SEPARATOR in item for item in items):
                self._container(value)
                numbers = tuple(self._leaf(extent, name) for extent in (*value.shape, value.itemsize // 4))
                return ("strings", (*numbers, self._leaf(SEPARATOR.join(items), name, "texts")))
        try:
            known, = _npcc.types_of((value,))
            return self._leaf(value, name) if known is not None else ("known", Constant(value))
        except TypeError:
            if isinstance(value, enum.Enum):  # there is one object for each member, which `is` asks for
                return ("known", Constant(value))
            own, attributes = class_of_library(value)
            if not own and not is_plain_object(value):
                raise
        self._container(value)
        attributes = attributes if own else attributes_of(value)
        return ("object", own or kind, tuple(attributes),
                tuple(self._attribute(item, f"{name}.{attribute}", depth) for attribute, item in attributes.items()))

    def _function(self, function, name, depth):
        self._container(function)
        names, cells = function.__code__.co_freevars, function.__closure__
        bound = {key: cell for key, cell in zip(names, cells) if is_bound(cell)}
        changed = assigned.free_names_assigned_by(function.__code__)
        forms = tuple(self._cell(cell, f"{name}.{key}", key in changed, depth) for key, cell in bound.items())
        return ("function", FunctionCode(function), tuple(bound), forms)

    def _cell(self, cell, name, is_changed, depth):
        if id(cell) in self._numbers:
            return ("same", self._numbers[id(cell)])
        value = cell.cell_contents
        if type(value) is types.FunctionType and not is_changed:
            self._fixed.add(id(cell))
            return self._form(value, name, depth + 1)
        if id(cell) in self._fixed:
            raise TypeError(f"npcc: {name} is a function, which another function assigns to")
        self._container(cell)
        return ("cell", (self._attribute(value, name, depth),))

    def _records(self, dtype, form, fields, name, leaf, kind="records"):
        forms = []
        for field in dtype.names:
            inner, path = dtype.fields[field][0].base, f"{name}[{field!r}]"
            if inner.names is not None:
                forms.append(self._records(inner, records.ARRAY if form != records.RECORD else form, fields, path, leaf, "field"))
            else:
                array = next(fields)
                forms.append(("opaque", f"{path} is of dtype {inner}") if array is None else self._leaf(array, path, leaf))
        if all(form[0] == "opaque" for form in forms):
            raise TypeError(f"npcc takes no fields of these dtypes: {name} is of {dtype}")
        return (kind, records.text_of(dtype), form, tuple(forms))

    def _attribute(self, value, name, depth):
        leaves, containers, numbers = len(self.leaves), len(self.containers), dict(self._numbers)
        try:
            if depth == MOST_DEPTH:
                raise TypeError
            return self._form(value, name, depth + 1)
        except (TypeError, OverflowError):
            del self.leaves[leaves:], self._names[leaves:], self.containers[containers:]
            self._numbers = numbers
            return ("opaque", f"{name} is a {type(value).__qualname__}")

    def add_globals(self, arrays):
        """Arrays that the function names, and no argument is: each is one more leaf."""
        self.leaves += arrays

    def names(self):
        """What to call each leaf in messages."""
        *described, texts = self._described
        known = self._names or Taken(*described, named=True, texts=texts)._names
        return known + [f"global {k}" for k in range(len(self.leaves) - len(known))]

    def put_back(self, changes):
        """What the function changed: (number of a container, key, value), or (number, all its items) of a list or set; of a dict whose
        keys the function computes (number, (all keys, all values))."""
        renewed = []
        for number, *key, value in changes:
            container = self.containers[int(number)]
            if isinstance(container, dict) and not key:
                renewed.append((container, value))
            elif isinstance(value, Absent):
                remove(container, key[0])
            elif isinstance(container, dict):
                container[key[0]] = value
            elif isinstance(container, list):
                container[:] = value
            elif isinstance(container, set):
                container.clear()
                container.update(value)
            elif isinstance(container, collections.deque):
                container.clear()
                container.extend(value)
            elif isinstance(container, types.CellType):
                container.cell_contents = value
            elif is_masked_array(container):
                from .library import masked_arrays
                masked_arrays.put_back(container, key[0], value)
            elif not isinstance(container, frozenset):
                object.__setattr__(container, key[0], value)
        # After what is in them: a list that was changed in place stays the object that it is.
        for container, (keys, values) in renewed:
            values = [container[k] if k in container and is_as_before(container[k], v) else v for k, v in zip(keys, values)]
            container.clear()
            for key, value in zip(keys, values):
                container[key] = value


class LeavingError(typing.NamedTuple):
    """What the compiled function gives where it raises after it has changed what it was given (frontend/importer/LeavingErrors.h)."""
    error: str  # empty: the message is an exception that Python has raised
    message: str | BaseException
    file: str
    line: int


class Absent:
    """Of an attribute or item that is not there after the call, among the changes or in an object that the call has made."""


def without_absent(made, *keys):
    """A new object or dict without those of the keys that the call has left unbound."""
    for key in keys:
        if isinstance(made[key] if isinstance(made, dict) else object.__getattribute__(made, key), Absent):
            remove(made, key)
    return made


def remove(container, key):
    if isinstance(container, dict):
        container.pop(key, None)
    else:
        with contextlib.suppress(AttributeError):  # hasattr() would compute a cached property
            object.__delattr__(container, key)


class AssignedGlobals:
    """What a function assigns to outside of itself (assigned.py), for one call, which has it as the attributes of one more argument."""

    def __init__(self, places):
        for k, place in enumerate(places):
            if assigned.holds(place):
                self.__dict__[f"{place[1]}_{k}"] = assigned.value_of(place)
            elif assigned.inherits(place):  # `type(self).made += 1` reads a base's attribute until the class has its own
                self.__dict__[f"{place[1]}_{k}"] = assigned.vars_of(*place)
                self.__dict__[f"{place[1]}_{k}_is_inherited"] = True

    def store(self, places):
        for k, place in enumerate(places):
            value = self.__dict__.get(f"{place[1]}_{k}", self)
            if self.__dict__.get(f"{place[1]}_{k}_is_inherited"):
                continue
            if value is not self and not (assigned.holds(place) and assigned.value_of(place) is value):
                assigned.store(place, value)


def argument(number):
    """The container that is number `number` of those that the running call was given."""
    return _calls.taken.containers[number]


def is_as_before(old, new):
    """Whether an item of a dict need not be replaced."""
    if isinstance(old, np.ndarray) or isinstance(new, np.ndarray):
        return type(old) is type(new) and old.__array_interface__ == new.__array_interface__
    return old is new or type(old) is type(new) and old == new


def is_list_of_numbers(value):
    """Whether a list is one parameter: of numbers of one type, or of such lists of one length."""
    try:
        return _npcc.is_uniform(value) or _npcc.types_of((value,))[0] is not None
    except (TypeError, OverflowError):
        return False


def overflows(value):
    """Whether it is an int of more than 64 bits, or a list with one."""
    try:
        _npcc.types_of((value,))
    except OverflowError:
        return True
    except TypeError:
        return False
    return False


def is_list_of_strings(values):
    """Whether they are many strings that can be put together and taken apart again."""
    return len(values) > MOST_KNOWN_TUPLES and all(type(value) is str and SEPARATOR not in value for value in values)


def columns_of(values):
    """The columns of many tuples of numbers and strings that are alike, as lists; None where they are not."""
    if len(values) <= MOST_KNOWN_TUPLES or not (type(values[0]) is tuple or is_named_tuple(values[0])):
        return None
    kind, width = type(values[0]), len(values[0])
    columns = _npcc.columns_of(list(values), kind, width) if 0 < width <= MOST_KNOWN_TUPLES else None
    if columns is None:
        return None
    are_columns = (is_list_of_strings(column) or type(column[0]) in NUMBERS and is_list_of_numbers(column) for column in columns)
    return columns if all(are_columns) else None


def is_known_factory(factory):
    """Whether code can know what makes the items that a defaultdict lacks."""
    return factory is None or isinstance(factory, type) or type(factory) is types.FunctionType and not factory.__closure__


def has_closure(function):
    """Whether what a function's names are bound to is handed over: one that holds attributes, as decorators make them, is known as it is."""
    return bool(function.__closure__) and not vars(function)


def is_bound(cell):
    """Whether the name has a value yet."""
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True


def is_own_method(method):
    """Whether a method is what its object's class has by this name, and the object is one of the program's."""
    function = next((vars(base)[method.__name__] for base in type(method.__self__).__mro__ if method.__name__ in vars(base)), None)
    is_functions = type(getattr(function, "py_func", function)) is types.FunctionType  # of a class that npcc.jit has compiled, too
    return function is method.__func__ and is_functions and is_plain_object(method.__self__)


def is_named_tuple(value):
    return isinstance(value, tuple) and hasattr(value, "_fields")


def is_plain_object(value):
    """Whether an object is what its attributes are: no class of it is written in C, but `object`."""
    if type(value) is object or isinstance(value, (type, BaseException, enum.Enum)) or callable(getattr(value, "__array__", None)):
        return False
    return is_plain_class(type(value))


def slots_of_plain_class(cls):
    """The names of its slots, if an object of the class is what its attributes are and belongs to no library that npcc knows; else None."""
    if cls is object or issubclass(cls, (type, BaseException, enum.Enum)) or callable(getattr(cls, "__array__", None)):
        return None
    if cls.__module__.startswith(SPARSE_MODULES) or not is_plain_class(cls):
        return None
    return tuple(name for c in cls.__mro__ for name in _slots_of(c))


def is_plain_class(cls):
    return all(c.__module__ != "builtins" and (c.__dictoffset__ or "__slots__" in vars(c)) for c in cls.__mro__ if c is not object)


def sparse_class(value):
    """The library's class for a sparse matrix; None for any other object."""
    if not type(value).__module__.startswith(SPARSE_MODULES):
        return None
    from .library.sparse import class_of
    return class_of(value)


def class_of_library(value):
    """The library's class for a sparse matrix or an array of numpy.ma, and the attributes that it has of it; None for any other object."""
    if own := sparse_class(value):
        return own, {key: getattr(value, key) for key in SPARSE}
    if is_masked_array(value):
        from .library import masked_arrays
        return masked_arrays.Masked, masked_arrays.parts_of(value)
    return None, None


def is_masked_array(value):
    """Whether compiled code takes an object for an array of numpy.ma."""
    masked = sys.modules.get("numpy.ma")
    return masked is not None and type(value) is masked.MaskedArray and not value.dtype.names and not value.hardmask


def is_of_package(cls):
    """Whether what operators do with objects of a class is an installed package's: of a class of its own, or of the library's for sparse matrices."""
    from .dependencies import is_installed
    path = getattr(sys.modules.get(cls.__module__), "__file__", None) or ""
    return cls.__module__ == "npcc.library.sparse" or is_installed(path) and cls.__module__.partition(".")[0] not in ("numpy", "npcc")


def attributes_of(value):
    slots = (name for c in type(value).__mro__ for name in _slots_of(c) if hasattr(value, name))
    return {name: getattr(value, name) for name in slots} | dict(getattr(value, "__dict__", {}))


def _slots_of(cls):
    slots = vars(cls).get("__slots__", ())
    return () if isinstance(slots, str) else [s for s in slots if s not in ("__dict__", "__weakref__")]


def holds_lists(values, depth=0):
    """Whether one of them is a list, or holds one. What a closure leads to may lead back to it."""
    def inner(value):
        if type(value) is types.FunctionType and has_closure(value):
            return [cell.cell_contents for cell in value.__closure__ if is_bound(cell)]
        return value if type(value) is tuple else value.values() if type(value) is dict else ()

    return depth < MOST_DEPTH and any(type(v) is list or holds_lists(inner(v), depth + 1) for v in values)


def needs_taking_apart(value):
    """Whether an argument that a call could pass as a constant is better taken apart: a tuple of floats has ever new values, and so has a closure."""
    if type(value) is types.FunctionType:
        return has_closure(value)
    if type(value) is types.MethodType:
        return is_own_method(value)
    return is_named_tuple(value) or type(value) is tuple and any(type(v) in (float, complex) or needs_taking_apart(v) for v in value)


def untaken(names, arguments):
    """The names of those that cannot be taken apart; none where one is an array, or something else that only NumPy computes with."""
    found = set()
    for name, value in zip(names, arguments):
        try:
            Taken((name,), (value,))
        except (TypeError, OverflowError):
            if isinstance(value, (np.ndarray, np.generic, int, float, complex)):
                return set()
            found.add(name)
    return found


def leaves_of(form):
    """The word for each of the leaves of a form, in their order."""
    if form[0] in LEAVES:
        yield form[0]
    elif form[0] not in ("known", "same", "opaque"):
        for inner in form[-1]:
            yield from leaves_of(inner)


def classes_of(form):
    """The classes that a form names."""
    if form[0] in ("named", "object", "rows") and form[1] is not None:
        yield form[1]
    if form[0] not in ("known", "same", "opaque", *LEAVES):
        for inner in form[-1]:
            yield from classes_of(inner)


def without_strings(form):
    """A form with "text" in the places of known strings: equal for forms that differ by what strings these are."""
    if form[0] == "known" and type(form[1].value) is str:
        return ("text",)
    if form[0] in ("known", "same", "opaque", *LEAVES):
        return form
    return (*form[:-1], tuple(map(without_strings, form[-1])))
