"""What compiled code depends on in Python: the source of a function, and the globals, closure cells, helpers and attributes that it can reach.

Compiled code holds the values that these had when it was compiled. Two questions follow, and both are answered here: which code on disk is for the
same values (the digest), and whether a value has been bound anew since (the watches, which every call checks in C).
"""
import builtins
import dis
import functools
import hashlib
import inspect
import linecache
import os
import random
import sys
import types
import weakref

import numpy as np

from . import _npcc, assigned, typed_sources
from .assigned import is_own_mapping
from .constants import FunctionCode

# How a watch compares: see npcc_watch in frontend/module/watch.h.
ITEM, ATTRIBUTE, ITEMS, BYTES, LENGTH, ABSENT, ENTRY, VALUE = range(8)
GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
METHODS_OF_C = (types.MethodWrapperType, types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType, types.GetSetDescriptorType,
                types.MemberDescriptorType)
stored_into = weakref.WeakValueDictionary()  # small arrays by their ids into which compiled code was found to store: calls hand them over
noted = [0]  # how often one was found
MOST_CONSTANT = 256  # elements of a global array that is part of the code; a larger one is handed over with each call
CONSTANTS = (int, float, complex, str, bytes, type(None), type(Ellipsis), np.dtype, slice)


def hand_over(array):
    """Called by the compiler for a small array of a global into which a function stores: it is no constant from now on."""
    if stored_into.get(id(array)) is not array:
        stored_into[id(array)] = array
        noted[0] += 1


def is_handed_over(array):
    """Whether code is compiled for any elements of a global array, which calls hand over, and not for those that it has now."""
    if type(array) is not np.ndarray or (array.size <= MOST_CONSTANT and stored_into.get(id(array)) is not array):
        return False
    try:
        return _npcc.types_of((array,))[0] is not None
    except TypeError:  # of objects, dates, records
        return False


