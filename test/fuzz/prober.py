"""Judges the rows of one combination of dtypes: compiled together as far as they can be, and compared with NumPy's."""

from __future__ import annotations

import collections
import contextlib
import io
import linecache
import math

import numpy as np

from . import probe_rules as rules
from . import probe_table as table
from .compare import difference
from .outcome import Outcome, observe

PASS, REFUSED, RAISES, JOINED = "pass", "refused", "raises", "joined"
ERRORS = (
    "ValueError",
    "TypeError",
    "IndexError",
    "OverflowError",
    "ZeroDivisionError",
    "AttributeError",
    "AxisError",
    "UFuncTypeError",
    "RuntimeError",
    "LinAlgError",
    "AssertionError",
    "NotImplementedError",
    "ComplexWarning",
    "OverflowError",
    "UFuncNoLoopError",
    "UFuncBinaryResolutionError",
)


def kind_of(error):
    """What a type of error is where it is caught: NumPy's own types of ufuncs are TypeErrors."""
    return "TypeError" if error.lstrip("_").startswith("UFunc") else error


def unpacked(name, value):
    """The target for a value, and the expressions that give its leaves: compiled functions return no tuple in a
    tuple."""
    if not isinstance(value, tuple):
        return name, [name]
    parts = [unpacked(f"{name}_{k}", item) for k, item in enumerate(value)]
    return "(" + "".join(target + ", " for target, _ in parts) + ")", [leaf for _, leaves in parts for leaf in leaves]


class Source:
    """One function made of many rows, and which row a line is of. Each row that changes x in place has an x of its
    own: `copies` more parameters."""

    serial = 0

    def __init__(self, rows, parameters, kind, samples=()):
        lines, self.row_of, results, self.copies, self.leaves = [""], {}, [], 0, []
        for number, row in enumerate(rows):
            if row.startswith("t = x; t "):
                self.copies += 1
                row = f"t = x{self.copies}{row[5:]}"
            if row.startswith(("assert", "raise")):
                first = row.split("; ")
            elif kind == "text":
                first = [f"print({row})"]
            else:
                *first, last = row.split("; ")
                target, leaves = unpacked(f"r{number}", samples[number] if samples else None)
                first, results = [*first, f"{target} = {last}"], results + leaves
                self.leaves.append(len(leaves))
            for line in first:
                lines.append("    " + line)
                self.row_of[len(lines)] = number
        lines.append(f"    return ({', '.join(results)},)" if results else "    return 0")
        lines[0] = f"def probe({', '.join([*parameters, *(f'x{k + 1}' for k in range(self.copies))])}):"
        text = "\n".join(lines) + "\n"
        Source.serial += 1
        self.file = f"<probe {Source.serial}>"
        linecache.cache[self.file] = len(text), None, text.splitlines(True), self.file
        names = {"np": np, "math": math, "__name__": "probe"}
        exec(compile(text, self.file, "exec"), names)
        self.function = names["probe"]

    def forget(self):
        linecache.cache.pop(self.file, None)

    def arguments(self, values):
        return [a.copy() if isinstance(a, np.ndarray) else a for a in [*values, *[values[0]] * self.copies]]

    def results(self, value):
        """One value for each row: what `unpacked` took apart is a flat tuple."""
        value = iter(value)
        return [next(value) if count == 1 else tuple(next(value) for _ in range(count)) for count in self.leaves]


def flat(value):
    return tuple(leaf for item in value for leaf in (flat(item) if isinstance(item, tuple) else (item,)))


