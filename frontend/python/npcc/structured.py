"""Functions whose arguments are containers or objects: compiled for what is in these."""
import functools
import weakref

from . import _npcc, cache, structures
from .attempts import RUN_IN_PYTHON
from .constants import FunctionCode
from .dependencies import Dependencies
from .jit import Specialiser
from .parameters import MISSING
from .versions import constants_in, is_followed


class StructuredSpecialiser(Specialiser):
    """The code for one form of arguments: a function of what is in them, which gives the result and what it changed (structures.py)."""
    is_of_parts = True

    def __init__(self, outer, taken):
        super().__init__(outer.function, outer.target, outer.devices, outer.fallback, outer.use_cache, outer.choices)
        self.form, self.names, self.outer = taken.form, tuple(taken.names()), outer
        self.classes = sorted({c for form in taken.form for c in structures.classes_of(form)}, key=lambda c: c.__qualname__)
        kinds = [kind for form in taken.form for kind in structures.leaves_of(form)]
        self.strided = {k for k, kind in enumerate(kinds) if kind == "strided"}
        self.strings = {k for k, kind in enumerate(kinds) if kind in ("text", "texts")}
        self.assigned = outer.assigned_globals()
        self.entry = self.make_callable()

    def make_callable(self):
        count = len(self.names)
        compiled = _npcc.function(self.function.__name__, self.names, 0, count, (MISSING,) * count, MISSING, self.resolve, self.devices, self.autocast())
        functools.update_wrapper(compiled, self.function)
        self.callable = weakref.ref(compiled)
        return compiled

    def typed(self, types_):
        return tuple("str" if k in self.strings else t.replace(":", "::") if k in self.strided else t for k, t in enumerate(types_))

    def call_bound(self, *leaves):
        return RUN_IN_PYTHON

    def in_python(self):
        return self.call_bound

    def refuse(self, key, error):
        """The outer one may know another way."""
        self.refused[key] = error
        error.is_of_run = False
        raise error

    def dependencies(self):
        given = tuple(c if isinstance(c, FunctionCode) else c.value for c in constants_in(self.form, whole=True)
                      if isinstance(c, FunctionCode) or is_followed(c.value))
        return Dependencies((self.outer.depends_on(), *self.classes, *given), lambda array: any(array is known for known in self.arrays), self.assigned)

    def assigned_globals(self):
        return ()  # which are an argument here

    def global_arrays(self):
        return ()  # they are parameters here

    def python_generators(self):
        return ()  # whose states were lent already

    def options(self, target, general):
        return dict(super().options(target, general), structure=self.form)

    def cache_name(self, types_, options):
        shape = cache.fingerprint(tuple(constants_in(self.form)), self.version.dependencies.names)
        if shape is None:
            return None
        return super().cache_name(types_, dict(options, structure=(shape, repr(self.form), len(self.arrays))))
