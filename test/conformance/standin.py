"""The stand-in for NumPy in its own tests: compiles each call that npcc can take, compares it with NumPy's of the same arguments, and hands the
compiled call's result to the test.

A call is made three times: by NumPy on a copy of the arguments, by compiled code on another copy, and, if both came to the same, by compiled code on
the test's own arguments. Where they did not, or npcc refuses, the test gets what NumPy gives, so that one fault is not seen as many.
"""

from __future__ import annotations

import collections
import linecache
import operator
import os
import threading
import warnings
import zlib

import numpy as np
import pytest

import npcc
from fuzz.outcome import Outcome, is_limit, leaves, plain, reason, sharing
from npcc import _npcc

from . import comparison, forms
from .snapshot import MOST_BYTES, Snapshot, TooLarge

PASSED, RAISES, REFUSED, EARLY, DIFFERENT, INTERNAL, SKIPPED = "passed", "raises", "refused", "early", "different", "internal", "skipped"
MOST_REPEATS = 40  # of one form and combination of types; what a loop calls more often is NumPy's from there on
MOST_CALLS = 5000  # of one test; loops over an array's elements make millions, which are NumPy's from there on
SIGNS = {sign: function for function, sign in forms.OPERATORS.items()}
IN_PLACE = {sign: getattr(operator, "i" + function.__name__.rstrip("_")) for sign, function in SIGNS.items() if hasattr(operator, "i" + function.__name__.rstrip("_"))}
ALONE = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
# What calls a function of its arguments: the function it calls is compiled too.
CALLERS = {pytest.raises, pytest.warns} | {getattr(np.testing, name) for name in ("assert_raises", "assert_raises_regex", "assert_warns", "assert_no_warnings")}


class Compiled:
    """One form, in Python and compiled."""

    def __init__(self, form):
        source = form.source
        file = f"<{source.strip()}>"  # the place is part of the name in the cache of compiled code: the same in each run
        linecache.cache[file] = len(source), None, source.splitlines(True), file
        names = {"np": np, "__name__": "conformance"}
        if form.statement:
            exec(compile(source, file, "exec"), names)
            self.python = names.pop("form")
        else:
            self.python = eval(compile(source.strip(), file, "eval"), names)
        self.jit = npcc.jit(target="cpu")(self.python)
        self.repeats = collections.Counter()