class Dependencies:
    """Walks from a function (or a constant) over all that it can name.

    What a name may stand for is over-estimated: any name of the code is looked up in the globals, and as an attribute of modules and objects among
    them. `are_known` is False if there is something whose value cannot be written down, such as an object of the user's class.
    `is_handed_over` says of an array whether calls hand it over: then its elements are no part of the code, and `arrays` has it.
    `assigned` has the places outside of functions that these assign to, and those of containers that they change (assigned.py), which calls hand over, too: a
    walk that is told of them leaves their values alone.
    """

    def __init__(self, value, is_handed_over=None, assigned=(), changes_containers=False, shared=None, names=()):
        """`shared`: the containers and objects that the places of `assigned` lead to, by their ids. Other places that lead to one of them belong to these.
        `names`: those of the code that is given the value. What is in an object or a class is read by whatever function has it: `names` gets those of all
        functions, and the walk begins again while there are more of them."""
        self.names = frozenset(names)
        while True:
            self._begin(is_handed_over, assigned, changes_containers, shared)
            self._describe(value, ())
            is_complete = not self._holds_attributes or self._read <= self.names
            self.names |= self._read
            if is_complete:
                return

    def _begin(self, is_handed_over, assigned, changes_containers, shared):
        self.parts, self.watches, self.are_known = [], [], True
        self._read, self._holds_attributes = set(), False  # the names of all code; whether there are objects or classes, whose attributes these may be
        self.assigned, self._changes_containers, self._shared = list(assigned), changes_containers, shared
        self.arrays, self._is_handed_over = [], is_handed_over
        # Those of random numbers: compiled code names them by their places here. numpy.random's own is the first.
        self.generators = [np.random.mtrand._rand]
        self._seen, self._alive, self._made_by_getattr = {}, [], set()

    def digest(self):
        return hashlib.sha256("\n".join(self.parts).encode()).hexdigest()

    def _watch(self, kind, container, key, expected):
        self.watches.append((kind, container, key, expected))

    def _describe(self, value, names, cls=None):
        """`names`: those of the code that reads the value, which may be its attributes. `cls`: the class whose method it is."""
        key = (id(value), names, cls)
        if key in self._seen:
            self.parts.append(f"<{self._seen[key]}>")
            return
        self._seen[key] = len(self._seen)
        self._alive.append(value)  # an id is of one object as long as the object lives
        while not isinstance(value, types.FunctionType) and callable(value) and hasattr(value, "__wrapped__"):
            value = value.__wrapped__
        if isinstance(value, FunctionCode):
            self._describe_function(value.value, has_closure=False)
        elif isinstance(value, types.FunctionType):
            self._describe_function(value, cls)
        elif isinstance(value, types.ModuleType):
            self.parts.append(f"module {value.__name__}")
            if value is random:
                self._describe_generator(random._inst)
            if not _is_library(value):
                self._describe_attributes(value, vars(value), names)
        elif type(value) in GENERATORS:
            self._describe_generator(value)
        elif type(getattr(value, "__self__", None)) in GENERATORS:  # a method of one
            self.parts.append(f"method {value.__name__}")
            self._describe_generator(value.__self__)
        elif isinstance(value, (types.BuiltinFunctionType, np.ufunc, type)):
            self.parts.append(f"{getattr(value, '__module__', '')} {value.__name__}")
            module = sys.modules.get(value.__module__) if isinstance(value, type) else None
            if path := _installed_file_of(module):
                self.parts.append(_stamp_of(path))
            elif isinstance(value, type) and not _is_library(module):
                self._describe_class(value, names)
        elif isinstance(value, CONSTANTS):
            self.parts.append(f"{type(value).__name__} {value!r}")
        elif isinstance(value, np.ndarray) and self._is_handed_over is not None and self._is_handed_over(value):
            self.parts.append(f"array {value.dtype.str} {value.ndim} {len(self.arrays)}")
            self.arrays.append(value)
        elif isinstance(value, (np.generic, np.ndarray)) and not value.dtype.hasobject:
            contents = value.tobytes()
            self.parts.append(f"{type(value).__name__} {value.dtype.str} {value.shape} {hashlib.sha256(contents).hexdigest()}")
            if isinstance(value, np.ndarray):
                self._watch(BYTES, value, None, contents)
        elif isinstance(value, (tuple, list, frozenset, set)):
            self._describe_items(value, names)
        elif isinstance(value, dict) and not is_own_mapping(value):
            self._describe_dict(value, names)
        elif type(value).__module__.partition(".")[0] == "numpy":
            self._describe_numpy(value, names)
        elif hasattr(type(value), "py_func_options"):  # of npcc.cuda.jit
            self.parts.append(f"kernel {value.py_func_options()}")
            self._describe(value.py_func, names)
        elif type(value).__module__ == "npcc.threads.names":
            self.parts.append(f"{type(value).__name__} {getattr(value, 'name', '')}")
        else:
            self._describe_object(value, names)

    def _describe_class(self, cls, names):
        """A class that compiled code may make objects of: all that its methods name, whoever calls them."""
        self._holds_attributes = True
        self._describe_attributes(cls, vars(cls), {*names, *self.names}, names)
        bases = [base for base in cls.__mro__ if base is not object and not is_of_library(base)]
        read = tuple(sorted({*names, *self.names, *(name for base in bases for method in _methods_of(base) for name in _names_of(method.__code__))}))
        for base in bases:
            self._describe_attributes(base, {name: value for name, value in vars(base).items() if not _is_descriptor(value)}, read, names)
            self.parts.append(f"{base.__module__}.{base.__qualname__} {tuple(getattr(base, '__dataclass_fields__', {}))}")
            for name, attribute in sorted(vars(base).items(), key=lambda item: item[0]):
                if isinstance(attribute, types.FunctionType):
                    self._watch(ATTRIBUTE, base, name, attribute)
                for function in _functions_of(attribute):
                    self.parts.append(f".{name}")
                    self._describe(function, names, cls)

    def _describe_numpy(self, value, names):
        """An object of NumPy's: a function by its name, numpy.finfo of a dtype by that, others (numpy.vectorize, poly1d, numpy.r_) by what they hold."""
        self.parts.append(f"{type(value).__module__}.{type(value).__qualname__} {getattr(value, '__name__', '')}")
        if isinstance(value, type(np.sum)):
            return
        if isinstance(value, (np.finfo, np.iinfo)):
            self.parts.append(str(value.dtype))
            return
        slots = [name for base in type(value).__mro__ for name in getattr(base, "__slots__", ()) if hasattr(value, name)]
        if not slots and not hasattr(value, "__dict__"):  # of C: what it holds does not show
            self.are_known = False
            self.parts.append(str(id(value)))
        for name in slots:
            self.parts.append(f".{name}")
            self._describe(getattr(value, name), names)
        for name, held in sorted(getattr(value, "__dict__", {}).items()):
            self._watch(ITEM, vars(value), name, held)
            self.parts.append(f".{name}")
            self._describe(held, names)

    def _describe_generator(self, value):
        """Code draws from the object that the name stands for at the call: which one it is, and its state, are not part of the code."""
        places = [place for place, known in enumerate(self.generators) if known is value]
        if not places:
            places = [len(self.generators)]
            self.generators.append(value)
        self.parts.append(f"{type(value).__name__} {places[0]}")

    def _describe_items(self, value, names):
        self.parts.append(f"{type(value).__name__} {len(value)}")
        if isinstance(value, list):
            self._watch(ITEMS, value, None, tuple(value))
        elif isinstance(value, set):
            self._watch(LENGTH, value, None, len(value))
        for item in sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value:
            self._describe(item, names)

    def _describe_dict(self, value, names):
        self.parts.append(f"dict {len(value)}")
        self._watch(LENGTH, value, None, len(value))
        for key, item in value.items():
            self._watch(ITEM, value, key, item)
            self._describe(key, names)
            self._describe(item, names)

    def _describe_object(self, value, names):
        """An object of a class that is not known here: itself, and its attributes among the names."""
        self.are_known = False
        self.parts.append(f"{type(value).__module__}.{type(value).__qualname__} {id(value)}")
        if isinstance(value, METHODS_OF_C):  # whose own methods are such objects again, made anew at each look
            return
        if not is_of_library(type(value)):
            self._describe(type(value), ())
        self._holds_attributes = True
        held = dict(getattr(value, "__dict__", {}))
        for base in type(value).__mro__ if not is_of_library(type(value)) else ():  # whose attributes one of the object's own may hide later
            held |= {name: of_class for name, of_class in vars(base).items() if name not in held and not _is_descriptor(of_class)}
        attributes = {name: held[name] for name in self.names if name in held}
        for name in names:
            try:
                attributes[name] = getattr(value, name)
                if inspect.getattr_static(value, name, None) is not None or isinstance(attributes[name], CONSTANTS):
                    continue
                # What __getattr__ makes: anew at each look, or objects that make more of their kind for any name, as those of stand-ins for modules do.
                if id(value) in self._made_by_getattr or getattr(value, name) is not attributes[name]:
                    del attributes[name]
                else:
                    self._made_by_getattr.add(id(attributes[name]))
            except Exception:
                continue
        self._describe_attributes(value, attributes, attributes, names)

    def _describe_attributes(self, value, attributes, names, inner=None):
        """`inner`: the names of the code that reads the attributes, where it is not given all of `names`."""
        for name in sorted(set(names)):
            if name not in attributes:
                continue
            attribute = attributes[name]
            if isinstance(value, type) and name in vars(value):
                self._look_for_changed(value, name, (value, name), attribute)
            elif isinstance(value, types.ModuleType):
                self._look_for_changed(types.ModuleType, f"{value.__name__}.{name}", (vars(value), name), attribute)
            if isinstance(value, types.ModuleType) and self._is_assigned(vars(value), name):
                self.parts.append(f"assigned .{name}")
                continue
            if isinstance(value, type) and self._is_assigned(value, name):
                self.parts.append(f"assigned .{name}")
                continue
            is_method = isinstance(attribute, (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType))
            if is_method and any(getattr(attribute, "__self__", None) is owner for owner in (value, type(value))):
                continue  # made anew at each look
            self._watch_attribute(value, name, attribute)
            self.parts.append(f".{name}")
            self._describe(attribute, names if inner is None else inner)

    def _watch_attribute(self, value, name, attribute):
        if isinstance(value, type) and name in vars(value) and getattr(value, name, None) is not attribute:  # a descriptor: each look makes something else
            self._watch(ENTRY, vars(value), name, attribute)
        elif isinstance(attribute, CONSTANTS) and isinstance(getattr(type(value), name, None), property):
            self._watch(VALUE, value, name, attribute)
        else:
            self._watch(ATTRIBUTE, value, name, attribute)

    def _describe_function(self, function, cls=None, has_closure=True):
        """`cls`: the class whose method it is. Without `has_closure`, calls hand over what its closure's names are bound to."""
        module = (function.__module__ or "").partition(".")[0]
        if module in ("numpy", "npcc") and not function.__closure__:
            self.parts.append(f"{function.__module__} {function.__qualname__}")
            return
        if (path := function.__code__.co_filename) and is_installed(path) and not function.__closure__:
            self.parts.append(f"{function.__module__} {function.__qualname__} {_stamp_of(path)}")
            self._watch(ATTRIBUTE, function, "__code__", function.__code__)
            return
        typed_sources.recover(function)
        code = function.__code__
        source = _source_of(code)
        columns = _columns_of(code) if code.co_name == "<lambda>" else ()  # others may stand on its lines
        if source is None or columns is None:
            self.are_known = False
            source = f"code {id(code)}"
        # The place is part of the code: errors name it. So is the module, whose names the parts look up that Python runs.
        self.parts.append(f"{code.co_filename}:{code.co_firstlineno} {columns} {function.__module__}\n{source}")
        self._watch(ATTRIBUTE, function, "__code__", code)
        for defaults in ("__defaults__", "__kwdefaults__"):
            self._watch(ATTRIBUTE, function, defaults, getattr(function, defaults))
        for name, default in assigned.defaults_of(function).items():
            self._look_for_changed(code, name + assigned.A_DEFAULT, (function, name), default)
            self.parts.append(f"{'assigned ' if self._is_assigned(function, name) else ''}{name} =")
            if not self._is_assigned(function, name):
                self._describe(default, ())
        names, own_globals = tuple(_names_of(code)), set(_globals_of(code))
        self._read.update(names)
        for place in assigned.places(function, source, cls, self._changes_containers):
            is_own = has_closure or not isinstance(place[0], types.CellType)
            if is_own and not self._is_assigned(*place):
                self.assigned.append(place)
        for k, cell in enumerate(function.__closure__ or () if has_closure else ()):
            if self._is_assigned(cell, assigned.CELL):
                self.parts.append("assigned")
                continue
            try:
                contents = cell.cell_contents
            except ValueError:
                self.parts.append("unbound")
                self.are_known = False  # bound later, without a watch that would see it
                continue
            self._look_for_changed(code, "cell " + code.co_freevars[k], (cell, assigned.CELL), contents)
            self._watch(ATTRIBUTE, cell, "cell_contents", contents)
            self._describe(contents, names)
        for name in sorted(own_globals):
            if self._is_assigned(function.__globals__, name):
                self.parts.append(f"assigned {name}")
            elif name in function.__globals__:
                value = function.__globals__[name]
                self._look_for_changed(code, name, (function.__globals__, name), value)
                self.parts.append(name)
                self._watch(ITEM, function.__globals__, name, value)
                self._describe(value, names)
            elif hasattr(builtins, name):
                self._watch(ABSENT, function.__globals__, name, None)

    def _look_for_changed(self, of, name, place, value):
        """Adds a place if it leads to what was found to be changed. `of`: whose name that is."""
        if self._is_assigned(*place):
            return
        if self._changes_containers and assigned.leads_to_changed(of, name, value) or self._shared and assigned.reaches(value, self._shared):
            self.assigned.append(place)

    def _is_assigned(self, owner, name):
        return any(owner is of and name == one for of, one in self.assigned)


