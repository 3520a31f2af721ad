"""NumPy functions that are compositions of others, in NumPy-style Python.

They are imported in place, like any helper function of the user: `if axis is None`, `a.ndim` and loops over tuples are decided at
compile time. Each is ordinary Python too and gives NumPy's results when it is run, which is how it is tested.
`FUNCTIONS` maps NumPy's function objects to the ones here, `METHODS` the names of methods of arrays that are no functions of NumPy too: those of
the modules that are imported. A module is imported when one of its functions is asked for; which one that is says `npcc/package_index.py`, which
the build makes (tools/package_index.py).
"""
import functools
import importlib
import sys

import numpy as np

from .. import packaged

FUNCTIONS = {}
METHODS = {}
OTHERS = {}  # the name of a function of another package -> (the module that it is found in, the path of names there, the function here) of each
_INDEX = None  # what the modules that are not imported yet have: names of functions, and of methods -> names of modules


def implements(*functions):
    """Registers the decorated function for NumPy's `functions`; one that only some releases of NumPy have is given by its name. Where there is none of that
    name, the name stands for it, so that the index has the functions of all releases."""

    def register(function):
        for numpy_function in functions:
            FUNCTIONS[getattr(np, numpy_function, numpy_function) if isinstance(numpy_function, str) else numpy_function] = function
        return function

    return register


def implements_of(module, path=None):
    """Registers the decorated function for the one of its name, or at a path of names ("norm.pdf"), in a module of another package, which need not be
    imported, nor be there at all."""

    def register(function):
        names = (path or function.__name__).split(".")
        OTHERS.setdefault(names[-1], []).append((module, names, function))
        return function

    return register


def implements_method(function):
    """Registers the decorated function for the method of arrays of its name; the array is its first argument."""
    METHODS[function.__name__] = function
    return function


def name_of(function):
    """What the index calls a function of NumPy's; an object like numpy.r_ goes by the name of its class. One of Python's own has the name of its module
    before its own: numpy.mean needs nothing of what is here for statistics.mean."""
    name = getattr(function, "__name__", type(function).__name__)
    module = getattr(function, "__module__", None)
    root = module.partition(".")[0] if isinstance(module, str) else ""
    return f"{root}.{name}" if root in sys.stdlib_module_names else name


def find_function(function):
    """What is here for NumPy's `function`; None if there is nothing."""
    try:
        hash(function)
    except TypeError:
        return None
    name = name_of(function)
    _import(_index()[0], name)
    return FUNCTIONS.get(function) or _of_another_package(function, name)


def _of_another_package(function, name):
    for module, names, ours in OTHERS.get(name, ()):
        if functools.reduce(lambda found, part: getattr(found, part, None), names, sys.modules.get(module)) == function:
            return ours
    return None


def find_method(name):
    """What is here for the method of arrays of that name; None if there is nothing."""
    _import(_index()[1], name)
    return METHODS.get(name)


def _import(index, name):
    for module in index.get(name, ()):
        importlib.import_module(f"{__name__}.{module}")
    index.pop(name, None)  # behind the imports, which other threads may ask for too


def load_all():
    """Imports all modules: FUNCTIONS and METHODS are complete then."""
    import pkgutil  # here, because it takes longer to import than this module
    global _INDEX
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    _INDEX = {}, {}


def _index():
    global _INDEX
    if _INDEX is None:
        index = packaged.index()
        if index:
            _INDEX = dict(index.FUNCTIONS), dict(index.METHODS)
        else:
            load_all()
    return _INDEX
