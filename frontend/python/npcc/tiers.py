"""A function that runs in Python until its compiled code is there and has shown that it is faster.

Code is made in another thread, one function at a time, while the script goes on in Python; the compiler holds the interpreter's lock only while it
reads the function. The first calls of compiled code are timed beside those in Python: what is not faster stays in Python.
"""
import inspect
import queue
import threading
import time
import types
import warnings

from .decorated_script import reason
from .errors import CompileError
from .jit import RUN_IN_PYTHON, Specialiser
from .parameters import has_variable_parameters
from .structured import StructuredSpecialiser

MOST_MADE = 8  # kinds of arguments that a function is compiled for
TIMED = 5  # calls of compiled code that are timed, without the first
MOST_IN_PYTHON = 100  # calls, while no code is being made, that find none
LONG = 0.2  # seconds of such calls after which fewer do

_jobs = queue.SimpleQueue()
_thread = None
_compiling = 0  # jobs that are not done


def is_compiling():
    return _compiling > 0


def _in_background(job):
    global _thread, _compiling
    _compiling += 1
    _jobs.put(job)
    if _thread is None:
        _thread = threading.Thread(target=_work, name="npcc-compile", daemon=True)
        _thread.start()


def _work():
    global _compiling
    while True:
        job = _jobs.get()
        try:
            job()
        finally:
            _compiling -= 1


class Pending(Exception):
    """The code for a call is not there yet."""


class _InBackground:
    """What a Specialiser compiles, it compiles in the background; meanwhile calls run in Python."""

    def prepare(self, trial):
        self.trial = trial
        self.asked, self.failed = {}, {}  # by types: whether it is under way; why there is no code
        self.worker = None

    def resolve(self, arguments, incomplete, other_alternatives):
        if not self.lock.acquire(blocking=False):  # it is being compiled
            return self.in_python()
        try:
            return super().resolve(arguments, incomplete, other_alternatives)
        except Pending:
            return self.in_python()
        finally:
            self.lock.release()

    def in_python(self):
        self.trial.ran_in_python = True
        return self.trial.run_in_python

    def refuse(self, key, error):
        self.trial.ran_in_python = True
        return super().refuse(key, error)

    def specialise_with_strings(self, types_, arguments, missing):
        if types_ in self.failed:
            raise self.failed[types_]
        try:
            return super().specialise_with_strings(types_, arguments, missing)
        except Pending:
            key = (types_, id(missing.incomplete), missing.other_alternatives)
            if key not in self.asked and len(self.asked) < MOST_MADE:
                self.asked[key] = True
                self.trial.wait_for_more()
                _in_background(lambda: self._make(types_, arguments, missing))
            raise

    def _make(self, types_, arguments, missing):
        with self.lock:
            self.worker = threading.get_ident()
            try:
                super().specialise_with_strings(types_, arguments, missing)
            except CompileError as error:
                self.failed[types_] = error
            except Exception as error:
                self.failed[types_] = CompileError(str(error))
            finally:
                self.worker = None
        self.trial.made()

    def compile(self, types_, options):
        if threading.get_ident() != self.worker:
            raise Pending
        for option in ("prepare", "tiers"):  # the call that they are for is over
            options.pop(option, None)
        return super().compile(types_, options)


class TieredSpecialiser(_InBackground, Specialiser):
    def call_structured(self, arguments, call_in_python, grows=False, uses_python=False):
        def call():
            self.trial.ran_in_python = True
            return self.trial.timed(call_in_python)

        if not self.lock.acquire(blocking=False):
            return call()
        self.lock.release()
        return super().call_structured(arguments, call, grows, uses_python)

    def make_inner(self, taken):
        inner = TieredStructuredSpecialiser(self, taken)
        inner.prepare(self.trial)
        return inner


class TieredStructuredSpecialiser(_InBackground, StructuredSpecialiser):
    def in_python(self):
        self.trial.ran_in_python = True
        return lambda *leaves: RUN_IN_PYTHON


