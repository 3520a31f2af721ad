"""Which functions of a script run long: a thread looks, fifty times a second, at what the script is doing.

Functions stay as they are until then, so that a script pays nothing for being watched but the looks themselves. One that has run for `after`
seconds gets code that calls `tiers.Trial` in its place: the function's object stays the same one, wherever the script has put it. Before that
a few calls are timed: those that are over before a call of compiled code could have begun are not worth to try.

Like runner.py this file is imported without the package.
"""
import importlib.util
import os
import statistics
import sys
import threading
import time
import types

INTERVAL = 0.02  # seconds between two looks
DEEPEST = 200  # frames that a look goes through
MEASURED = 9  # calls that are timed
SHORT_CALL = 100e-6  # seconds: compiled code rarely makes much of a call that is over sooner
PATIENCE = 4  # how many times as long as others functions of short calls run before they are tried: it costs a tenth of that
# Seconds that a call of compiled code takes at least, with arrays, numbers and strings only, with lists and tuples, and with objects and dicts.
CALL_OF_ARRAYS, CALL_OF_LISTS, CALL_OF_OBJECTS = 0.2e-6, 0.8e-6, 4e-6


def shortest_call(arguments):
    """The seconds that a call of compiled code takes at least."""
    shortest = CALL_OF_ARRAYS
    for value in arguments:
        if type(value) in (list, tuple):
            shortest = max(shortest, CALL_OF_LISTS)
        elif type(value) in (dict, set) or type(type(value)) is type and type(value).__module__ == "__main__":
            return CALL_OF_OBJECTS
    return shortest


def is_code(value):
    return isinstance(value, types.CodeType)


def is_of_class(code):
    """Whether code is what a class statement runs, and no function."""
    return not code.co_flags & 0x3  # CO_OPTIMIZED, CO_NEWLOCALS


class Measurement:
    """The time of a few calls of a function in Python, and whether a call of compiled code would take longer in any case."""

    def __init__(self, function, calling_code):
        self.function, self.code = function, function.__code__
        self.original = types.FunctionType(self.code, function.__globals__, function.__name__, function.__defaults__)
        self.original.__kwdefaults__ = function.__kwdefaults__
        self.running, self.times, self.is_short = False, [], False
        self.begin = None  # has the function tried from this call on
        function.__code__ = self.calling = calling_code(self.original, self.call)

    def call(self, *args, **kwargs):
        if self.running:
            return self.original(*args, **kwargs)
        if self.begin:
            return self.begin().call(*args, **kwargs)
        self.running = True
        begin = time.perf_counter()
        try:
            return self.original(*args, **kwargs)
        finally:
            self.times.append(time.perf_counter() - begin)
            self.running = False
            if len(self.times) == MEASURED:
                self.is_short = statistics.median(self.times) < shortest_call((*args, *kwargs.values()))
                self.end()

    def has_short_calls(self):
        return bool(self.times) and statistics.median(self.times) < SHORT_CALL

    def end(self):
        if self.function.__code__ is self.calling:
            self.function.__code__ = self.code

    def verdict(self):
        if not self.is_short:
            return "it was not called again when it had run long" if self.begin else "it did not run long"
        return f"a call takes {statistics.median(self.times) * 1e6:.3g} us, less than a call of compiled code"