class StandIn:
    def __init__(self, journal, sample=1.0, avoid=(), exact=False):
        self.journal = journal  # the descriptor of a file that says what is being done, for who finds this process dead
        self.sample = sample
        self.exact = exact  # the test gets NumPy's results in any case
        self.avoid = set(avoid)  # what ended an earlier process
        self.compiled = {}
        self.active = self.busy = False
        self.thread = threading.get_ident()
        self.number = 0
        self.begin("")

    def begin(self, test):
        self.test = test
        self.left = MOST_CALLS
        self.calls = collections.Counter()
        self.reasons = collections.Counter()
        self.failures = []
        self.forms = {}  # (text, types) -> verdict

    def note(self, *words):
        text = "\t".join(map(str, words)).encode()[:2000]
        os.ftruncate(self.journal, len(text))
        os.pwrite(self.journal, text, 0)

    def names(self):
        """What the changed test modules call: see rewrite.py."""
        methods = "call operate operate_alone operate_in_place attribute item set_item update_item".split()
        return {name: getattr(self, name) for name in methods}

    # ---- What stands in a test ----

    @property
    def is_idle(self):
        return not self.active or self.busy or self.left <= 0 or threading.get_ident() != self.thread

    def call(self, function, /, *arguments, **keywords):
        if self.is_idle:
            return function(*arguments, **keywords)
        try:
            is_caller = function in CALLERS
        except TypeError:
            is_caller = False
        if is_caller:
            arguments = [self.wrapped(a) for a in arguments]
        else:
            form = forms.of_call(function, arguments, keywords)
            if form:
                return self.judge(form, lambda: function(*arguments, **keywords))
        return function(*arguments, **keywords)

    def wrapped(self, value):
        """A function among the arguments of `assert_raises`: called as if the test did."""
        if not callable(value) or isinstance(value, type):
            return value

        def called(*arguments, **keywords):
            return self.call(value, *arguments, **keywords)

        return called

    def operate(self, sign, left, right):
        if self.is_idle or not (forms.is_array(left) or forms.is_array(right)):
            return SIGNS[sign](left, right)
        return self.judge(forms.of_operator(sign, left, right), lambda: SIGNS[sign](left, right))

    def operate_alone(self, sign, operand):
        if self.is_idle or not forms.is_array(operand):
            return ALONE[sign](operand)
        return self.judge(forms.of_unary(sign, operand), lambda: ALONE[sign](operand))

    def operate_in_place(self, sign, target, operand):
        if self.is_idle or not forms.is_array(target):
            return IN_PLACE[sign](target, operand)
        return self.judge(forms.of_update(sign, target, operand), lambda: IN_PLACE[sign](target, operand))

    def attribute(self, value, name):
        if self.is_idle or not forms.is_array(value):
            return getattr(value, name)
        return self.judge(forms.of_attribute(value, name), lambda: getattr(value, name))

    def item(self, value, index):
        if self.is_idle or not forms.is_array(value):
            return value[index]
        return self.judge(forms.of_item(value, index), lambda: value[index])

    def set_item(self, item, value, index):
        def store():
            value[index] = item

        if self.is_idle or not isinstance(value, np.ndarray):
            return store()
        return self.judge(forms.of_store(value, index, item), store)

    def update_item(self, sign, value, index, item):
        def update():
            value[index] = IN_PLACE[sign](value[index], item)

        if self.is_idle or not isinstance(value, np.ndarray):
            return update()
        return self.judge(forms.of_store(value, index, item, sign), update)

    # ---- Judging ----

    def judge(self, form, original):
        """What the call gives, or raises. `original` is the test's own call."""
        self.busy = True
        self.left -= 1
        try:
            run, function = self.verdict_of(form)
        finally:
            self.busy = False
            self.note("idle", self.test)
        if not run or self.exact:
            return original()
        self.busy = True
        try:
            self.note("call", self.test, self.number, form.source.strip(), "")
            return function.jit(*form.arguments)
        finally:
            self.busy = False
            self.note("idle", self.test)

    def verdict_of(self, form):
        """(whether the test gets the compiled call's result, the form's functions)."""
        source = form.source
        try:
            types = _npcc.types_of(tuple(form.arguments))
        except (TypeError, OverflowError) as error:
            return self.refuse(form, str(error), (source, str(error))), None
        constants = tuple(repr(a) for t, a in zip(types, form.arguments) if t is None)
        key = source, types, constants
        described = f"{source.strip()} of {', '.join(str(t) for t in types)}"
        if described in self.avoid or self.sample < 1 and zlib.crc32(described.encode()) % 1000 >= self.sample * 1000:
            return self.count(SKIPPED), None
        if source not in self.compiled:
            try:
                self.compiled[source] = Compiled(form)
            except (SyntaxError, ValueError, MemoryError):  # of Python's: numbers of too many digits
                return self.count(SKIPPED), None
        function = self.compiled[source]
        function.repeats[types] += 1
        if function.repeats[types] > MOST_REPEATS:
            return self.count(SKIPPED), None
        if comparison.is_open(form.function):
            return self.count(SKIPPED), None
        try:
            snapshot = Snapshot(form.arguments)
        except TooLarge:
            return self.count(SKIPPED), None
        self.number += 1
        self.note("call", self.test, self.number, described)
        try:
            want, warned = observe(function.python, snapshot.take())
            got, _ = observe(function.jit, snapshot.take(), True)
        except TooLarge:
            return self.count(SKIPPED), None
        return self.weigh(form, key, described, snapshot, want, got, function) and not warned, function

    def weigh(self, form, key, described, snapshot, want, got, function):
        """Whether the compiled call did what NumPy's did; counts the verdict."""
        if got.refused:
            words = got.refused
            if "internal" in words or got.error and got.error[0] == "RuntimeError" and words.startswith("npcc:"):
                return self.fail(form, key, described, INTERNAL, "internal error", words)
            named = comparison.named_error(words)
            if want.error:
                fits = named and comparison.kind_of(named) == comparison.kind_of(want.error[0])
                says = "known when compiled" if fits else "refused"
                if named and not fits:
                    return self.fail(form, key, described, DIFFERENT, "wrong error", f"NumPy raises {': '.join(want.error)}; got {words}")
                self.reasons[f"{form.function}\t{want.error[0]}\t{says}\t{words}"] += self.is_new(key)
                return self.count(EARLY, key)
            if named and named != "ComplexWarning":
                return self.fail(form, key, described, DIFFERENT, "refused as an error", words)
            return self.refuse(form, words, key)
        found = comparison.compare(form.function, want, got, lambda noise: observe(function.python, [disturbed(a, noise) for a in snapshot.take()])[0])
        if found:
            return self.fail(form, key, described, DIFFERENT, *found, [short(a) for a in form.arguments])
        self.count(RAISES if want.error else PASSED, key)
        return True

    def is_new(self, key):
        return key not in self.forms

    def count(self, verdict, key=None):
        self.calls[verdict] += 1
        if key is not None:
            self.forms.setdefault(key, verdict)
        return False

    def refuse(self, form, words, key):
        self.reasons[f"{form.function}\t\trefused\t{words}"] += self.is_new(key)
        return self.count(REFUSED, key)

    def fail(self, form, key, described, verdict, kind, detail, arguments=()):
        if self.is_new(key):
            self.failures.append(dict(function=form.function, call=described, arguments=list(arguments), verdict=verdict, kind=kind, detail=detail[:600]))
        return self.count(verdict, key)


