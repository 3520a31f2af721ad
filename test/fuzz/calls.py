#!/usr/bin/env python3
"""Random calls of functions behind libraries, compiled and in NumPy: functions x dtypes x layouts x keywords.

  calls.py --count 500 --seed 0 [--target cpu] [--only products,sorts]
  calls.py --one products:17                 one call again: its text, its arguments, and the verdict

A call is drawn by a family (call_families.py) from a seed, runs in a child process, and is compared in type, dtype,
shape, values and errors with their words. Floats may differ by what rounding of the arguments does to them (noise.py);
calls that rounding decides are not judged. `./dev fuzz --calls` is this.
"""

from __future__ import annotations

import argparse
import collections
import json
import linecache
import os
import subprocess
import sys
import tempfile
import threading
import time
import zlib

import ml_dtypes
import numpy as np
import scipy
import scipy.fft, scipy.integrate, scipy.linalg, scipy.ndimage, scipy.signal, scipy.spatial, scipy.special, scipy.stats  # noqa: E401, F401

HERE = os.path.dirname(os.path.abspath(__file__))
if __package__ in (None, ""):
    sys.path[0] = os.path.dirname(HERE)
    __package__ = "fuzz"
    import fuzz  # noqa: F401

from .call_draws import Draw  # noqa: E402
from .call_families import FAMILIES  # noqa: E402
from .compare import difference  # noqa: E402
from .noise import Noise, conditioning  # noqa: E402
from .outcome import leaves, observe  # noqa: E402
from .prober import kind_of  # noqa: E402

NOT_JUDGED, REFUSED = ("pass", "unfit"), ("refused", "refused error")
BATCH = 100  # calls that one child makes: bounds what one may break for others


def drawn(family, seed):
    """The call's text, its arguments, and how it is compared."""
    draw = Draw(zlib.crc32(f"{family} {seed}".encode()))
    text, _, rule = FAMILIES[family](draw).partition("  # ")
    return text, draw.arguments, rule


def function_of(text, count, place):
    *statements, value = text.split("; ")
    source = "\n    ".join([f"def call({', '.join(f'a{k}' for k in range(count))}):", *statements, f"return {value}\n"])
    linecache.cache[place] = len(source), None, source.splitlines(True), place
    names = {"np": np, "scipy": scipy, "__name__": "calls"}
    exec(compile(source, place, "exec"), names)
    return names["call"]


def copied(array):
    """With the same strides."""
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    fresh = owner.copy(order="K")
    if not fresh.size or not array.ndim:
        return array.copy()
    offset = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
    bits = f"u{array.itemsize}" if array.dtype.kind == "V" else array.dtype  # a bfloat16 is no element of a buffer
    view = np.ndarray(array.shape, bits, fresh.view(bits).data, offset, array.strides).view(array.dtype)
    view.flags.writeable = array.flags.writeable
    return view


def ordered(value, x, rule):
    """What is compared of the results of the rules `ties AXIS` and `order AXIS`."""
    name, axis = rule.split()
    axis = -1 if axis == "None" else int(axis)
    if name == "ties" and isinstance(value, np.ndarray) and x.ndim:
        return np.take_along_axis(x.ravel() if rule.endswith("None") else x, value, axis)
    return np.sort(value, axis=axis) if name == "order" and np.ndim(value) else value


def with_rounding(value, spread):
    """The spread of results, each moved by the rounding of its largest element at least: integers have no noise."""
    found = dict(spread)
    for path, leaf in leaves(value):
        # NumPy adds numbers of bfloat16 one after the other in bfloat16, npcc in float32.
        is_narrow = isinstance(leaf, (np.ndarray, np.generic)) and leaf.dtype == ml_dtypes.bfloat16
        if isinstance(leaf, (np.ndarray, np.generic)) and (is_narrow or leaf.dtype.kind in "fc") and leaf.size:
            with np.errstate(all="ignore"):
                sizes = np.abs(leaf).astype(float)
            largest = np.max(sizes, initial=0, where=np.isfinite(sizes))
            eps = ml_dtypes.finfo(leaf.dtype).eps if is_narrow else np.finfo(leaf.dtype).eps
            found[path] = np.maximum(found.get(path, 0), float(eps) * largest)
    return found