class Trial:
    """One function: in Python, being tried, or compiled."""

    def __init__(self, function, watch):
        self.function, self.watch, self.code = function, watch, function.__code__
        self.ran_in_python = False
        self.running = 0
        self.python, self.compiled_ = [0, 0.0], [0, 0.0]  # calls, seconds
        self.why = ""
        self.is_compiled = False
        self.lock = threading.Lock()
        self.waiting, self.is_waiting = 0, False  # for how much code; whether the function is as it was meanwhile
        original = types.FunctionType(self.code, function.__globals__, function.__name__, function.__defaults__)
        original.__kwdefaults__, original.__module__, original.__qualname__ = function.__kwdefaults__, function.__module__, function.__qualname__
        original.__doc__, original.__annotations__ = function.__doc__, dict(function.__annotations__)
        self.original = original
        from . import targets
        chosen = targets.find(watch.target) if watch.target is not None else None
        self.specialiser = TieredSpecialiser(original, chosen, 1, True, True, dict(arch=None, cpu=None, nan=watch.nan, matmul="exact"))
        self.specialiser.prepare(self)
        self.compiled = (self.specialiser.make_variable_callable() if has_variable_parameters(original) else self.specialiser.make_callable())
        # What the compiler looks at where others call the function: as in what npcc.jit gives.
        function.__wrapped__ = function.py_func = original
        function.fallbacks = self.specialiser.refused
        self._put(self.call)

    def _put(self, callee):
        """Has the function's object call something else."""
        code = calling_code(self.original, callee)
        self.watch.compiled_spent[code] = self.watch.compiled_spent.get(self.function.__code__, 0.0)
        self.function.__code__ = code

    def timed(self, function, *args, **kwargs):
        begin = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            self.python[0] += 1
            self.python[1] += time.perf_counter() - begin

    def run_in_python(self, *args, **kwargs):
        return self.timed(self.original, *args, **kwargs)

    def call(self, *args, **kwargs):
        if self.running:  # called by itself, in Python
            return self.original(*args, **kwargs)
        self.ran_in_python = False
        self.running += 1
        begin = time.perf_counter()
        try:
            return self.compiled(*args, **kwargs)
        finally:
            if not self.ran_in_python:
                self.compiled_[0] += 1
                # The first call of compiled code makes things ready.
                self.compiled_[1] += time.perf_counter() - begin if self.compiled_[0] > 1 else 0.0
            self.running -= 1
            self._decide()

    def wait_for_more(self):
        with self.lock:
            self.waiting += 1

    def made(self):
        """Called in the other thread, when code is there or it is known that there is none."""
        with self.lock:
            self.waiting -= 1
            self._go_on()

    def _go_on(self):
        if self.is_waiting and not self.waiting:
            self.is_waiting = False
            self._put(self.call)

    def _decide(self):
        calls = self.compiled_[0] - 1
        if self.refusals():
            self._stay(f"ran in Python: {reason(self.refusals()[0])}")
        elif self.waiting and self.python[0] >= TIMED:
            with self.lock:
                self.is_waiting = True  # nothing is between the function and its callers until made()
                self.function.__code__ = self.code
                self._go_on()
        elif not self.waiting and calls < 1 and self.python[0] > MOST_IN_PYTHON:
            self._stay("stayed in Python: it is called with ever other types")
        elif calls >= TIMED or calls >= 1 and self.compiled_[1] > LONG:
            compiled = self.compiled_[1] / calls
            python = self.python[1] / self.python[0] if self.python[0] else float("inf")
            if compiled > python:
                self._stay(f"stayed in Python: a call takes {python * 1e6:.3g} us there, compiled {compiled * 1e6:.3g} us")
            else:
                self.is_compiled = True
                self._put(self.compiled)

    def _stay(self, why):
        self.why = why
        self.function.__code__ = self.code
        for name in ("__wrapped__", "py_func", "fallbacks"):
            vars(self.function).pop(name, None)

    def refusals(self):
        return list(self.specialiser.refused.values())

    def verdict(self):
        if self.is_compiled:
            return "was compiled"
        if not self.why and not self.python[0]:
            return "stayed in Python: it was not called again when it had run long"
        return self.why or "stayed in Python: its code was ready too late"

    def compiled_seconds(self):
        return self.watch.compiled_spent.get(self.function.__code__, 0.0)


def calling_code(function, callee):
    """The code of a function with the parameters of `function` that calls `callee` with them."""
    parameters = inspect.signature(function).parameters.values()
    shown, given = [], []
    kinds = [p.kind for p in parameters]
    for k, p in enumerate(parameters):
        default = "" if p.default is p.empty else "=None"
        if p.kind is p.VAR_POSITIONAL:
            shown.append(f"*{p.name}")
            given.append(f"*{p.name}")
        elif p.kind is p.VAR_KEYWORD:
            shown.append(f"**{p.name}")
            given.append(f"**{p.name}")
        elif p.kind is p.KEYWORD_ONLY:
            if p.VAR_POSITIONAL not in kinds and "*" not in shown:
                shown.append("*")
            shown.append(p.name + default)
            given.append(f"{p.name}={p.name}")
        else:
            if k and kinds[k - 1] is p.POSITIONAL_ONLY and p.kind is not p.POSITIONAL_ONLY:
                shown.append("/")
            shown.append(p.name + default)
            given.append(p.name)
    if kinds and kinds[-1] is inspect.Parameter.POSITIONAL_ONLY:
        shown.append("/")
    place = "the callee"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # a string is not callable: the callee takes its place
        made = compile(f"def {function.__name__}({', '.join(shown)}): return {place!r}({', '.join(given)})", function.__code__.co_filename, "exec")
    code = next(c for c in made.co_consts if isinstance(c, types.CodeType))
    constants = tuple(callee if c == place else c for c in code.co_consts)
    return code.replace(co_consts=constants, co_firstlineno=function.__code__.co_firstlineno, co_qualname=function.__qualname__)
