# RUN: %python %s
"""What `npcc run` decides of the times of calls, by a clock that the calls themselves move on."""
import types

from npcc import hot_functions, tiers


class Clock:
    now = 0.0

    def perf_counter(self):
        return self.now


clock = Clock()
tiers.time = hot_functions.time = clock
in_python, in_code = 1e-6, 1e-7  # seconds of a call


def function(x):
    clock.now += in_python
    return x + 1


def compiled(x):
    clock.now += in_code
    return x + 1


def tried():
    watch = types.SimpleNamespace(target="cpu", nan=False, compiled_spent={})
    copy = types.FunctionType(function.__code__, globals(), "function")
    trial = tiers.Trial(copy, watch)
    trial.compiled = compiled
    trial.calling["compiled"] = hot_functions._calling_code()(copy, compiled)
    trial.watch.compiled_spent[trial.calling["compiled"]] = 0.0
    return trial, copy


def called(copy, times):
    for _ in range(times):
        assert copy(1) == 2


# A call of compiled code is shorter, until the script goes on with something else.
trial, copy = tried()
called(copy, 40)
assert trial.is_compiled and copy.__code__ is trial.calling["compiled"]
trial.check_again()
called(copy, 40)
assert trial.is_compiled
in_code = 2e-6
trial.check_again()
called(copy, 40)
assert not trial.is_compiled and copy.__code__ is function.__code__, trial.verdict()

# One call that another thread holds up decides nothing.
in_code = 2e-6
trial, copy = tried()
called(copy, 8)
in_python = 5e-3
called(copy, 2)
in_python = 1e-6
called(copy, 40)
assert not trial.is_compiled and "stayed in Python" in trial.verdict()

# A call in Python that is over before one of compiled code could have begun.
for seconds, argument, is_short in [(1e-6, [1], False), (0.5e-6, [1], True), (0.5e-6, 1, False), (2e-6, {}, True), (0.1e-6, 1, True)]:
    measured = types.FunctionType((lambda x: (clock.__setattr__("now", clock.now + in_python), x)[1]).__code__, globals(), "measured")
    in_python = seconds
    measurement = hot_functions.Measurement(measured, hot_functions._calling_code())
    for _ in range(hot_functions.MEASURED):
        measured(argument)
    assert measurement.is_short == is_short and measured.__code__ is measurement.code, (seconds, argument)