def stores_into_read_only(before, after):
    """What NumPy 2.4's ufunc.at does where every axis has an index of its own; its other forms raise an error, as npcc does."""
    return any(isinstance(a, np.ndarray) and not a.flags.writeable and a.tobytes() != b.tobytes() for a, b in zip(before, after))


def verdict(npcc, target, family, seed):
    """(kind, detail): see NOT_JUDGED and REFUSED; others are failures."""
    text, arguments, rule = drawn(family, seed)
    function = function_of(text, len(arguments), f"<call {family} {seed}>")
    want = observe(function, [copied(a) for a in arguments])
    if stores_into_read_only(arguments, want.arguments):
        return "unfit", "NumPy stores into a read-only array"
    noise = Noise(seed)
    spread = conditioning(want, [observe(function, [noise(copied(a)) for a in arguments]) for _ in range(3)])
    got = observe(npcc.jit(function, target=target), [copied(a) for a in arguments])
    want.shares = got.shares = []
    if got.error and got.error[0] in ("CompileError", "NotImplementedError") and want.error != got.error:
        if want.error and want.error[1] in got.error[1]:
            return "pass", ""
        return REFUSED[bool(want.error)], f"{got.error[1]} | {want.error}"
    if want.error and got.error:
        want.error, got.error = ((kind_of(kind), words) for kind, words in (want.error, got.error))
    elif spread.reason:
        return "unfit", spread.reason
    if rule == "inside":
        rule = ""
        if got.error and "outside of the array's memory" in got.error[1]:
            return "unfit", "reads what lies there"
    if rule and not want.error and not got.error:
        want.value, got.value = (ordered(value, arguments[0], rule) for value in (want.value, got.value))
    exact = family in ("generators", "distributions", "legacy", "arrangements")
    return difference(want, got, {} if exact else with_rounding(want.value, spread.spread)) or ("pass", "")


def work(options):
    """A child: a line of JSON for each call that it reads."""
    import npcc

    for line in sys.stdin:
        family, seed = line.split()
        print(json.dumps([family, int(seed), *verdict(npcc, options.target, family, int(seed))]), flush=True)


def answers(options, calls):
    """Each call's verdict; a child that ends or is silent for too long fails the call that it was at."""
    command = [sys.executable, os.path.abspath(__file__), "--child", "--target", options.target]
    with tempfile.TemporaryFile("w+") as log:
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
        child.stdin.write("".join(f"{family} {seed}\n" for family, seed in calls))
        child.stdin.close()
        last, done = [time.time()], 0

        def guard():
            while child.poll() is None:
                time.sleep(0.5)
                if time.time() - last[0] > options.limit:
                    child.kill()

        threading.Thread(target=guard, daemon=True).start()
        for line in child.stdout:
            last[0] = time.time()
            done += 1
            yield json.loads(line)
        if child.wait() and done < len(calls):
            log.seek(0)
            yield [*calls[done], "crash or hang", log.read()[-600:]]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--only", default=",".join(FAMILIES), help="families, with commas between")
    parser.add_argument("--one", help="FAMILY:SEED")
    parser.add_argument("--limit", type=float, default=60, help="seconds before a call counts as hanging")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        return work(options)
    if options.one:
        import npcc

        family, seed = options.one.split(":")
        print(*drawn(family, seed), *verdict(npcc, options.target, family, int(seed)), sep="\n")
        return 0
    families = options.only.split(",")
    calls = [(families[k % len(families)], options.seed + k // len(families)) for k in range(options.count)]
    counts, begin = collections.Counter(), time.time()
    while calls:
        done = 0
        for family, seed, kind, detail in answers(options, calls[:BATCH]):
            done += 1
            counts[kind] += 1
            if kind not in NOT_JUDGED:
                text, arguments, _ = drawn(family, seed)
                shapes = ", ".join(f"{a.dtype}{list(a.shape)}" for a in arguments)
                print(f"{kind}: {family}:{seed}: {text}   of {shapes}\n    {detail}", flush=True)
        calls = calls[done:]
    print(f"{time.time() - begin:.0f} s: " + ", ".join(f"{count} {kind}" for kind, count in counts.most_common()))
    return int(any(kind not in (*NOT_JUDGED, *REFUSED) for kind in counts))


if __name__ == "__main__":
    sys.exit(main())
