"""A function that runs in Python until its compiled code is there and has shown that it is faster.

Code is made in another thread, one function at a time, while the script goes on in Python; the compiler holds the interpreter's lock only while it
reads the function. The first calls of compiled code are timed beside those in Python: what is not faster stays in Python. Short calls are timed in turns, and
again from time to time, because a script may go on with smaller arrays or other types, of which a call costs more than what it computes.
"""
import collections
import queue
import statistics
import threading
import time
import types

from .attempts import RUN_IN_PYTHON
from .calling_code import calling_code
from .decorated_script import reason
from .errors import CompileError
from .jit import Specialiser
from .parameters import has_variable_parameters
from .structured import StructuredSpecialiser

MOST_MADE = 8  # kinds of arguments that a function is compiled for
TIMED = 5  # calls of compiled code that are timed, without the first
MOST_IN_PYTHON = 100  # calls, while no code is being made, that find none
LONG = 0.2  # seconds of such calls after which fewer do
CHEAP = 50e-6  # seconds of a call of compiled code: shorter ones are timed in turns with calls in Python
CALL = 1e-7  # seconds that the code which calls compiled code adds to it
CLEAR = 10  # how many times as long a call in Python takes where no more of them are needed
CHECKED = 0.2  # seconds that compiled code runs between two checks whether it is still faster

SHARE = 0.1  # of the script's time, what code for functions of short calls may cost: few of them get faster
LOADING = 0.3  # seconds that it takes to load the package and the compiler

_jobs = queue.SimpleQueue()  # (Trial, what makes its code)
_thread = None
_is_compiling = False
_spent, _last = LOADING, 0.0  # seconds for all code so far, and for the last


def is_compiling():
    return _is_compiling


def _in_background(trial, job):
    global _thread
    _jobs.put((trial, job))
    if _thread is None:
        _thread = threading.Thread(target=_work, name="npcc-compile", daemon=True)
        _thread.start()


def _may_begin(trial):
    """Whether code for a trial costs little of the script's time so far, if it takes as long to make as the last one."""
    return not trial.has_short_calls or (_spent + _last) * trial.watch.after <= SHARE * time.process_time()


def _work():
    global _is_compiling, _spent, _last
    while True:
        trial, job = _jobs.get()
        if not _may_begin(trial):
            _jobs.put((trial, job))
            time.sleep(0.05)
            continue
        begin, _is_compiling = time.thread_time(), True
        try:
            job()
        finally:
            _is_compiling = False
            _last = time.thread_time() - begin
            _spent += _last


class Pending(Exception):
    """The code for a call is not there yet."""


class _InBackground:
    """What a Specialiser compiles, it compiles in the background; meanwhile calls run in Python."""

    def prepare(self, trial):
        self.trial = trial
        self.asked, self.failed = {}, {}  # by types: whether it is under way; why there is no code
        self.worker = None

    def resolve(self, arguments, incomplete, reason):
        if not self.lock.acquire(blocking=False):  # it is being compiled
            return self.in_python()
        try:
            return super().resolve(arguments, incomplete, reason)
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
                _in_background(self.trial, lambda: self._make(types_, arguments, missing))
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
        self.trial.ran_in_python = False
        return super().call_structured(arguments, call, grows, uses_python)

    def call_otherwise(self, taken, arguments, call_in_python, error):
        result, known = super().call_otherwise(taken, arguments, call_in_python, error)
        return result, set() if self.trial.ran_in_python else known  # whether there will be such code, nobody knows yet

    def make_inner(self, taken):
        inner = TieredStructuredSpecialiser(self, taken)
        inner.prepare(self.trial)
        return inner


class TieredStructuredSpecialiser(_InBackground, StructuredSpecialiser):
    def in_python(self):
        self.trial.ran_in_python = True
        return lambda *leaves: RUN_IN_PYTHON


