#!/usr/bin/env python3
"""Time the array programs beside NumPy and the peers, against the floor of the machine at hand.

  run.py                               all programs; on the GPU where there is one, otherwise on the CPU
  run.py heat dot --target cpu --quick
  run.py --compare earlier.json        this run's times over an earlier run's, and which of them moved by more than the spread
  run.py --setup                       install the peers
  run.py --npbench CHECKOUT …          NPBench: the options of npbench.py

Each peer runs in a process of its own, each program under a time limit; one that fails is a row. The table comes last.
Times are the median of calls on a synchronised clock. "of floor" is the least time this machine could need (bytes at its
copy bandwidth, or arithmetic at its rate, whichever is more) over npcc's time.
"""
from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
if __package__ in (None, ""):
    sys.path[0] = os.path.dirname(HERE)

from benchmarks import machine, npbench, peers, programs, setup, table  # noqa: E402
from benchmarks.ceilings.measure import Unavailable, measure as measure_ceilings  # noqa: E402
from benchmarks.child import Child  # noqa: E402


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"programs: {' '.join(programs.NAMES)}")
    parser.add_argument("--target", choices=["cpu", "cuda"])
    parser.add_argument("--peers", help="comma-separated; default: npcc and all peers of the target")
    parser.add_argument("--size", choices=["tiny", "quick", "cpu", "gpu"], help="default: the target's")
    parser.add_argument("--quick", action="store_true", help="small sizes, few repeats, no compile times: under a minute")
    parser.add_argument("--limit", type=float, default=60, help="seconds for one program and peer, data and compilation included")
    parser.add_argument("--seconds", type=float, default=2.0, help="of timed calls for one program and peer")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--total", type=float, default=540, help="seconds for the whole run; what is not reached is a row")
    parser.add_argument("--no-compile", action="store_true", help="leave out the compile times")
    parser.add_argument("--compare", metavar="FILE")
    parser.add_argument("--json", metavar="FILE", help="where the data go; also $OUT/bench.json where OUT is set")
    parser.add_argument("--picture", metavar="FILE.svg")
    parser.add_argument("--setup", action="store_true")
    options = parser.parse_args(arguments)
    unknown = set(options.names) - set(programs.NAMES)
    if unknown:
        parser.error(f"no such program: {', '.join(sorted(unknown))}; there are {' '.join(programs.NAMES)}")
    options.names = options.names or programs.NAMES
    options.target = options.target or ("cuda" if machine.gpu() else "cpu")
    options.size = options.size or ("quick" if options.quick else "gpu" if options.target == "cuda" else "cpu")
    options.peers = options.peers.split(",") if options.peers else peers.of_target(options.target)
    if options.quick:
        options.seconds, options.repeats, options.limit, options.no_compile = 0.3, 7, min(options.limit, 25), True
    return options


def ceilings(target):
    try:
        return measure_ceilings(target), None
    except (Unavailable, OSError, ValueError) as missing:
        return None, str(missing)
    except Exception as missing:  # a time-out of the compiler, say: the figures then come without a floor
        return None, f"{type(missing).__name__}: {missing}"


def floor_milliseconds(program, size, limits):
    """The least time: bytes at the copy's rate or operations at the arithmetic's; products may use the products' rate."""
    if not limits:
        return None
    moved, operations = program.floor(program.SIZES[size])
    rate = max(limits["float64"], limits.get("dgemm", 0)) if program.__name__.endswith("matrix_chain") else limits["float64"]
    return max(moved / limits["copy"], operations / rate) * 1e3