def disturbed(value, noise):
    if isinstance(value, np.ndarray):
        if value.flags.writeable and value.dtype.kind in "fc":
            value[...] = noise(value.copy())
        return value
    if type(value) in (tuple, list):
        return type(value)(disturbed(item, noise) for item in value)
    return noise(value)


def short(value):
    text = repr(value).replace("\n", "")
    return text if len(text) < 160 else text[:157] + "..."


def copied(value):
    """As outcome.plain; a named tuple stays one."""
    if hasattr(value, "_make"):
        return type(value)._make(map(copied, value))
    if type(value) in (tuple, list):
        return type(value)(map(copied, value))
    if isinstance(value, np.generic) and value.dtype.char in "qQ":
        return value.astype(value.dtype.char.translate(LONG))
    return plain(value)


# C's long long is a type of its own in NumPy, with long's dtype. npcc has one type for each dtype.
LONG = str.maketrans("qQ", "lL")


def observe(function, arguments, is_compiled=False):
    """(the outcome of a call, whether it warned)."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        with np.errstate(**{kind: "warn" if how != "ignore" else "ignore" for kind, how in np.geterr().items()}):
            try:
                value, error = function(*arguments), None
            except npcc.CompileError as refused:
                return Outcome(refused=reason(refused)), False
            except Exception as raised:
                value, error = None, (type(raised).__name__, str(raised))
                if is_compiled and (is_limit(*error) or error[1].startswith("npcc:")):
                    return Outcome(refused=error[1], error=error), False
    if any(isinstance(leaf, np.ndarray) and leaf.nbytes > MOST_BYTES for _, leaf in leaves(value)):
        raise TooLarge
    shares = [] if error else sharing(value, arguments)
    shares += [(path, "read-only") for path, leaf in leaves(value) if isinstance(leaf, np.ndarray) and not leaf.flags.writeable]
    return Outcome(copied(value), [copied(a) for a in arguments], shares, error), bool(heard)
