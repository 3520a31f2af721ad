"""What is known of the code of a function: for which state of what it depends on it was made, and what of its parameters."""
import inspect
import random

from .constants import Constant, FunctionCode
from .dependencies import Dependencies, is_of_library
from .parameters import MISSING

MOST_TUPLES = 4  # of integers, that a function is compiled for


class KnownIntegers:
    """Which integer arguments of a signature must be known when it is compiled; `error` says why."""

    def __init__(self, types, positions, error):
        self.types, self.positions, self.error = types, positions, error

    def fill(self, types, arguments):
        return tuple(Constant(arguments[k]) if k in self.positions else t for k, t in enumerate(types))

    def is_variant_of(self, compiled):
        return all(isinstance(c, Constant) if k in self.positions else c == t for k, (c, t) in enumerate(zip(compiled, self.types)))


class Missing:
    """A call for which there is no code: its arguments (None: code for any call is wanted), and the capsule of the code that comes nearest, if any;
    whether it is its alternatives that are others."""

    def __init__(self, arguments=None, incomplete=None, other_alternatives=False):
        self.arguments, self.incomplete, self.other_alternatives = arguments, incomplete, other_alternatives


class NeedsObjects(Exception):
    """Code is made where some parameters, by their names, are Python's own objects."""

    def __init__(self, names):
        self.names = frozenset(names)


def with_any_string(types):
    """Types with "str" for the strings that are known."""
    return tuple("str" if isinstance(t, Constant) and type(t.value) is str else t for t in types)


def without_integers(type_):
    """A type with `int` for the integers of a tuple that is known."""
    return Constant(_without_integers(type_.value)) if isinstance(type_, Constant) and type(type_.value) is tuple else type_


def _without_integers(value):
    return tuple(map(_without_integers, value)) if type(value) is tuple else int if type(value) is int else value


class Version:
    """The code of a function for one state of what it depends on."""

    def __init__(self):
        self.compiled = {}  # types -> capsule
        self.made_for = {}  # types -> for how many calls there is code, which has the alternatives for them only
        self.first_calls = {}  # types -> what was known of the first call (Specialiser.known_of_call)
        self.first_calls_on_host = {}  # types -> the same for the host, where it might run the call (Specialiser.first_call_on_host)
        self.need_values = {}  # types -> KnownIntegers
        self.strings = {}  # types that take any strings -> those with strings that were seen; None where it does not compile
        self.tuples = {}  # types with any integers in tuples -> those with tuples that were seen; None where it does not compile
        self.dependencies = None

    def tuples_vary(self, types):
        """Whether tuples of integers among types are ever others: then they are taken apart, as other containers are, for any integers."""
        anyhow = tuple(map(without_integers, types))
        if anyhow == types:
            return False
        seen = self.tuples.setdefault(anyhow, set())
        if seen is None or types in seen:
            return False
        if len(seen) >= MOST_TUPLES:
            return True
        seen.add(types)
        return False

    def keep_tuples(self, types):
        self.tuples[tuple(map(without_integers, types))] = None

    def python_generators(self):
        return tuple(g for g in self.dependencies.generators if type(g) is random.Random)


def is_followed(value):
    """Whether what a constant depends on may be bound anew."""
    if type(value) is tuple:
        return any(map(is_followed, value))
    return inspect.isfunction(value) or inspect.isclass(value) and not is_of_library(value)


class Followed:
    """Functions and classes that calls were given, as constants of the code: what they depend on is watched as what the compiled function depends on is."""

    def __init__(self):
        self.digests = {}  # of what the functions depend on, by their Constants
        self.names = {}  # those of the code that they were given to, by the same

    def add(self, types, names):
        """Whether there are new ones among the types of arguments. `names`: those of the compiled function's code, which may read attributes of them."""
        new = [t for t in types if isinstance(t, Constant) and is_followed(t.value) and t not in self.digests]
        self.names.update((given, names) for given in new)
        self.digests.update((given, self.dependencies_of(given).digest()) for given in new)
        return bool(new)

    def dependencies_of(self, given):
        return Dependencies(given.value, names=self.names[given])

    def renew(self, versions):
        """(the watches, whether code was dropped because functions depend on something else than before)."""
        found = {given: self.dependencies_of(given) for given in self.digests}
        changed = {function for function, dependencies in found.items() if dependencies.digest() != self.digests[function]}
        self.digests.update((function, found[function].digest()) for function in changed)
        for version in versions if changed else ():
            for types in [types for types in version.compiled if changed.intersection(t for t in types if isinstance(t, Constant))]:
                del version.compiled[types]
        return [watch for dependencies in found.values() for watch in dependencies.watches], bool(changed)


def constants_in(form, whole=False):
    """What a form knows: it is part of the compiled code. `whole`: as the constants that it has them in."""
    for part in form:
        if isinstance(part, Constant):
            yield part if whole or isinstance(part, FunctionCode) else part.value
        elif isinstance(part, tuple):
            yield from constants_in(part, whole)


def constants_of(types):
    """The constants among the parameters, MISSING for the others; None if there are none."""
    if all(isinstance(t, str) for t in types):
        return None
    return tuple(MISSING if isinstance(t, str) else t.value for t in types)