def measure_peer(name, options, deadline, shared, say):
    """Rows of one peer: {program: row}. A missing peer is one line."""
    child = Child([os.path.join(HERE, "measure.py"), name, options.target], {"BENCH_EXPECTED": shared})
    start = child.start()
    if "ready" not in start:
        child.close()
        return {}, {"missing": start.get("missing") or start.get("error")}
    rows = {}
    for program in options.names:
        left = deadline - time.monotonic()
        if left < 3:
            rows[program] = {"error": "not reached: the run's time was over"}
            continue
        rows[program] = child.ask({"program": program, "size": options.size, "seconds": options.seconds, "repeats": options.repeats},
                                  min(options.limit, left))
        row = rows[program]
        say(f"{name:8s} {program:20s} " + (f"{row['ms']:10.3f} ms   first {row['first_ms']:.0f} ms   host {row['host_us']:.1f} us" if "ms" in row
                                          else "; ".join(f"{k}: {v}" for k, v in row.items())))
    child.close()
    return rows, {"version": start["version"], "import_ms": start["import_ms"]}


def compile_times(name, options, deadline, say):
    """Cold (a new process, an empty cache), warm (the same process has compiled before), cached (a new process, the cache of the first)."""
    if deadline - time.monotonic() < 30:
        return {"error": "not reached"}
    with tempfile.TemporaryDirectory() as cache:
        environment = {"XDG_CACHE_HOME": cache, "NPCC_CACHE_DIR": cache, "TORCHINDUCTOR_CACHE_DIR": cache, "CUPY_CACHE_DIR": cache,
                       "NUMBA_CACHE_DIR": cache, "JAX_COMPILATION_CACHE_DIR": cache, "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0"}
        found = []
        for _ in range(2):
            child = Child([os.path.join(HERE, "measure.py"), name, options.target], environment)
            reply = child.ask({"compile": ["row_norms", "black_scholes"]}, min(options.limit, deadline - time.monotonic()))
            child.close()
            if "compile_ms" not in reply:
                return {"error": next(iter(reply.values()), "no reply")}
            found.append(reply["compile_ms"])
    times = {"cold": found[0][0], "warm": found[0][1], "cached": found[1][0]}
    say(f"{name:8s} compile: " + ", ".join(f"{k} {v:.0f} ms" for k, v in times.items()))
    return times


def report(data):
    """The run as text: limits, compile times, host costs, failures, and the table of times."""
    limits, names, rows = data["ceilings"], data["peers"], data["rows"]
    present = [n for n in names if "missing" not in names[n]]
    out = [machine.line(data["machine"]), f"target {data['target']}, size {data['size']}"]
    if data["size"] in ("tiny", "quick"):
        out.append("small sizes: the data may stay in caches, so that a fraction of the floor means little")
    out += [f"{n}: not measured: {names[n]['missing']}" for n in names if n not in present]
    if limits:
        out.append("limits: " + ", ".join(f"{k} {v / 1e12:.3g} T/s" if v > 1e6 else f"{k} {v * 1e6:.3g} us"
                                          for k, v in limits.items() if isinstance(v, float) and v > 0))
    else:
        out.append(f"no limits measured, hence no floor: {data['no_ceilings']}")
    if data["compile"]:
        out += ["", table.text(["compile, ms", "cold", "warm", "cached"],
                               [[n, *(f"{t[k]:.0f}" for k in ("cold", "warm", "cached"))] if "cold" in t else [n, t["error"][:60], "", ""]
                                for n, t in data["compile"].items()])]
    out += ["", table.text(["host us a call"] + present, [[p] + [_figure(rows[n].get(p), "host_us") for n in present] for p in data["names"]])]
    failures = [f"  {n} {p}: {'; '.join(f'{k}: {v}' for k, v in row.items())}" for n in present for p, row in rows[n].items() if "ms" not in row]
    out += ["", "without a time:", *failures] if failures else []
    body = []
    for p in data["names"]:
        floor, mine = data["floor"].get(p), rows.get("npcc", {}).get(p, {}).get("ms")
        best = min((rows[n][p]["ms"] for n in present if n != "npcc" and "ms" in rows[n].get(p, {})), default=None)
        # Without npcc the fraction is of the best peer: it says how much there is to win.
        share = (mine or best) if floor else None
        body.append([p, table.milliseconds(floor)] + [table.milliseconds(rows[n].get(p, {}).get("ms")) or "-" for n in present]
                    + [f"{floor / share:.0%}" + ("" if mine else " (best peer)") if share else "", f"{best / mine:.2f}x" if best and mine else ""]
                    + ([_change(data["earlier"], p, mine)] if data.get("earlier") else []))
    header = ["ms (median)", "floor"] + present + ["of floor", "best peer / npcc"] + (["earlier / now"] if data.get("earlier") else [])
    moves = moved(data["earlier"].get("rows", {}).get("npcc", {}), rows.get("npcc", {})) if data.get("earlier") else []
    return "\n".join([*out, "", table.text(header, body), *moves])


