"""Which functions of a script run long: a thread looks, fifty times a second, at what the script is doing.

Functions stay as they are until then, so that a script pays nothing for being watched but the looks themselves. One that has run for `after`
seconds gets code that calls `tiers.Trial` in its place: the function's object stays the same one, wherever the script has put it.

Like runner.py this file is imported without the package.
"""
import sys
import threading
import time
import types

INTERVAL = 0.02  # seconds between two looks
DEEPEST = 200  # frames that a look goes through


class Watch:
    def __init__(self, module, code, target, nan, after):
        self.module, self.target, self.nan, self.after = module, target, nan, after
        self.codes = {c: c.co_name for c in code.co_consts if isinstance(c, types.CodeType) and not c.co_name.startswith("<")}
        self.spent = dict.fromkeys(self.codes, 0.0)  # in Python, with what the function calls
        self.trials = {}  # code -> tiers.Trial, or a text that says why there is none
        self.compiled_spent = {}  # the code that calls compiled code -> seconds
        self.watched = threading.main_thread().ident
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._watch, name="npcc-watch", daemon=True)

    def start(self):
        if self.codes:
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
                if self.spent[code] >= self.after and code not in self.trials:
                    self.trials[code] = self._begin(code)
            elif code in self.compiled_spent:
                self.compiled_spent[code] += passed

    def _begin(self, code):
        """Has a function tried compiled from its next call on."""
        function = vars(self.module).get(code.co_name)
        if not isinstance(function, types.FunctionType) or function.__code__ is not code:
            return "it is decorated, or has another name"
        if code.co_flags & 0x2a0:  # generators and coroutines
            return "it is a generator"
        if code.co_freevars or vars(function):
            return "it has attributes"
        from npcc.tiers import Trial
        return Trial(function, self)

    def stop(self, report):
        self.ended.set()
        trials = {code: trial for code, trial in self.trials.items() if not isinstance(trial, str)}
        if not trials and not report:
            return
        sys.stdout.flush()
        for code, name in self.codes.items():
            trial = self.trials.get(code)
            if report:
                verdict = f"stayed in Python: {trial or 'it did not run long'}" if trial is None or isinstance(trial, str) else trial.verdict()
            elif code in trials and trial.refusals():
                verdict = trial.verdict()
            else:
                continue
            times = f" ({self.spent[code]:.2f} s in Python, {trial.compiled_seconds():.2f} s compiled)" if code in trials and report else \
                f" ({self.spent[code]:.2f} s)" if report else ""
            print(f"npcc: {name} ({code.co_filename}:{code.co_firstlineno}) {verdict}{times}", file=sys.stderr)

    def is_compiling(self):
        tiers = sys.modules.get("npcc.tiers")
        return tiers is not None and tiers.is_compiling()
