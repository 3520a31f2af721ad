"""Child process: one framework, NPBench's kernels one after another. Requests and replies are lines of JSON.

npcc is given the unmodified `*_numpy.py`; peers run NPBench's own ports through NPBench's own framework classes.
"""
from __future__ import annotations

import importlib
import json
import os
import pickle
import statistics
import sys
import time
import types

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

import numpy as np  # noqa: E402

from benchmarks import peers  # noqa: E402




class NoPort(Exception):
    """NPBench has no port of this kernel to the framework."""


def load_suite(checkout):
    """NPBench's package, with empty stand-ins for modules that only its own reports need."""
    sys.path.insert(1, checkout)
    for name, members in (("pkg_resources", {"working_set": [], "get_distribution": lambda n: types.SimpleNamespace(version="?")}),
                          ("pygount", {"SourceAnalysis": None})):
        try:
            importlib.import_module(name)
        except ImportError:
            sys.modules[name] = types.ModuleType(name)
            vars(sys.modules[name]).update(members)
    return importlib.import_module("npbench.infrastructure")


class Compiled:
    """The unmodified NumPy kernel through a compiler's `jit`."""
    strict = True

    def __init__(self, suite, name, target):
        self.module = importlib.import_module(name)
        self.numpy = suite.generate_framework("numpy")
        self.target, self.refusal = target, getattr(self.module, "CompileError", ())
        self.peer = peers.Npcc(target, name)

    def prepare(self, bench):
        function, _ = self.numpy.implementations(bench)[0]
        yield "", self.module.jit(target=self.target)(function), self.numpy.setup_str(bench), self.numpy.exec_str(bench), {}

    def copy(self, array):
        return self.peer.put(np.copy(array)) if isinstance(array, np.ndarray) else array

    def wait(self):
        self.peer.wait()

    def back(self, value):
        return self.peer.get(self.peer.look(value))

    def outputs(self, bench):
        return self.numpy.inout_args(bench)


class Ported:
    """One of NPBench's own frameworks: its ports, its copies, its way to wait."""
    strict = False

    def __init__(self, suite, name, target):
        self.framework = suite.generate_framework(name)

    def prepare(self, bench):
        """Every variant that NPBench has: nopython, parallel, …; the best valid one is reported, as it would."""
        if not any(os.path.exists(path) for path, *_ in self.framework.impl_files(bench)):
            raise NoPort
        for function, label in self.framework.implementations(bench):
            yield label, function, self.framework.setup_str(bench, function), self.framework.exec_str(bench, function), self.framework.imports()

    def copy(self, array):
        return self.framework.copy_func()(array)

    def wait(self):
        """Its exec_str and setup_str already wait where the framework needs it."""

    def back(self, value):
        return self.framework.copy_back_func()(value)

    def outputs(self, bench):
        return self.framework.inout_args(bench)


def results(runner, bench, names):
    """What NPBench validates: the returned values, then the output arguments. It declares neither for some kernels that write their
    arguments: then all arrays are compared."""
    value = names.get("__npb_result")
    out = list(value) if isinstance(value, (tuple, list)) else [] if value is None else [value]
    declared = bench.info.get("output_args")
    if not declared and not out:
        bench.info["output_args"] = bench.info["array_args"]
    out += [names[a] for a in runner.outputs(bench)] if bench.info.get("output_args") else []
    bench.info["output_args"] = declared
    return [runner.back(v) for v in out]


def validate(suite, bench, got, stored, strict):
    if not os.path.exists(stored):
        return "unvalidated"
    with open(stored, "rb") as file:
        want = pickle.load(file)
    # Ports may return more than NumPy does (their arguments cannot be written) or less (NumPy returns what it also wrote):
    # NPBench compares as many as both have. The unmodified kernel has no such excuse.
    if not got or strict and len(want) != len(got):
        return "wrong"
    tolerances = {k: bench.info[k] for k in ("rtol", "atol", "norm_error") if k in bench.info}
    return "valid" if suite.utilities.validate(want, got, **tolerances) else "wrong"


def serve(suite, runner, name, request, folder, say):
    """The best valid variant; with several, each has its share of the time. `say` tells of the phases, "compile" up to the end of a
    first call, then "run", and of the best row so far, which counts when a later variant is over a limit."""
    bench = suite.Benchmark(request["kernel"])
    data = bench.get_data(request["preset"])
    stored = os.path.join(folder, request["kernel"] + ".pickle")
    variants, rows, errors = list(runner.prepare(bench)), [], []
    variants.sort(key=lambda variant: variant[0].startswith("object"))  # Numba's object mode takes as long as Python
    for label, function, setup, run, imports in variants:
        names = {**data, **imports, "__npb_impl": function, "__npb_copy": runner.copy}
        try:
            say({"phase": "compile", "row": best_of(rows) if rows else None})
            row = measure(suite, runner, bench, names, setup, run, stored, name == "numpy", request["seconds"] / len(variants),
                          request["repeats"], lambda: say({"phase": "run"}))
            rows.append(dict(row, variant=label))
        except Exception as error:
            if len(variants) == 1:
                raise
            errors.append(error)
    if not rows:
        raise errors[0] if errors else NoPort
    return best_of(rows)


def best_of(rows):
    return min(rows, key=lambda row: (row["validation"] == "wrong", row["ms"]))


def measure(suite, runner, bench, names, setup, run, stored, reference, seconds, repeats, is_compiled):
    def timed():
        exec(setup, names)
        runner.wait()
        begin = time.perf_counter()
        exec(run, names)
        runner.wait()
        return time.perf_counter() - begin

    first = timed()
    is_compiled()
    got = results(runner, bench, names)
    if reference:
        with open(stored, "wb") as file:
            pickle.dump([np.array(g) for g in got], file)
    validation = "valid" if reference else validate(suite, bench, got, stored, runner.strict)
    times, stop = [], time.perf_counter() + seconds
    while len(times) < repeats and (not times or time.perf_counter() < stop):
        times.append(timed())
    if validation == "valid" and not reference:  # the last repeat must be right too: a replayed graph, a cached result
        validation = validate(suite, bench, results(runner, bench, names), stored, runner.strict)
    return {"ms": statistics.median(times) * 1e3, "least_ms": min(times) * 1e3, "first_ms": first * 1e3, "repeats": len(times), "validation": validation}


def main():
    checkout, name, target, folder = sys.argv[1:5]
    replies = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    try:
        suite = load_suite(checkout)
        info = os.path.join(checkout, "framework_info", name + ".json")
        if not os.path.exists(info):
            runner = Compiled(suite, name, target)
        else:
            importlib.import_module({"dace_cpu": "dace", "dace_gpu": "dace"}.get(name, name))
            runner = Ported(suite, name, target)
        print(json.dumps({"ready": name}), file=replies)
    except Exception as missing:
        print(json.dumps({"missing": f"{type(missing).__name__}: {missing}"}), file=replies)
        return
    for line in sys.stdin:
        try:
            reply = serve(suite, runner, name, json.loads(line), folder, lambda phase: print(json.dumps(phase), file=replies))
        except NoPort:
            reply = {"none": "NPBench has no port"}
        except getattr(runner, "refusal", ()) as refused:
            reply = {"unsupported": (str(getattr(refused, "msg", refused)).strip().splitlines() or ["refused"])[0]}
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0][:160]}"}
        print(json.dumps(reply), file=replies)


if __name__ == "__main__":
    main()
