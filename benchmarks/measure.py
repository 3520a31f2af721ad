"""Child process: one peer, one program after another. Requests are lines of JSON on standard input, replies lines on output.

Every timed call has other data than the call before it, its result lies in memory that held a poison pattern (so that a
result that was never written shows), and samples of the result are held against NumPy's.
"""
from __future__ import annotations

import json
import math
import os
import statistics
import sys
import time

if __package__ in (None, ""):
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    __package__ = "benchmarks"
    import benchmarks  # noqa: F401

import numpy as np

from . import peers, programs

SETS = 2  # of arguments, used in turn


class Wrong(Exception):
    """A result that is not NumPy's: its time is not worth reporting."""


def filler(seed):
    """fill(shape, low, high): random data. Beyond four million numbers a random block of odd length repeats, to save minutes."""
    random = np.random.default_rng(seed)

    def fill(shape, low=0.0, high=1.0, dtype="float64"):
        size = math.prod(shape)
        block = random.uniform(low, high, min(size, 4_000_037)).astype(dtype)
        return np.resize(block, size).reshape(shape) if size > block.size else block.reshape(shape)
    return fill


def check(program, size, got, want):
    for i, (value, right) in enumerate(zip(got, want)):
        value, right = np.asarray(value), np.asarray(right)
        if value.shape != right.shape:
            raise Wrong(f"sample {i}: shape {right.shape} expected, got {value.shape}")
        tolerance = getattr(program, "TOLERANCE", 1e-9)
        if tolerance is None:
            good = abs(float(value) - float(right)) < program.slack(size)
        elif program.__name__.endswith("mandelbrot"):
            good = np.mean(value != right) <= tolerance
        else:
            good = np.allclose(value, right, rtol=tolerance, atol=tolerance * float(np.max(np.abs(right), initial=0)))
        if not good:
            raise Wrong(f"sample {i}: {right.ravel()[:3]} expected, got {value.ravel()[:3]}")


def expected(program, size, host, seed):
    """NumPy's samples. Peers of one run share them through a folder, since some take NumPy ten seconds."""
    folder = os.environ.get("BENCH_EXPECTED")
    path = folder and os.path.join(folder, f"{program.__name__}-{'-'.join(map(str, size.values()))}-{seed}.npz".replace(" ", ""))
    if path and os.path.exists(path):
        with np.load(path) as stored:
            return [stored[f"arr_{i}"] for i in range(len(stored.files))]
    want = [np.asarray(w) for w in program.expected(size, host)]
    if path:
        np.savez(path, *want)
    return want


def poison(peer, result):
    """Overwrite the result before it is freed: its memory is what the allocator hands the next call."""
    for part in result if isinstance(result, (tuple, list)) else [result]:
        if getattr(part, "shape", None):
            peer.spoil(part)


def measure(peer, program, size, seconds, repeats):
    """First call, median and quartiles of later ones, in milliseconds."""
    hosts = [program.inputs(size, filler(seed)) for seed in range(SETS)]
    want = [expected(program, size, host, seed) for seed, host in enumerate(hosts)]
    sets = [[peer.put(a) if isinstance(a, np.ndarray) else a for a in host] for host in hosts]
    del hosts
    function = peer.prepare(program)
    peer.wait()

    def timed(number):
        begin = time.perf_counter()
        result = function(*sets[number % SETS])
        returned = time.perf_counter()
        peer.wait()
        end = time.perf_counter()
        check(program, size, [peer.get(p) for p in program.pick(size, peer.look(result))], want[number % SETS])
        poison(peer, result)
        return end - begin, returned - begin

    first = timed(0)[0]
    for number in range(1, 3):  # warm-up: caches, clocks, autotuning; one each for slow programs
        if first < seconds / 8:
            timed(number)
    times, stop = [], time.perf_counter() + seconds
    while len(times) < repeats and (len(times) < 2 or time.perf_counter() < stop):
        times.append(timed(len(times)))
    whole = sorted(t for t, _ in times)
    return {"first_ms": first * 1e3, "ms": statistics.median(whole) * 1e3, "best_ms": whole[0] * 1e3, "worst_ms": whole[-1] * 1e3,
            "repeats": len(whole)}


def host_microseconds(peer, program, calls=200):
    """Time for a call on tiny arrays to return, without waiting for the device: what the host side costs."""
    size = program.SIZES["tiny"]
    arguments = [peer.put(a) if isinstance(a, np.ndarray) else a for a in program.inputs(size, filler(0))]
    function = peer.prepare(program)
    for _ in range(3):
        function(*arguments)
    peer.wait()
    times = []
    stop = time.perf_counter() + 1.5
    while len(times) < calls and time.perf_counter() < stop:
        begin = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - begin)
        peer.wait()
    return statistics.median(times) * 1e6


def compile_milliseconds(peer, names):
    """First call of each program on tiny arrays, less a second call, in the order given."""
    taken = []
    for name in names:
        program = programs.load(name)
        arguments = [peer.put(a) if isinstance(a, np.ndarray) else a for a in program.inputs(program.SIZES["tiny"], filler(0))]
        begin = time.perf_counter()
        function = peer.prepare(program)
        function(*arguments)
        peer.wait()
        middle = time.perf_counter()
        function(*arguments)
        peer.wait()
        taken.append((2 * middle - begin - time.perf_counter()) * 1e3)
    return taken


def serve(peer, request):
    if "compile" in request:
        return {"compile_ms": compile_milliseconds(peer, request["compile"])}
    program = programs.load(request["program"])
    row = measure(peer, program, program.SIZES[request["size"]], request["seconds"], request["repeats"])
    if request.get("host", True):
        row["host_us"] = host_microseconds(peer, program)
    return row


def main():
    replies = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    name, target = sys.argv[1:3]
    try:
        begin = time.perf_counter()
        peer = peers.PEERS[name](target)
        start = {"ready": name, "version": peer.version, "import_ms": (time.perf_counter() - begin) * 1e3}
    except ImportError as missing:
        start = {"missing": str(missing)}
    except Exception as broken:  # an installed peer that cannot start here: a line in the report all the same
        start = {"missing": f"{type(broken).__name__}: {broken}"}
    print(json.dumps(start), file=replies)
    for line in sys.stdin if "ready" in start else ():
        try:
            reply = serve(peer, json.loads(line))
        except peers.Unsupported as none:
            reply = {"unsupported": str(none)}
        except getattr(getattr(peer, "module", None), "CompileError", ()) as refused:  # at the first call
            reply = {"unsupported": (str(getattr(refused, "msg", None) or refused).strip().splitlines() or ["refused"])[0]}
        except Wrong as wrong:
            reply = {"wrong": str(wrong)}
        except Exception as error:
            text = (str(error).strip().splitlines() or [""])[0][:200]
            reply = {"error": f"{type(error).__name__}: {text}"}
        print(json.dumps(reply), file=replies)


if __name__ == "__main__":
    main()