class Watch:
    def __init__(self, module, code, target, nan, after, loops=()):
        self.module, self.target, self.nan, self.after, self.loops = module, target, nan, after, loops
        self.codes = {}  # of the functions of the top level and the methods of its classes: their names
        for constant in filter(is_code, code.co_consts):
            if is_of_class(constant):
                self.codes.update({c: c.co_qualname for c in filter(is_code, constant.co_consts) if not c.co_name.startswith("<")})
            elif not constant.co_name.startswith("<"):
                self.codes[constant] = constant.co_name
        self.spent = dict.fromkeys(self.codes, 0.0)  # in Python, with what the function calls
        self.trials = {}  # code -> tiers.Trial, or a text that says why there is none
        self.measurements = {}  # code -> (Measurement, what was spent when it began)
        self.compiled_spent = {}  # the code that calls compiled code -> seconds
        self.watched = threading.main_thread().ident
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._watch, name="npcc-watch", daemon=True)

    def start(self):
        if self.codes or self.loops:
            self.thread.start()

    def _watch(self):
        last, last_used = time.perf_counter(), time.process_time()
        while not self.ended.wait(INTERVAL):
            now, used = time.perf_counter(), time.process_time()
            passed = min(now - last, used - last_used)  # a script that waits computes nothing
            last, last_used = now, used
            self._look(passed)

    def _look(self, passed):
        frame, seen = sys._current_frames().get(self.watched), set()
        for _ in range(DEEPEST):
            if frame is None:
                break
            seen.add(frame.f_code)
            frame = frame.f_back
        for code in seen:
            if code in self.spent:
                self.spent[code] += passed
                if self.spent[code] >= self.after / 2 and code not in self.trials:
                    self._consider(code)
            elif code in self.compiled_spent:
                self.compiled_spent[code] += passed
        for loop in self.loops:
            if loop.trial is None and loop.is_hot():
                loop.begin(self)
        for trial in (*self.trials.values(), *(loop.trial for loop in self.loops)):
            if isinstance(trial, str) or trial is None:
                continue
            if trial.is_compiled and trial.compiled_seconds() > trial.next_check:
                trial.check_again()

    def _consider(self, code):
        """Has a function's calls timed, then has it tried compiled from its next call on."""
        function = self._function(code)
        if why := self._why_not(function, code):
            self.trials[code] = why
            return
        measurement, begun = self.measurements.get(code, (None, 0.0))
        if not measurement or measurement.is_short and self.spent[code] >= 2 * begun:
            self.measurements[code] = Measurement(function, _calling_code()), self.spent[code]
        elif self.spent[code] >= self.after * (PATIENCE if measurement.has_short_calls() else 1) and not measurement.is_short:
            if measurement.times:
                self._begin(function, code)
            else:  # one that is not called again, as most scripts have, needs nothing of the package
                measurement.begin = lambda: self._begin(function, code)

    def _begin(self, function, code):
        self.measurements[code][0].end()
        from npcc.tiers import Trial
        self.trials[code] = Trial(function, self, self.measurements[code][0].has_short_calls())
        return self.trials[code]

    def _function(self, code):
        """The function or method that has this name now."""
        cls, _, name = self.codes[code].rpartition(".")
        owner = vars(self.module).get(cls) if cls else self.module
        found = vars(owner).get(name) if isinstance(owner, (type, types.ModuleType)) else None
        return found.__func__ if isinstance(found, (staticmethod, classmethod)) else found

    def _why_not(self, function, code):
        measurement, _ = self.measurements.get(code, (None, 0.0))
        is_it = isinstance(function, types.FunctionType) and (function.__code__ is code or measurement and measurement.calling is function.__code__)
        if not is_it:
            return "it is decorated, or has another name"
        if code.co_flags & 0x2a0:  # generators and coroutines
            return "it is a generator"
        if code.co_freevars or vars(function):
            return "it has attributes"
        return ""

    def stop(self, report):
        self.ended.set()
        trials = {code: trial for code, trial in self.trials.items() if not isinstance(trial, str)}
        if not trials and not report and not any(loop.trial for loop in self.loops):
            return
        sys.stdout.flush()
        for code, name in self.codes.items():
            trial = self.trials.get(code)
            measurement, _ = self.measurements.get(code, (None, 0.0))
            if measurement and trial is None:
                trial = measurement.verdict()
            if report:
                verdict = f"stayed in Python: {trial or 'it did not run long'}" if trial is None or isinstance(trial, str) else trial.verdict()
            elif code in trials and trial.refusals():
                verdict = trial.verdict()
            else:
                continue
            times = f" ({self.spent[code]:.2f} s in Python, {trial.compiled_seconds():.2f} s compiled)" if code in trials and report else \
                f" ({self.spent[code]:.2f} s)" if report else ""
            print(f"npcc: {name} ({code.co_filename}:{code.co_firstlineno}) {verdict}{times}", file=sys.stderr)
        for loop in self.loops:
            if report or loop.trial and loop.trial.refusals():
                where = f"{loop.code.co_filename}:{loop.code.co_firstlineno}"
                print(f"npcc: the loop of line {loop.code.co_firstlineno} ({where}) {loop.verdict()}{loop.times() if report else ''}", file=sys.stderr)

    def is_compiling(self):
        tiers = sys.modules.get("npcc.tiers")
        return tiers is not None and tiers.is_compiling()


def _calling_code():
    """The function of calling_code.py, without the package."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "calling_code.py")
    spec = importlib.util.spec_from_file_location("npcc_calling_code", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.calling_code
