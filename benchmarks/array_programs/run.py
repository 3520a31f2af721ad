#!/usr/bin/env python3
"""programs.py on one GPU with npcc, CuPy and JAX, one framework after the other; a table, and the data as JSON.

    run.py [--programs more_programs] [--frameworks npcc,cupy,jax] [--only sobel,wave] [--out FILE]
    run.py --frameworks npcc_cpu,numpy ...          on the CPU, beside NumPy itself
    run.py --programs element_programs --frameworks npcc,numba       loops over elements, beside Numba on one core

Arrays are on the device before the clock starts. The first call, which compiles, is apart; a time is the median of ten calls, or of as many as fit
into 0.7 s, each with a wait at its end. A program that takes longer than 25 s is given up; one that does not heed that (a compiler that unrolls a thousand
iterations) ends with its process, and the next ones go on in another. Sums of the results are compared, to three digits: peers add
float32 in other ways.
"""
import argparse
import importlib
import json
import math
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]
import machine  # noqa: E402

programs = None  # the module whose programs are run
CALLS, SECONDS, LIMIT = 10, 0.7, 25
START = 30  # seconds until a framework is there and a program's arguments are made


class Late(Exception):
    pass


def late(*_):
    raise Late(f"longer than {LIMIT} s")


def prepare(framework):
    """What compiles a function, what brings an array to the device, and what waits for a result."""
    if framework == "numpy":
        return lambda f, _: f, np.asarray, lambda _: None
    if framework == "numba":
        import numba
        for name, value in list(vars(programs).items()):
            called = isinstance(value, type(prepare)) and all(value is not function for function, _, _ in programs.PROGRAMS.values())
            if called and value.__module__ == programs.__name__:
                setattr(programs, name, numba.njit(value))
        return lambda f, _: numba.njit(f), np.asarray, lambda _: None
    if framework == "npcc_cpu":
        import npcc
        return lambda f, _: npcc.jit(target="cpu")(f), np.asarray, lambda _: None
    if framework == "npcc":
        import npcc
        return lambda f, _: npcc.jit(target="cuda")(f), npcc.asarray, lambda _: npcc.synchronize()
    if framework == "cupy":
        import cupy
        programs.np = cupy
        return lambda f, _: f, cupy.asarray, lambda _: cupy.cuda.Device().synchronize()
    import jax
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_default_matmul_precision", "highest")  # f32 as the others have it, not TF32
    import jax.numpy
    programs.np = jax.numpy
    return lambda f, known: jax.jit(f, static_argnums=known), jax.numpy.asarray, jax.block_until_ready


def total(value):
    array = np.asarray(value.get() if hasattr(value, "get") else value).astype(np.float64)
    return float(np.nan_to_num(array).sum())


def measure(names, framework):
    """Prints, for each program, its name and its times in ms and its sums, or the error, as JSON."""
    made = {name: programs.PROGRAMS[name][1](np.random.default_rng(1)) for name in names}
    compiler, to_device, wait = prepare(framework)
    signal.signal(signal.SIGALRM, late)
    for name in names:
        function, _, known = programs.PROGRAMS[name]
        signal.alarm(LIMIT)
        try:
            compiled = compiler(function, known)
            arguments = [to_device(a) if isinstance(a, np.ndarray) else a for a in made[name]]

            def call():
                begin = time.perf_counter()
                result = compiled(*arguments)
                wait(result)
                return time.perf_counter() - begin, result
            first, result = call()
            times, end = [], time.perf_counter() + SECONDS
            while len(times) < CALLS and time.perf_counter() < end:
                times.append(call()[0])
            sums = [total(a) for a in (result if isinstance(result, tuple) else (result,))]
            row = {"ms": sorted(times)[len(times) // 2] * 1e3, "first_ms": first * 1e3, "sums": sums}
        except Exception as error:  # of any framework, of any kind: the row says which
            row = {"error": f"{type(error).__name__}: {error}"[:200]}
        finally:
            signal.alarm(0)
        print("\n" + json.dumps([name, row]), flush=True)


def collect(framework, options):
    """{program: its row}, by processes that are ended where they say nothing for too long."""
    names, rows = options.only.split(","), {}
    while len(rows) < len(names):
        left = [name for name in names if name not in rows]
        child = subprocess.Popen([sys.executable, __file__, "--programs", options.programs, "--child", framework, "--only", ",".join(left)],
                                 stdout=subprocess.PIPE, bufsize=0, env=os.environ)  # no buffer, which would hide lines from select
        for name in left:
            while name not in rows:
                ready, _, _ = select.select([child.stdout], [], [], LIMIT + START)
                line = child.stdout.readline() if ready else b""
                if not line:
                    break
                if line.startswith(b"["):
                    done, row = json.loads(line)
                    rows[done] = row
            if name not in rows:
                rows[name] = {"error": f"ended with {child.wait()}" if ready else f"longer than {LIMIT} s"}  # no line though ready: the end
                break
        child.kill()
        child.wait()
    return rows


def agree(row, other):
    return all(a == b or abs(a - b) <= 1e-3 * max(abs(a), abs(b), 1) for a, b in zip(row["sums"], other["sums"]))


def show(frameworks, rows):
    width = max(map(len, programs.PROGRAMS))
    print(" " * width, *(f"{f:>10}" for f in frameworks), " best peer / npcc")
    ratios = {f: [] for f in frameworks[1:]}
    for name in rows[frameworks[0]]:
        mine = rows[frameworks[0]][name]
        cells = [f"{rows[f][name]['ms']:10.3f}" if "ms" in rows[f][name] else f"{'none':>10}" for f in frameworks]
        peers = {f: rows[f][name]["ms"] for f in frameworks[1:] if "ms" in rows[f][name] and "ms" in mine}
        for f, ms in peers.items():
            ratios[f].append(ms / mine["ms"])
        differs = [f for f in peers if not agree(mine, rows[f][name])]
        print(f"{name:{width}}", *cells, f"{min(peers.values()) / mine['ms']:10.2f}" if peers else "", f" sums differ from {', '.join(differs)}" if differs else "")
    for f, values in ratios.items():
        if values:
            print(f"{f} / npcc, geometric mean of {len(values)}: {math.exp(sum(map(math.log, values)) / len(values)):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frameworks", default="npcc,cupy,jax", help="the first is compared with the others")
    parser.add_argument("--programs", default="programs",
                        help="programs, or more_, wide_, fresh_, further_, varied_, distinct_, assorted_, sundry_, mingled_, selection_, shape_,"
                             " search_, growing_, shrinking_, point_, unseen_, element_ or loop_programs")
    parser.add_argument("--only")
    parser.add_argument("--out", help="JSON")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    global programs
    programs = importlib.import_module(options.programs)
    options.only = options.only or ",".join(programs.PROGRAMS)
    names = options.only.split(",")
    if options.child:
        measure(names, options.child)
        return
    frameworks = options.frameworks.split(",")
    rows = {framework: collect(framework, options) for framework in frameworks}
    show(frameworks, rows)
    if options.out:
        Path(options.out).write_text(json.dumps({"machine": machine.describe(), "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
