"""One program to one verdict: NumPy in one process, the compiler in another."""
from __future__ import annotations

import dataclasses
import os
import tempfile

from .compare import difference
from .pool import Crash, Hang, Worker

PASS, UNSUPPORTED, UNFIT = "pass", "unsupported", "unfit"


@dataclasses.dataclass
class Verdict:
    """`kind` is pass, unsupported, unfit (cannot be judged), or one of compare.FAILURES."""
    kind: str
    detail: str = ""
    raises: bool = False

    @property
    def failed(self):
        return self.kind not in (PASS, UNSUPPORTED, UNFIT)


class Judge:
    def __init__(self, compiler="npcc", target="", limit=20.0, environment=None, folder=None, recycle=400, reference=None):
        self.compiler, self.target, self.limit, self.environment = compiler, target, limit, environment
        self.own = tempfile.TemporaryDirectory(prefix="npcc-fuzz-") if folder is None else None
        self.folder = folder or self.own.name
        self.recycle = recycle  # programs a candidate process serves before a new one: bounds what one may break for others
        self.shares_reference = reference is not None  # one process of plain NumPy serves the judges of many compilers
        self.reference, self.candidate = reference or Worker(), Worker(compiler, target, environment=environment)
        self.reference_limit = 5.0  # random programs take milliseconds; what takes longer lost its end to a cut
        self.count = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if not self.shares_reference:
            self.reference.close()
        self.candidate.close()
        if self.own:
            self.own.cleanup()

    def draw(self, seed, level=None, without=()):
        """The program of this seed, drawn in the reference process; None when NumPy itself dies of it."""
        try:
            return self.reference.ask({"seed": seed, "level": level, "without": tuple(without)}, 120)
        except (Crash, Hang):
            return None

    def __call__(self, program, fresh=False):
        """Judge the program; `fresh`: in a new process, so that no earlier program can be the cause."""
        self.count += 1
        path = os.path.join(self.folder, f"program_{os.getpid()}_{self.count}.py")
        with open(path, "w") as file:
            file.write(program.source())
        try:
            return self.file(path, fresh)
        finally:
            os.unlink(path)

    def file(self, path, fresh=False):
        """Judge a stored program."""
        try:
            calls = self.reference.ask({"path": path}, self.reference_limit)
        except (Crash, Hang) as failure:
            return Verdict(UNFIT, f"plain NumPy: {failure}")
        expected, condition = calls["arguments"]
        if condition.reason:
            return Verdict(UNFIT, condition.reason)
        if fresh or self.candidate.served >= self.recycle:
            self.candidate.close()
        raises = expected.error is not None
        try:
            outcomes = self.candidate.ask({"path": path}, self.limit)
        except Crash as crash:
            return Verdict("crash", str(crash), raises)
        except Hang as hang:
            return Verdict("hang", str(hang), raises)
        for number, (name, outcome) in enumerate(outcomes):
            expected, condition = calls[name]
            if condition.reason:
                continue  # the later call cannot be judged
            raises = raises or expected.error is not None
            call = " (later call)" if name != "arguments" else " (last call)" if number else ""
            if outcome.refused is not None:  # with a reason that a user can act on, or by a fault of the compiler's own
                kind = "internal error" if outcome.refused.startswith("internal") else UNSUPPORTED
                return Verdict(kind, outcome.refused + call, raises)
            if outcome.error and outcome.error[0] == "NotImplementedError" and not expected.error:
                return Verdict(UNSUPPORTED, outcome.error[1], raises)  # refused when it ran
            if outcome.error and "internal" in outcome.error[0].lower():
                return Verdict("internal error", ": ".join(outcome.error) + call, raises)
            found = difference(expected, outcome, None if condition.exact else condition.spread)
            if found:
                return Verdict(found[0], found[1] + call, raises)
        return Verdict(PASS, raises=raises)
