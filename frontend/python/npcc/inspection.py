"""What compiled functions say of themselves: the text of a phase, and what became of their calls."""
import inspect
import os

from . import _npcc, structures, targets
from .constants import Constant
from .errors import CompileError, compile_error
from .versions import KnownIntegers, NeedsObjects


class Inspection:
    """The part of jit.Specialiser that looks at what is compiled."""

    def inspect(self, phase="np", types=None, target=None, arguments=None):
        """The text of a phase ("np", "kernels", "gpu", "llvm", "ptx"): of the latest compiled types, or of `types` ("float64[:,:], float"), with all
        alternatives; or, with a tuple of arguments, what a first call with them compiles."""
        if _npcc.autocast() != self.autocast():
            return self.for_autocast().inspect(phase, types, target, arguments)
        first_call = None
        if arguments is not None:
            types = self.types_of_call(arguments)
            first_call = self.first_call(types, arguments)
        elif types is None:
            if not self.compiled:
                raise ValueError(f"{self.function.__name__} has not been compiled yet: call it, or give types")
            types = list(self.compiled)[-1]
        elif isinstance(types, str):
            types = _npcc.parse_signatures(f"{self.function.__name__}({types})")[0][1]
        target = targets.find(target) if target is not None else targets.of_phase(phase, self.chosen_target())
        return self.text_of(phase, tuple(types), target, first_call)

    def types_of_call(self, arguments):
        return tuple(Constant(a) if t is None else t for t, a in zip(_npcc.types_of(tuple(arguments)), arguments))

    def text_of(self, phase, types, target, first_call, on_host=None):
        options = self.options(target, False)
        if self.uses_python:
            options["uses_python"] = True
        if first_call is not None:
            options["first_call"] = first_call
        if on_host is not None:
            options["first_call_on_host"] = on_host
        text, diagnostics, _, _, objects = _npcc.emit(self.function, types, self.with_globals(options), phase)
        if text is None and objects:
            raise NeedsObjects(objects)
        if text is None:
            raise compile_error(diagnostics)
        return text

    def explain(self, *arguments, device=None, **keywords):
        """What the function became for the first call with each of its types, or for a call with these arguments: kernels, what they read and
        write, the least time for that, where loops run, and why (docs/explain.md). It prints as text; save(path) writes a page.

        device: "H100", "A100", ...: whose least times; by default those of the device that the code runs on."""
        from . import explaining
        limits = explaining.of_target(self.chosen_target(), device)
        if not arguments and not keywords:
            return explaining.read(self.said(), limits)
        bound = inspect.signature(self.function).bind(*arguments, **keywords)
        bound.apply_defaults()
        return explaining.read([self.said_of_call(tuple(bound.arguments.values()))], limits)

    def said_of_call(self, arguments):
        self.assigned_globals()  # finds what the function depends on
        while True:
            try:
                return self.said_in_some_form(arguments)
            except CompileError:  # the compilation may have found what calls hand over
                if not self.found_changes():
                    raise

    def said_in_some_form(self, arguments):
        """The same of a call, in the form in which it would be compiled (attempts.py)."""
        is_apart = any(map(structures.needs_taking_apart, arguments)) or self.global_arrays() or self.assigned_globals()
        problem = None
        if not is_apart:
            try:
                return self.said_of(self.types_of_call(arguments), arguments)
            except TypeError:  # containers, and what is in them
                is_apart = True
            except CompileError as error:
                problem = error
        may_use_python = self.may_use_python and not self.fallback
        for is_tried, form in ((is_apart, {}), (is_apart or structures.holds_lists(arguments), dict(grows=True)), (may_use_python, dict(uses_python=True))):
            try:
                if is_tried:
                    return self.said_of_containers(arguments, **form)
            except CompileError as error:
                problem = problem or error
        raise problem

    def said_of_containers(self, arguments, grows=False, uses_python=False):
        """The same of a call whose arguments are taken apart: the code for what is in them, with lists that may grow, or with objects of Python's own."""
        places = self.assigned_globals() if not uses_python else ()
        assigned = (structures.AssignedGlobals(places),) if places else ()
        names = (*self.parameters, "globals") if assigned else self.parameters
        try:
            taken = structures.Taken(names, (*arguments, *assigned), grows, self.takes_records, self.held if uses_python else ())
        except (TypeError, OverflowError):
            untaken = structures.untaken(self.parameters, arguments)
            if uses_python or not untaken or self.fallback or not self.may_use_python:
                raise
            self.held |= untaken
            return self.said_of_containers(arguments, uses_python=True)
        taken.assigned = assigned
        try:
            inner = self.of_form(taken, uses_python)
            return inner.said_of(inner.types_of_call(taken.leaves), tuple(taken.leaves))
        except NeedsObjects as needed:
            if needed.names <= self.held:
                raise CompileError("npcc: the arguments cannot be Python's own objects") from None
            self.held |= needed.names
            return self.said_of_containers(arguments, uses_python=True)
        finally:
            taken.release()

    def said_of(self, types, arguments):
        """What explaining.read takes, of one call."""
        types = self.typed(types)
        try:
            text = self.said_of_types(types, arguments)
        except CompileError as error:
            types, text = self.said_with_integers(types, arguments, error)
        return text, self.known_of_call(types, arguments), [t for t in types if not isinstance(t, Constant)]

    def said_of_types(self, types, arguments):
        first_call, on_host = self.first_call(types, arguments), self.first_call_on_host(types, arguments)
        return self.text_of("explain", types, self.chosen_target(), first_call, on_host)

    def said_with_integers(self, types, arguments, error):
        """(types, text) of the code for the values that integers of the call have: one of them or, where that does not help, all."""
        if error.is_of_form:
            raise error
        positions = self.integers_of(types)
        for chosen in [[k] for k in positions] + [positions] * (len(positions) > 1):
            valued = KnownIntegers(types, chosen, error).fill(types, arguments)
            try:
                return valued, self.said_of_types(valued, arguments)
            except CompileError as other:
                error = other
        raise error

    def said(self):
        """What explaining.read takes, of the first calls."""
        target, found, failed = self.chosen_target(), [], None
        for types, known in self.version.first_calls.items() if self.version else ():
            if types not in self.compiled:  # which was compiled in another form
                continue
            plans = known is not None and target.plans and self.devices == 1 and os.environ.get("NPCC_ALTERNATIVES") != "all"
            texts = [t for t in types if not isinstance(t, Constant)]
            on_host = self.version.first_calls_on_host.get(types) if plans else None
            try:
                found.append((self.text_of("explain", types, target, known if plans else None, on_host), known, texts))
            except CompileError as error:  # then the call was compiled in another form
                failed = error
        for inner in self.structured.values():
            try:
                found += inner.said()
            except CompileError as error:
                failed = error
        if failed and not found:
            raise failed
        return found
