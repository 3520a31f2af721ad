"""@npcc.jit: functions that are compiled for the types they are called with."""
import functools
import inspect
import random
import threading
import weakref
from types import MethodType

import numpy as np

from . import _npcc, assigned, python_random, structures, targets
from .attempts import MOST_STRINGS, Attempts
from .classes import compile_methods
from .compilation import Compilation
from .constants import Constant
from .dependencies import Dependencies, hand_over, is_handed_over, noted
from .errors import CompileError, compile_error
from .inspection import Inspection
from .lengths import Lengths
from .parameters import MISSING, describe_parameters, has_variable_parameters
from .partials import as_method, of_partial
from .versions import Followed, KnownIntegers, Missing, Version, constants_of, with_any_string

MOST_VALUES = 64  # of an integer that a function is compiled for; with more, it is no option but data
MOST_TRIED = 3  # integers of a call that are tried one by one, whether it helps to know them
MOST_KNOWN = 16  # integers of a call that a function is compiled for; where there are more, they are data
MOST_VERSIONS = 64  # of a function for values of what it depends on; the one that was made first goes
MOST_FIRST_CALLS = 3  # for which a function of some types is compiled with the alternatives that they take; then with all of them
COMPLETED, ALL_ALTERNATIVES, IN_PYTHON = 1, 2, 3  # why code gave up on a call (frontend/module/function.c)
MATMUL = ("exact", "tf32", "bf16")  # how products of float32 are computed


def jit(function=None, *, target=None, devices=1, fallback=False, cache=True, arch=None, cpu=None, nan=False, matmul="exact"):
    """Compiles a function at its first call, once for each combination of dtypes and ranks; of a class the methods that it defines (classes.py).

    target: "cpu" or "cuda"; by default a GPU if there is one, and its host for calls that are so small that it is sooner (docs/host-arrays.md).
    "debug" runs on the host, one iteration of each kernel after the other in random order (the environment variable NPCC_SEED draws another), and
    raises an error where two iterations meet in one element, an element is read that was never written, or a position is out of bounds; with nan=True
    also where an operation makes a NaN of operands without one (FloatingPointError).
    devices: over how many devices the work is spread. fallback: run in Python what cannot be compiled (listed in `f.fallbacks`) instead of raising
    CompileError; so is a generator function that Python calls. cache: keep compiled code on disk.
    arch, cpu: what to compile for ("sm_90", "x86-64-v3"); by default this machine.
    matmul: how products of float32 matrices are computed: "exact"; "tf32", with operands of 11 bits on GPUs that have units for it; or "bf16", with
    operands rounded to bfloat16 and sums in float32 (docs/mixed-precision.md).

    The result is called like the function, which is `f.py_func`. `f.signatures` are the compiled ones; `f.inspect("kernels")` is the text of a phase.
    """
    if function is None:
        return functools.partial(jit, target=target, devices=devices, fallback=fallback, cache=cache, arch=arch, cpu=cpu, nan=nan,
                                 matmul=matmul)
    chosen = targets.find(target) if target is not None else None
    if nan and not (chosen and "nan" in chosen.options):
        raise ValueError("nan=True is for target='debug'")
    if not isinstance(devices, int) or devices < 1:
        raise ValueError(f"devices is a positive number, not {devices!r}")
    check_matmul(matmul)
    if isinstance(function, str):
        raise TypeError(f"npcc.jit takes no signature: a function is compiled for the types it is called with. npcc script.py --sig {function!r} compiles "
                        "ahead of time")
    if method := as_method(function):
        made = jit(method.__func__, target=target, devices=devices, fallback=fallback, cache=cache, arch=arch, cpu=cpu, nan=nan, matmul=matmul)
        made.explain = explaining_calls_of(method.__self__, made.explain)
        return MethodType(made, method.__self__)
    if inspect.isclass(function):
        return compile_methods(function, functools.partial(jit, target=target, devices=devices, fallback=True, cache=cache, arch=arch, cpu=cpu, nan=nan,
                                                           matmul=matmul))
    function = of_partial(inspect.unwrap(function))
    check_function(function)
    fallback = fallback or inspect.isgeneratorfunction(function)  # compiled in what goes over its items; to Python it gives its generator
    specialiser = Specialiser(function, chosen, devices, fallback, cache, dict(arch=arch, cpu=cpu, nan=nan, matmul=matmul))
    return specialiser.make_variable_callable() if has_variable_parameters(function) else specialiser.make_callable()