@functools.lru_cache(maxsize=1024)
def _source_of(code):
    """The lines that the code was made of, from its first to the last that it names; None where they are not known.

    inspect.getsource would look through all modules and read the lines as tokens to find where a block ends, which took longer than the
    compilation of a small function."""
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename)
    last = max(last_line_of(code), code.co_firstlineno)
    return "".join(lines[code.co_firstlineno - 1:last]) if len(lines) >= last else None


def _columns_of(code):
    """Where an expression's code begins and ends in its lines; None where code does not say (`python -X no_debug_ranges`)."""
    places = [(first, start, last, end) for first, last, start, end in code.co_positions() if None not in (first, last, start, end)]
    places = [place for place in places if (place[1], place[3]) != (0, 0)]  # of instructions that come from no place
    return (min(place[:2] for place in places), max(place[2:] for place in places)) if places else None


def last_line_of(code):
    """The last line that code of the function comes from, or of a function inside of it; 0 where code does not say."""
    last = max((end or 0 for _, end, _, _ in code.co_positions()), default=0)
    return max([last, *(last_line_of(inner) for inner in code.co_consts if isinstance(inner, types.CodeType))])


def _names_of(code):
    """The names of globals and attributes in a code object and those inside it, but for what hot_loops.py puts there, of which the source has nothing."""
    yield from (name for name in code.co_names if not name.startswith("__npcc_loop_"))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_of(constant)