def call(function, source, values, printed=None, refusal=()):
    """The outcome without what tuples were in tuples."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        outcome = observe(function, source.arguments(values), refusal)
    if printed is not None:
        printed.append(out.getvalue())
    outcome.shares, outcome.arguments = [], []
    return outcome


# Rows whose results have as many elements as x says.
LONG = ("arange", "bincount", "[x] *")


def is_long(row, values):
    """Of too many elements, or a Python integer of too many digits."""
    if (
        any(word in row for word in ("**", "<<", "pow"))
        and any(isinstance(v, int) and abs(v) > 1000 for v in values)
        or "2**40" in row
        and isinstance(values[0], int)
    ):
        return True
    return any(word in row for word in LONG) and any(abs(n) > 1000 for v in values for n in np.ravel(v).tolist())


class Prober:
    """Judges the rows of one combination."""

    def __init__(self, target, begin=lambda row: None):
        import npcc

        self.begin = begin
        self.npcc, self.target = npcc, target
        self.counts, self.failures, self.reasons = collections.Counter(), [], collections.Counter()

    def diagnostics(self, source, arguments):
        """The first error of each row that is refused."""
        from npcc import _npcc

        types = tuple(_npcc.types_of(tuple(source.arguments(arguments))))
        if any(t is None for t in types):
            return {0: "an argument that has no type"}
        code, diagnostics, *_ = _npcc.compile(
            source.function, types, dict(target=self.target, general=False, devices=1, cpu="native")
        )
        if code is not None:
            return {}
        found = {}
        for one in diagnostics:
            if one["is_error"]:
                rows = [source.row_of.get(one["line"])] if one["file"] == source.file else []
                found.setdefault(rows[0] if rows else None, one["message"])
        return found or {None: "no message"}

    def probe(self, kind, forms, rows):
        parameters = ["x", "y"][: len(forms)]
        values = list(table.arguments(forms))
        self.where = kind + " " + " ".join(f"{form}:{dtype}" for form, dtype in forms)
        if kind == "text":
            raising = [r for r in rows if r in table.RAISE_ROWS]
            printing = [r for r in rows if r not in table.RAISE_ROWS]
            self.alone(printing, parameters, values, kind)
            self.alone(raising, parameters, values, kind)
            return
        # What NumPy itself gives, each row alone.
        quiet, loud = [], []
        for row in rows:
            self.begin("in NumPy: " + row)
            source = Source([row], parameters, kind)
            outcomes = [None if is_long(row, v) else call(source.function, source, v) for v in values]
            source.forget()
            said = [o for o in outcomes if o]
            isQuiet = (
                said and len(said) == len(values) and not any(o.error or isinstance(o.value[0], list) for o in said)
            )
            if said:
                (quiet if isQuiet else loud).append((row, outcomes))
        for k in range(0, len(quiet), 60):
            self.together(quiet[k : k + 60], parameters, values, kind)
        self.loud(loud, parameters, values, kind)

    def jit(self, source):
        return self.npcc.jit(source.function, target=self.target, cache=False)

    def together(self, rows, parameters, values, kind):
        """Rows that NumPy gives values for, as one function; what is refused is left out."""
        while rows:
            source = Source([r for r, _ in rows], parameters, kind, [o[0].value[0] for _, o in rows])
            self.begin(f"compile {len(rows)} rows")
            refused = self.diagnostics(source, values[0])
            if not refused:
                break
            source.forget()
            if None in refused:
                if len(rows) == 1:
                    return self.fail(rows[0][0], values[0], "internal error", refused[None])
                half = len(rows) // 2
                self.together(rows[:half], parameters, values, kind)
                self.together(rows[half:], parameters, values, kind)
                return
            for number, message in refused.items():
                row, outcomes = rows[number]
                self.refuse(row, values, outcomes, message)
            rows = [r for k, r in enumerate(rows) if k not in refused]
        if rows:
            for k in range(len(values)):
                self.begin(f"{len(rows)} rows")
                self.at(source, rows, k, values, parameters, kind)
            source.forget()

    def at(self, source, rows, k, values, parameters, kind):
        """The k-th values. Where one of the rows raises, each half is asked again."""
        if not hasattr(source, "compiled"):
            source.compiled = self.jit(source)
        got = call(source.compiled, source, values[k], refusal=(self.npcc.CompileError,))
        if not got.refused and not got.error:
            for (row, outcomes), value in zip(rows, source.results(got.value)):
                self.judge(row, values[k], Outcome(flat(outcomes[k].value)), Outcome(flat((value,))))
            return
        if len(rows) == 1:
            row, outcomes = rows[0]
            if got.refused:
                return self.refuse(row, [values[k]], [outcomes[k]], got.refused)
            return self.judge(row, values[k], Outcome(flat(outcomes[k].value)), got)
        for half in (rows[: len(rows) // 2], rows[len(rows) // 2 :]):
            part = Source([r for r, _ in half], parameters, kind, [o[0].value[0] for _, o in half])
            self.at(part, half, k, values, parameters, kind)
            part.forget()

    def loud(self, rows, parameters, values, kind):
        """Rows that raise for some values. Those that the compiler refuses are found together, the others run alone."""
        while rows:
            source = Source([r for r, _ in rows], parameters, kind)
            refused = self.diagnostics(source, values[0])
            source.forget()
            if not refused or None in refused:
                break
            for number, message in refused.items():
                row, outcomes = rows[number]
                self.refuse(row, values, outcomes, message)
            rows = [r for k, r in enumerate(rows) if k not in refused]
        for row, outcomes in rows:
            self.begin(row)
            sample = next((o.value[0] for o in outcomes if o and not o.error), None)
            source = Source([row], parameters, kind, [sample])
            compiled = self.jit(source)
            for arguments, want in zip(values, outcomes):
                if want is None:
                    continue
                got = call(compiled, source, arguments, refusal=(self.npcc.CompileError,))
                if got.refused and got.error:  # at run time, of these values
                    self.refuse(row, [arguments], [want], got.refused)
                    continue
                if got.refused:
                    self.refuse(row, values, outcomes, got.refused)
                    break
                if not want.error:
                    want = Outcome(flat(want.value))
                self.judge(row, arguments, want, got)
            source.forget()

    def alone(self, rows, parameters, values, kind):
        """Rows that print, or raise with a message."""
        for row in rows:
            self.begin(row)
            source = Source([row], parameters, kind)
            compiled = self.jit(source)
            for arguments in values:
                wanted, printed = [], []
                want = call(source.function, source, arguments, wanted)
                got = call(compiled, source, arguments, printed, (self.npcc.CompileError,))
                if got.refused:
                    self.refuse(row, [arguments], [want], got.refused)
                    if got.error:
                        continue
                    break
                if not want.error and not got.error:
                    want.value, got.value = (wanted[0],), (printed[0],)
                self.judge(row, arguments, want, got)
            source.forget()

    def refuse(self, row, values, outcomes, message):
        """A compile error is right where NumPy raises this error for all values, and tolerated where it is the
        compiler's own."""
        message = message.splitlines()[0] if message else ""
        named = next((e for e in ERRORS if message.startswith(e + ":")), None)
        outcomes = [o for o in outcomes if o]
        if "internal" in message:
            return self.fail(row, values[0], "internal error", message)
        if named == "NotImplementedError":
            named = None  # the library's own refusals
        if all(o.error for o in outcomes):
            raised = {kind_of(o.error[0]) for o in outcomes}
            if named and kind_of(named) not in raised:
                expected = ": ".join(outcomes[0].error)
                return self.fail(row, values[0], "wrong error", f"NumPy raises {expected}; got {message}")
            self.counts[RAISES] += 1
            return
        if named and "complex" in message:
            named = None  # NumPy's complex scalars pass for real ones, with a warning
        if named and not any(o.error and kind_of(o.error[0]) == kind_of(named) for o in outcomes):
            return self.fail(row, values[0], "refused as an error", message)
        self.counts[REFUSED] += 1
        self.reasons[f"{message[:110]}   {row}"] += 1

    def judge(self, row, arguments, want, got):
        want.arguments, got.arguments = [], []
        if want.error and got.error and kind_of(want.error[0]) == kind_of(got.error[0]):
            want.error = (got.error[0], want.error[1])
        if want.error and got.error and want.error[0] == got.error[0] == "MemoryError":
            got.error = want.error  # each names what the machine has
        found = difference(want, got, {})
        if found and found[0] == "wrong value" and rules.is_open(row, arguments, want.value, got.value):
            found = None
        if not found and not want.error and not rules.open_zeros(row):
            found = signs(want.value, got.value)
        isJoined = "joins" in row.rules and found and found[0] in ("wrong type", "wrong dtype")
        if isJoined and rules.same_number(want.value, got.value):
            self.counts[JOINED] += 1
        elif found:
            self.fail(row, arguments, *found)
        else:
            self.counts[RAISES if want.error else PASS] += 1

    def fail(self, row, arguments, kind, detail):
        self.counts[kind] += 1
        self.failures.append(
            {
                "where": self.where,
                "row": row,
                "arguments": [short(a) for a in arguments],
                "kind": kind,
                "detail": detail[:300],
            }
        )


def short(value):
    text = repr(value).replace("\n", "")
    return text if len(text) < 80 else text[:77] + "..."


def signs(want, got):
    """The signs of zeros."""
    for a, b in zip(want, got) if isinstance(want, (tuple, list)) else [(want, got)]:
        if isinstance(a, (tuple, list)):
            found = signs(a, b)
            if found:
                return found
            continue
        x, y = np.asarray(a), np.asarray(b)
        if x.dtype.kind == "f":
            wrong = (x == 0) & (np.signbit(x) != np.signbit(y))
            if wrong.any():
                return (
                    "wrong sign",
                    f"the sign of zero at {np.argwhere(wrong)[0].tolist()}, {int(wrong.sum())} of {x.size}",
                )
    return None