def _figure(row, key):
    return f"{row[key]:.1f}" if row and key in row else "-"


def moved(earlier, now):
    """Lines: which programs moved by more than the spread, where all calls of one run took longer than all calls of the other."""
    figures = ("ms", "best_ms", "worst_ms")  # not in all old data
    shared = [p for p in now if all(key in row for row in (now[p], earlier.get(p, {})) for key in figures)]
    found = []
    for p in shared:
        before, after = earlier[p], now[p]
        if after["best_ms"] > before["worst_ms"] or after["worst_ms"] < before["best_ms"]:
            ratio = after["ms"] / before["ms"]
            found.append((ratio, f"  {p}: {before['ms']:.3g} -> {after['ms']:.3g} ms, " + (f"{ratio:.2f} times as long" if ratio > 1 else f"{1 / ratio:.2f} times as fast")))
    lines = [line for _, line in sorted(found, reverse=True)]
    rest = f"{len(shared) - len(lines)} of {len(shared)} programs are within the spread"
    return ["", "moved by more than the spread:", *lines, rest] if lines else ["", rest]


def _change(earlier, program, now):
    before = earlier.get("rows", {}).get("npcc", {}).get(program, {}).get("ms")
    return f"{before / now:.2f}x" if before and now else ""


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    if "--npbench" in arguments:
        place = arguments.index("--npbench")
        return npbench.main(["--checkout", *arguments[place + 1:]])
    options = parse(arguments)
    if options.setup:
        return setup.install(options.target)
    deadline = time.monotonic() + options.total
    say = lambda line: print(line, flush=True)
    limits, missing = ceilings(options.target)
    data = {"machine": machine.describe(), "target": options.target, "size": options.size, "names": options.names, "ceilings": limits,
            "no_ceilings": missing, "peers": {}, "rows": {}, "compile": {}}
    data["floor"] = {p: floor_milliseconds(programs.load(p), options.size, limits) for p in options.names}
    # npcc first: should time run out, its rows are there.
    with tempfile.TemporaryDirectory() as shared:
        for name in sorted(options.peers, key=lambda n: n != "npcc"):
            data["rows"][name], data["peers"][name] = measure_peer(name, options, deadline, shared, say)
    if not options.no_compile:
        for name in options.peers:
            if "missing" not in data["peers"][name] and name not in ("numpy",):
                data["compile"][name] = compile_times(name, options, deadline, say)
    save(data, options)
    if options.compare:
        with open(options.compare) as file:
            data["earlier"] = json.load(file)
    print("\n" + report(data))
    return 0


def save(data, options):
    for path in filter(None, [options.json, os.environ.get("OUT") and os.path.join(os.environ["OUT"], "bench.json")]):
        with open(path, "w") as file:
            json.dump(data, file, indent=1)
    if options.picture:
        own = data["rows"].get("npcc", {})
        ratios = {p: {n: rows[p]["ms"] / own[p]["ms"] for n, rows in data["rows"].items() if n != "npcc" and "ms" in rows.get(p, {})}
                  for p in data["names"] if "ms" in own.get(p, {})}
        table.picture("time of each peer over npcc's", ratios, options.picture, machine.line(data["machine"]))


if __name__ == "__main__":
    sys.exit(main())