def explaining_calls_of(owner, explain):
    """explain() of a method of this object, which a call with arguments has as its first one."""
    def explain_method(*arguments, device=None, **keywords):
        return explain(*((owner, *arguments) if arguments or keywords else ()), device=device, **keywords)
    return explain_method


def check_function(function):
    if inspect.isbuiltin(function) or isinstance(function, np.ufunc):
        raise TypeError(f"npcc.jit compiles functions written in Python, and {function.__name__} is not: call it in one")


def check_matmul(matmul):
    if matmul not in MATMUL:
        raise ValueError(f"matmul is {', '.join(map(repr, MATMUL))}, not {matmul!r}")


specialisers = weakref.WeakSet()  # of all functions, for `npcc explain`


class Specialiser(Attempts, Compilation, Inspection):
    """Gives the callable (`npcc.Function`, in C) the code for types that it has not met yet."""
    is_of_parts = False  # whether the parameters are what is in the arguments (structured.py)
    first_integer = 0  # of the parameters that may have to be known when it is compiled
    hands_over_arrays = True  # those of globals that are no constants of the code
    takes_records = True  # as arguments, an array for each field
    uses_python = False  # what compiled code has no types for is run by Python, on its own objects (objects.py)
    may_use_python = True  # where it cannot be compiled otherwise
    changes_containers = True  # of globals, which are handed over; where it cannot be compiled so, they are constants
    arrays = ()  # which these are, where they are parameters behind the others
    assigned = ()  # the globals that the code assigns to, where they are the attributes of an argument behind the others
    any_string = staticmethod(with_any_string)
    any_strings = False  # whether strings in containers are data, not known to the code; None: it cannot be compiled so

    def __init__(self, function, target, devices, fallback, use_cache, choices):
        self.function = function
        self.target = target  # None: the default of the machine, which is asked for at each compilation
        self.devices = devices
        self.fallback = fallback
        self.use_cache = use_cache
        self.choices = choices
        self.lock = threading.RLock()
        self.refused = {}  # types, or the reason why there are none -> why the function runs in Python
        self.versions = {}  # the digest of what the function depends on -> Version
        self.version = None
        self.followed = Followed()
        self.lengths = Lengths()
        self.noted_arrays = noted[0]  # of the small arrays into which functions store, how many its dependencies are up to date with
        self.callable = None
        self.parameters = tuple(inspect.signature(function).parameters)
        self.structured = {}  # a form of the arguments -> StructuredSpecialiser
        self.held = frozenset()  # the parameters that are Python's own objects where it uses these
        self.with_python = set()  # the types and forms of arguments for which it does
        self.grown = set()  # the types and forms of arguments whose lists must be objects
        self.run_by_python = set()  # the forms of arguments for which there is no code, and Python runs the function
        self.gave_up = False  # whether it runs the function for all of them
        self.autocasts = {}  # what npcc.autocast is around a call -> (Specialiser, its callable), where that is not what this one is for

    @property
    def compiled(self):
        return self.version.compiled if self.version else {}

    def make_callable(self):
        specialisers.add(self)
        names, positional_only, positional, defaults = describe_parameters(self.function)
        compiled = _npcc.function(self.function.__name__, names, positional_only, positional, defaults, MISSING, self.resolve, self.devices,
                                  self.autocast())
        functools.update_wrapper(compiled, self.function)
        self.callable = weakref.ref(compiled)
        compiled.inspect = self.inspect
        compiled.explain = self.explain
        compiled.fallbacks = self.refused
        compiled.py_func = self.function
        return compiled

    def make_variable_callable(self):
        """The callable of a function with *args or **kwargs: they are a tuple and a dict of this call."""
        specialisers.add(self)
        signature = inspect.signature(self.function)
        # Of one argument, a tuple, for which there is never code. What it is for are the watches, which it asks in each call.
        watching = _npcc.function(self.function.__name__, ("call",), 0, 1, (MISSING,), MISSING, lambda *_: self.call_variable, self.devices, self.autocast())
        self.callable = weakref.ref(watching)

        @functools.wraps(self.function)
        def call(*args, **kwargs):
            if _npcc.autocast() != self.autocast():
                return self.for_autocast()(*args, **kwargs)
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            return watching((tuple(bound.arguments.values()), lambda: self.function(*args, **kwargs)))

        call.inspect = self.inspect
        call.explain = self.explain
        call.fallbacks = self.refused
        call.py_func = self.function
        return call

    def call_variable(self, call):
        arguments, call_in_python = call
        if self.version is None:
            self.renew()
        return self.call_structured(arguments, call_in_python)

    def autocast(self):
        return self.choices.get("autocast", 0)

    def for_autocast(self):
        """The callable for what npcc.autocast is in this thread, which is not what this one is for."""
        number = _npcc.autocast()
        with self.lock:
            if number not in self.autocasts:
                inner = Specialiser(self.function, self.target, self.devices, self.fallback, self.use_cache, dict(self.choices, autocast=number))
                made = inner.make_variable_callable() if has_variable_parameters(self.function) else inner.make_callable()
                self.autocasts[number] = inner, made
            return self.autocasts[number][1]

    #---- Called by the callable ----

    def resolve(self, arguments, incomplete, reason):
        """Code for these arguments: (capsule, device, constants); or a Python function to call instead. `incomplete` is the capsule of
        code whose assumptions these arguments break (COMPLETED), that has not the alternatives for them (ALL_ALTERNATIVES), or that stopped
        where Python's numbers go on (IN_PYTHON)."""
        if reason == IN_PYTHON:
            return self.in_python()
        if _npcc.autocast() != self.autocast():
            return self.for_autocast()
        try:
            types = self.typed(tuple(Constant(a) if t is None else t for t, a in zip(_npcc.types_of(arguments), arguments)))
        except OverflowError as error:  # an integer that 64 bits do not hold: Python's own object, where that can be
            if self.fallback or self.is_of_parts or not self.may_use_python:
                return self.refuse(str(error), error)
            self.held |= {name for name, value in zip(self.parameters, arguments) if structures.overflows(value)}
            return self.call_with_python
        except TypeError:
            return self.call_bound
        if any(map(structures.needs_taking_apart, arguments)):
            return self.call_bound
        with self.lock:
            if self.version is None:
                self.renew()
            if self.global_arrays() or self.python_generators() or self.assigned_globals():
                return self.call_bound
            if self.followed.add(types, self.version.dependencies.names):
                self.renew()
            if types in self.refused:
                return self.refuse(types, self.refused[types])
            if types in self.grown:
                return self.call_growing
            if types in self.with_python or self.any_string(types) in self.with_python:
                return self.call_with_python
            if not self.is_of_parts and self.version.tuples_vary(types):
                return functools.partial(self.try_apart, types)
            try:
                missing = Missing(arguments, incomplete, reason == ALL_ALTERNATIVES)
                capsule, types = self.specialise_with_strings(types, arguments, missing)
                return capsule, self.device(), constants_of(types)
            except CompileError as error:
                if self.found_changes():
                    return self.call_bound
                if self.is_of_parts or self.fallback and not structures.holds_lists(arguments):
                    return self.refuse(types, error)
                return functools.partial(self.try_growing if structures.holds_lists(arguments) else self.try_with_python, types, error)

    def in_python(self):
        """What makes a call that compiled code leaves to Python."""
        return self.function

    def typed(self, types):
        """The types that code is compiled for, of those of the arguments."""
        return types

    def renew(self, shared=None):
        """Called before the first compilation, and by the callable where something that the function depends on was bound anew, or where an argument shares
        memory with a global's array, `shared`, whose elements are part of the code: that is a parameter from now on."""
        if shared is not None and not self.hand_over_shared(shared):
            return
        with self.lock:
            dependencies = self.dependencies()
            digest = dependencies.digest()
            version = self.versions.pop(digest, None) or Version()
            version.dependencies = dependencies
            self.versions[digest] = version  # the latest is last
            if len(self.versions) > MOST_VERSIONS:
                del self.versions[next(iter(self.versions))]
            watches, any_dropped = self.followed.renew(self.versions.values())
            keep = version is self.version and not any_dropped
            self.version = version
            if not keep:
                self.refused.clear()
                self.run_by_python.clear()
                self.gave_up = False
            generators = tuple(map(python_random.numpys, self.drawn_from()))
            if (compiled := self.callable()) is not None:  # explain() and inspect() may be called of one that nobody keeps
                _npcc.watch(compiled, (*dependencies.watches, *watches), self.renew, keep, generators)

    def hand_over_shared(self, array):
        """Whether calls hand this array over from now on."""
        if not self.hands_over_arrays:
            return False
        hand_over(array)
        if not is_handed_over(array):
            return False
        if self.is_of_parts:
            raise CompileError("npcc: an argument shares memory with a global's array")  # the outer one has it as a parameter in the next attempt
        self.noted_arrays = noted[0]
        return True

    def found_changes(self):
        """Whether the compilation that failed has found what calls have to hand over: small arrays of globals into which the function stores, or
        containers and objects that it changes. The next one has them as parameters."""
        if self.is_of_parts or not self.hands_over_arrays or (self.noted_arrays == noted[0] and not assigned.any_changed()):
            return False
        any_array, self.noted_arrays = self.noted_arrays != noted[0], noted[0]
        before = len(self.assigned_globals())
        if self.callable is not None:
            self.renew()
        else:
            self.version = None
        assigned.forget_changed()
        return any_array or len(self.assigned_globals()) > before

    def dependencies(self):
        is_argument = is_handed_over if self.hands_over_arrays else None
        found = Dependencies(self.depends_on(), is_argument, changes_containers=self.changes_containers)
        if not found.assigned:
            return found
        shared = assigned.containers_in([assigned.value_of(place) for place in found.assigned if assigned.holds(place)])
        return Dependencies(self.depends_on(), is_argument, found.assigned, shared=shared)

    def depends_on(self):
        """What the code is made of."""
        return self.function

    def drawn_from(self):
        """The generators that compiled code draws from. Python's parts draw from the same: of the module `random` compiled code lends the state, so there all
        that is drawn is a part."""
        return tuple(g for g in self.version.dependencies.generators if not self.uses_python or type(g) is not random.Random)

    def python_generators(self):
        """The generators of Python's module `random` that calls may draw from."""
        return self.version.python_generators() if self.version else ()

    def global_arrays(self):
        """The arrays of globals that the code does not hold: those that calls have to hand over."""
        return tuple(self.version.dependencies.arrays) if self.version else ()

    def assigned_globals(self):
        """The globals that the function assigns to: calls hand over what they are and put back what they become."""
        with self.lock:
            if self.version is None and self.callable is not None:
                self.renew()
            return self.version.dependencies.assigned if self.version else ()

    def refuse(self, key, error):
        error.is_of_run = False
        if not self.fallback:
            raise error
        self.refused[key] = error
        return self.function

    def specialise_with_strings(self, types, arguments, missing):
        """(capsule, types). A string is a constant, which may name a mode or an axis, until it has changed a few times: then the parameter takes any
        string, where the function can be compiled so."""
        anyhow = self.any_string(types)
        if anyhow == types:
            return self.specialise_with_values(types, arguments, missing)
        seen = self.version.strings.setdefault(anyhow, set())
        if seen is not None:
            seen.add(types)
        if seen is not None and len(seen) > MOST_STRINGS:
            try:
                return self.specialise_with_values(anyhow, arguments, missing)
            except CompileError:
                self.version.strings[anyhow] = None
        return self.specialise_with_values(types, arguments, missing)

    def integers_of(self, types):
        """Which parameters take integers that may have to be known when the function is compiled."""
        return [k for k, t in enumerate(types) if t in ("int", "bool") and k >= self.first_integer]

    def specialise_with_values(self, types, arguments, missing):
        """(capsule, types). Where a function needs to know an integer when it is compiled (an axis), it is compiled for its value."""
        need_values = self.version.need_values
        if self.uses_python:  # its integers are the numbers of objects
            return self.specialise(types, missing), types
        if types in need_values:
            chosen = need_values[types]
            if sum(map(chosen.is_variant_of, self.compiled)) > MOST_VALUES:
                raise chosen.error
            valued = chosen.fill(types, arguments)
            try:
                return self.specialise(valued, missing), valued
            except CompileError as error:
                return self.specialise_to_raise(valued, error), valued
        try:
            return self.specialise(types, missing), types
        except CompileError as error:
            # Types that compile if something may be assumed, or fail for another reason: no value would change that.
            if missing.incomplete is not None or error.is_of_form:
                raise
            integers = self.integers_of(types)
            if len(integers) > MOST_KNOWN:
                return self.specialise_to_raise(types, error), types
            # One integer alone, before all of them: the others may be what changes from call to call.
            latest = error
            choices = [[k] for k in integers] + [integers] * (len(integers) > 1)
            if len(integers) > MOST_TRIED:  # those of a container: where all of them do not help, none does
                problems = self.check(KnownIntegers(types, integers, error).fill(types, arguments))
                if problems:
                    latest, choices = compile_error(problems), []
            for positions in choices:
                chosen = KnownIntegers(types, positions, error)
                valued = chosen.fill(types, arguments)
                try:
                    capsule = self.specialise(valued, missing)
                except CompileError as other:
                    latest = other
                    continue
                need_values[types] = chosen
                return capsule, valued
            # With all integers known, the error may be one of these values.
            if not latest.is_of_program:
                raise
            chosen = KnownIntegers(types, integers, error)
            valued = chosen.fill(types, arguments)
            capsule = self.specialise_to_raise(valued, latest)
            if integers:
                need_values[types] = chosen
            return capsule, valued

    def specialise_to_raise(self, types, error):
        """Code that raises where Python and NumPy would, for types with which they always do; `error` is what the compiler says of them."""
        if not error.is_of_program or assigned.any_changed():  # then the next one may do without the error
            raise error
        self.compiled[types] = self.load(types, general=True, raise_errors=True)
        return self.compiled[types]

    def specialise(self, types, missing):
        incomplete = missing.incomplete
        if incomplete is None:
            if types not in self.compiled:
                self.version.first_calls[types] = self.known_of_call(types, missing.arguments)
                first_call, on_host = self.first_call(types, missing.arguments), self.first_call_on_host(types, missing.arguments)
                self.version.first_calls_on_host[types] = on_host
                self.compiled[types] = self.load(types, general=False, first_call=first_call, on_host=on_host)
            return self.compiled[types]
        if self.compiled.get(types) is incomplete:
            # Calls like the first one run the code that was made for them, whatever calls came between. A few others get code of their own too.
            first_call, on_host, number = None, None, self.version.made_for.get(types, 1)
            if missing.other_alternatives and number < MOST_FIRST_CALLS:
                first_call, self.version.made_for[types] = self.first_call(types, missing.arguments), number + 1
                on_host = self.first_call_on_host(types, missing.arguments)
            more = self.load(types, general=not missing.other_alternatives, first_call=first_call, number=number, on_host=on_host)
            self.compiled[types] = _npcc.merge(incomplete, more)
        return self.compiled[types]
