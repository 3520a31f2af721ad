"""Child process: runs programs under plain NumPy (with rounding noise) or under a compiler, one request at a time.

Requests and replies are pickles on file descriptors of their own, so that whatever a program prints does no harm.
"""
from __future__ import annotations

import argparse
import importlib
import os
import pickle
import resource
import struct
import sys
import traceback

if __package__ in (None, ""):
    HERE = os.path.dirname(os.path.abspath(__file__))
    sys.path[0] = os.path.dirname(HERE)  # the folder above: modules here must not be importable by bare name first
    sys.path.append(HERE)  # for `--compiler reference` and `--compiler wrong`
    __package__ = "fuzz"
    import fuzz  # noqa: F401

from .compare import difference
from .generator import generate
from .noise import Conditioning, Noise, conditioning, instrument
from .outcome import Outcome, load, observe
from .overlap import buffered, copied, in_order, ordered
from .program import ENTRIES


def reference(request):
    """Draw a program, or give a program's outcome of each call under plain NumPy and how rounding noise moves it.

    Programs are drawn here, not in the parent, because drawing runs them, and NumPy itself can crash (`np.cumsum` with an
    `out` of another shape does in 2.4).
    """
    if "seed" in request:
        return generate(request["seed"], request["level"], request["without"])
    path = request["path"]
    module = load(path, "fuzz_reference")
    with open(path) as file:
        source = file.read()
    return {entry: judged(module, source, entry, request.get("noise", 3)) for entry in ENTRIES if hasattr(module, entry)}


def judged(module, source, entry, draws):
    """The outcome with the arguments that the module's function of this name builds, and how rounding noise moves it."""
    outcome = observe(module.program, getattr(module, entry)())
    names = {"_copied": copied, "__name__": "buffered"}
    exec(buffered(source), names)
    if difference(outcome, observe(names["program"], names[entry]()), None):
        return outcome, Conditioning({}, "NumPy reads what the same statement has stored")
    names = {"_ordered": ordered, "__name__": "in_order"}
    exec(in_order(source), names)
    if difference(outcome, observe(names["program"], names[entry]()), None):
        return outcome, Conditioning({}, "an element is stored to more than once, in the order of the positions in memory")
    code = instrument(source)
    if getattr(module, "EXACT", False):
        return outcome, Conditioning({}, exact=True)
    noisy = []
    for seed in range(draws):
        noise = Noise(seed)
        names = {"_noise": noise, "_magnitude": noise.magnitude, "_product": noise.product, "__name__": "noisy"}
        exec(code, names)
        noisy.append(observe(names["program"], names[entry]()))
        if noise.is_ordered:
            return outcome, Conditioning({}, "whether a product is finite depends on the order of its factors")
    return outcome, conditioning(outcome, noisy)


class Candidate:
    """The compiler under test: `jit` on the helpers and on `program`, in a module of its own."""

    def __init__(self, name, target):
        self.module = importlib.import_module(name)
        self.options = {"target": target} if target else {}
        refusal = getattr(self.module, "CompileError", None)
        self.refusal = (refusal,) if refusal else ()
        self.count = 0

    def jit(self, function):
        return self.module.jit(**self.options)(function) if self.options else self.module.jit(function)

    def __call__(self, request):
        """Calls on fresh arguments: the first compiles, and the last must give the same, whatever came between them."""
        self.count += 1
        try:
            program = load(request["path"], f"fuzz_candidate_{self.count}")
            for name, value in list(vars(program).items()):
                if name.startswith("helper") and callable(value):
                    setattr(program, name, self.jit(value))
            entry = self.jit(program.program)
        except self.refusal as refused:
            return [("arguments", Outcome(refused=observe(_raiser(refused), [], self.refusal).refused))]
        except Exception as error:
            return [("arguments", Outcome(error=(type(error).__name__, str(error))))]
        outcomes = []
        for name in ("arguments", *ENTRIES[1:], "arguments"):
            if hasattr(program, name):
                outcomes.append((name, observe(entry, getattr(program, name)(), self.refusal)))
                if outcomes[-1][1].refused:
                    break
        return outcomes


def _raiser(error):
    def raise_it():
        raise error
    return raise_it


def read(stream):
    head = stream.read(8)
    return pickle.loads(stream.read(struct.unpack("<Q", head)[0])) if len(head) == 8 else None


def write(stream, value):
    body = pickle.dumps(value)
    stream.write(struct.pack("<Q", len(body)) + body)
    stream.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", default="")
    parser.add_argument("--target", default="")
    parser.add_argument("--memory", type=float, default=0, help="GiB of address space; 0: no limit")
    options = parser.parse_args()
    replies = os.fdopen(os.dup(1), "wb")
    requests = os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if options.memory:
        resource.setrlimit(resource.RLIMIT_AS, (int(options.memory * 2**30),) * 2)
    try:
        serve = Candidate(options.compiler, options.target) if options.compiler else reference
    except BaseException:
        write(replies, {"failed": traceback.format_exc()})
        return
    write(replies, {"ready": os.getpid()})
    while (request := read(requests)) is not None:
        try:
            reply = {"value": serve(request)}
        except Exception:  # a defect of the fuzzer itself: observe() turns all that a program raises into outcomes
            reply = {"failed": traceback.format_exc()}
        write(replies, reply)


if __name__ == "__main__":
    main()