# What reads or changes an attribute: its name says nothing of a global that has the same one (np.add.at and a function `add`).
_OF_ATTRIBUTES = {"LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "STORE_ATTR", "DELETE_ATTR", "IMPORT_FROM"}


@functools.lru_cache(maxsize=1024)
def _globals_of(code):
    """The names that may be those of globals, in a code object and those inside it; as _names_of."""
    named = [instruction for instruction in dis.get_instructions(code) if instruction.opcode in dis.hasname and instruction.opname not in _OF_ATTRIBUTES]
    names = {instruction.argval for instruction in named if not instruction.argval.startswith("__npcc_loop_")}
    inner = [_globals_of(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return frozenset(names.union(*inner))


def _functions_of(attribute):
    """The functions that an attribute of a class is, or is made of."""
    parts = [attribute, *(getattr(attribute, part, None) for part in ("__func__", "fget", "fset", "func"))]
    return [part for part in parts if isinstance(part, types.FunctionType)]


def _methods_of(cls):
    return [function for attribute in vars(cls).values() for function in _functions_of(attribute)]


def _is_descriptor(value):
    return hasattr(type(value), "__get__")


def is_installed(path):
    """Whether a file belongs to a package that was installed. All that such a package's functions can name may be the whole package, which takes minutes to go
    through, and a program does not change it: it is known by the file that a function comes from, and by when that was written."""
    return not {"site-packages", "dist-packages"}.isdisjoint(path.split(os.sep))


def _installed_file_of(module):
    path = getattr(module, "__file__", None)
    return path if path and is_installed(path) else None


@functools.lru_cache(maxsize=1024)
def _stamp_of(path):
    try:
        found = os.stat(path)
    except OSError:
        return path
    return f"{path} {found.st_size} {found.st_mtime_ns}"


def is_of_library(cls):
    """Whether a class is NumPy's, npcc's, Python's own or an installed package's."""
    module = sys.modules.get(cls.__module__)
    return _is_library(module) or _installed_file_of(module) is not None


def _is_library(module):
    root = module.__name__.partition(".")[0] if module else ""
    return root in ("numpy", "npcc") or root in sys.stdlib_module_names and root != "__main__"
