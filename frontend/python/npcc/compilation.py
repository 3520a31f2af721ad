"""How a function's code is made, or found on disk: with which options, and what is known of the call that it is made for."""
import os

from . import _npcc, assigned, cache, placement, profiling, second_tier, targets
from .constants import Constant
from .dependencies import noted
from .errors import CompileError, compile_error
from .versions import NeedsObjects

AUTOCAST = (None, "float16", "bfloat16")  # what _npcc.autocast() gives the number of


class Compilation:
    """The part of jit.Specialiser that compiles."""

    def chosen_target(self):
        return self.target or targets.default()

    def device(self):
        return targets.device_number(self.chosen_target())

    def options(self, target, general):
        # What assumes nothing runs on one device.
        options = dict(target=target.name, general=general, devices=1 if general else self.devices, cpu=self.choices["cpu"] or "native")
        if "arch" in target.options:
            options["arch"] = self.choices["arch"] or targets.native_arch()
        if "nan" in target.options:
            options["check_nans"] = self.choices["nan"]
        if self.choices.get("matmul", "exact") != "exact":
            options["matmul"] = self.choices["matmul"]
        if self.autocast():
            options["autocast"] = AUTOCAST[self.autocast()]
        return options

    def first_call(self, types, arguments):
        """What is known of the call that code is compiled for, so that only the alternatives that it takes are; None if all are wanted."""
        if arguments is None or self.uses_python or self.devices > 1 or not self.chosen_target().plans or os.environ.get("NPCC_ALTERNATIVES") == "all":
            return None
        return self.known_of_call(types, arguments)

    def first_call_on_host(self, types, arguments):
        """The same for the host, if it may run the call instead of a GPU that nobody asked for: it is as fast where arrays are small."""
        if self.target is not None or not self.chosen_target().needs_gpu() or self.choices.get("matmul", "exact") != "exact":
            return None
        if self.first_call(types, arguments) is None or not placement.may_move(arguments):
            return None
        return self.known_of_call(types, arguments, is_copied=False)

    def known_of_call(self, types, arguments, is_copied=None):
        """Of each argument that is no constant: the extents and the address of an array, the value of an integer, the bits of a float64, nothing of others.
        `is_copied`: arrays of the host will be; by default where there is a GPU for that."""
        if arguments is None or self.uses_python:
            return None
        known = _npcc.first_call(tuple(arguments), self.chosen_target().needs_gpu() if is_copied is None else is_copied)
        return tuple(numbers for numbers, type_ in zip(known, types) if not isinstance(type_, Constant))

    def load(self, types, general, raise_errors=False, first_call=None, number=0, on_host=None):
        """A capsule with the code, from the cache or compiled now. With `first_call`, the code may have some of its alternatives only; it is the one with
        this number among such. With `on_host` (first_call_on_host) it may be the host's."""
        self.device()  # there must be one
        options = self.options(self.chosen_target(), general)
        if raise_errors:
            options["raise_errors"] = True
        if self.uses_python:
            options["uses_python"] = True
        # For which call code was made is no part of its name: that for an earlier process's first call is tried, then code with all alternatives.
        named = dict(options, may_move=True) if on_host is not None else options
        names = [self.cache_name(types, named)]
        if first_call is not None:
            names.append(self.cache_name(types, dict(named, partial=number + 1)))
        for name in reversed(names):
            code = cache.load(name) if name else None
            if code and (diagnostics := cache.refusal(code)):
                raise compile_error(diagnostics)
            functions = _npcc.load(code) if code else None  # None: not an entry of this compiler
            if functions is not None:
                return functions[0]
        if first_call is not None:  # it follows at once, on this device
            options = dict(options, first_call=first_call, prepare=self.device(), tiers=second_tier.is_worth_it(first_call))
            if on_host is not None:
                options["first_call_on_host"] = on_host
        arrays_noted = noted[0]
        assigned.forget_changed()
        try:
            code, portable = self.compile(types, options)
        except CompileError as error:
            # Where a compilation found what calls have to hand over, another process has to find it, too.
            is_final = noted[0] == arrays_noted and not assigned.any_changed()
            if names[0] and is_final and error.diagnostics and not any("internal" in d["message"] for d in error.diagnostics):
                cache.store_refusal(names[0], error.diagnostics)
            raise
        function = _npcc.load(code)[0]
        name = names[_npcc.is_partial(function)] if portable else None
        if _npcc.is_quick(function):
            second_tier.make(function, code, name)
        elif name:
            cache.store(name, code)
        return function

    def cache_name(self, types, options):
        if not self.use_cache or not cache.enabled():
            return None
        if not self.version.dependencies.are_known:
            return None
        constants = cache.fingerprint(tuple(t.value for t in types if isinstance(t, Constant)), self.version.dependencies.names)
        if constants is None:
            return None
        types = (constants, *[t if isinstance(t, str) else "constant" for t in types])
        options = dict(options, cpu=_npcc.host_cpu() if options["cpu"] == "native" else options["cpu"])
        return cache.entry_name(self.version.dependencies.digest(), types, options)

    def compile(self, types, options):
        with profiling.compiling(self.function.__qualname__):
            code, diagnostics, _, portable, objects = _npcc.compile(self.function, types, self.with_globals(options))
        if code is None and objects:
            raise NeedsObjects(objects)
        if code is None:
            raise compile_error(diagnostics)
        return code, portable

    def check(self, types):
        """What the front end says of these types."""
        with profiling.compiling(self.function.__qualname__):
            return _npcc.check(self.function, types, self.with_globals(self.options(self.chosen_target(), general=False)))

    def with_globals(self, options):
        generators = self.drawn_from() if self.version else ()
        return dict(options, generators=generators, arrays=self.arrays, assigned=tuple(self.assigned))