class Times:
    """How long calls took. Other threads hold the interpreter for milliseconds now and then: the median tells, and no sum."""

    def __init__(self):
        self.count, self.total, self.latest = 0, 0.0, collections.deque(maxlen=2 * TIMED + 1)

    def add(self, seconds):
        self.count += 1
        self.total += seconds
        self.latest.append(seconds)

    def typical(self):
        return statistics.median(self.latest) if self.latest else float("inf")


class Trial:
    """One function: in Python, being tried, or compiled."""

    def __init__(self, function, watch, has_short_calls=False):
        self.function, self.watch, self.code, self.has_short_calls = function, watch, function.__code__, has_short_calls
        self.ran_in_python = False
        self.running = 0
        self.python, self.compiled_ = Times(), Times()
        self.is_ready = False  # whether compiled code has been called: the first call makes things ready
        self.takes_turns = False  # whether every other call runs in Python
        self.next_check, self.interval = CHECKED, CHECKED  # seconds of compiled code
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
        self.calling = {name: calling_code(original, getattr(self, name)) for name in ("call", "compiled")}
        watch.compiled_spent.update(dict.fromkeys(self.calling.values(), 0.0))
        self._put("call")

    def _put(self, callee):
        """Has the function's object call something else."""
        self.function.__code__ = self.calling[callee]

    def timed(self, function, *args, **kwargs):
        begin = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            self.python.add(time.perf_counter() - begin)

    def run_in_python(self, *args, **kwargs):
        return self.timed(self.original, *args, **kwargs)

    def call(self, *args, **kwargs):
        if self.running:  # called by itself, in Python
            return self.original(*args, **kwargs)
        self.running += 1
        if self.takes_turns and self.python.count < self.compiled_.count:
            try:
                return self.run_in_python(*args, **kwargs)
            finally:
                self.running -= 1
                self._decide()
        self.ran_in_python = False
        begin = time.perf_counter()
        try:
            return self.compiled(*args, **kwargs)
        finally:
            if not self.ran_in_python:
                if self.is_ready:
                    self.compiled_.add(time.perf_counter() - begin)
                self.is_ready = True
            self.running -= 1
            self._decide()

    def check_again(self):
        """Called in the thread that watches: has the next calls timed."""
        with self.lock:
            if self.is_compiled:
                self.is_compiled = self.takes_turns = False
                self.compiled_, self.python = Times(), Times()
                self._put("call")

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
            self._put("call")

    def _decide(self):
        calls, compiled, python = self.compiled_.count, self.compiled_, self.python
        if self.is_compiled:  # by another thread
            return
        if self.refusals():
            self._stay(f"ran in Python: {reason(self.refusals()[0])}")
        elif self.waiting and python.count >= TIMED:
            with self.lock:
                self.is_waiting = True  # nothing is between the function and its callers until made()
                self.function.__code__ = self.code
                self._go_on()
        elif not self.waiting and calls < 1 and python.count > MOST_IN_PYTHON:
            self._stay("stayed in Python: it is called with ever other types")
        elif calls >= TIMED and not self.takes_turns and compiled.typical() < CHEAP:
            self.takes_turns, self.compiled_, self.python = True, Times(), Times()
        elif self.takes_turns and (python.count < 2 or python.count < TIMED and min(python.latest) < CLEAR * CHEAP):
            return
        elif calls >= TIMED or calls >= 1 and compiled.total > LONG or self.takes_turns:
            if compiled.typical() + CALL > python.typical():
                self._stay(f"stayed in Python: a call takes {python.typical() * 1e6:.3g} us there, compiled {compiled.typical() * 1e6:.3g} us")
                return
            is_clear = self.takes_turns and python.typical() > CLEAR * compiled.typical()
            self.interval *= 2 if is_clear else 1
            with self.lock:
                self.next_check = self.compiled_seconds() + self.interval
                self.is_compiled, self.takes_turns = True, False
                self._put("compiled")

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
        if not self.why and not self.python.count:
            return "stayed in Python: it was not called again when it had run long"
        return self.why or "stayed in Python: its code was ready too late"

    def compiled_seconds(self):
        return sum(self.watch.compiled_spent[code] for code in self.calling.values())
