"""`npcc profile` and npcc.profile: what runs when, as a trace for Perfetto (https://ui.perfetto.dev) or chrome://tracing.

Kernels with the lines of Python that they come from, copies, calls of libraries, calls of compiled functions, and compilation. On the CPU a kernel is a
parallel loop. NVIDIA's tools get ranges of NVTX (runtime/Nvtx.h).
"""
import collections
import contextlib
import re
import threading
import time

from . import _npcc

KINDS = ("call", "kernel", "library", "copy to device", "copy to host", "copy", "wait")  # by npcc_trace_kind
LAUNCHED = re.compile(r"\((int, ){6}int(, )?")  # the grid, the block and the bytes of shared memory
HOST = 1  # the process of the trace that the host's threads are in; devices follow

compiled = None  # (name, thread, begin, end) of compilations while something is recorded, else None


@contextlib.contextmanager
def compiling(name):
    """Around a compilation."""
    begin = time.monotonic_ns()
    try:
        yield
    finally:
        if compiled is not None:
            compiled.append((name, threading.get_ident(), begin, time.monotonic_ns()))


class profile(contextlib.ContextDecorator):
    """Records what npcc does in the `with` statement, and writes a trace to `output` at its end. One at a time: RuntimeError otherwise.

    `events` are then the trace's events, `summary()` is a table of them.
    """

    def __init__(self, output="trace.json"):
        from pathlib import Path  # here, as json: jit imports this module, and most programs record nothing
        self.output = Path(output) if output is not None else None
        self.events = []

    def __enter__(self):
        global compiled
        if compiled is not None:
            raise RuntimeError("npcc.profile is recording already")
        compiled = []
        self.begin = time.monotonic_ns()
        _npcc.trace_start()
        return self

    def __exit__(self, *exception):
        global compiled
        recorded, compilations, compiled = _npcc.trace_stop(), compiled, None
        self.events = _as_trace(recorded, compilations, self.begin)
        if self.output is not None:
            import json
            self.output.write_text(json.dumps(dict(traceEvents=self.events, displayTimeUnit="ms")))
        return False

    def summary(self, most=20):
        """Lines: milliseconds, how often, what, and where in Python; what takes longest is first."""
        totals = collections.defaultdict(lambda: [0.0, 0])
        for event in self.events:
            if event["ph"] == "X":
                total = totals[event["cat"], event["name"], event["args"].get("place", "")]
                total[0] += event["dur"] / 1e3
                total[1] += 1
        rows = sorted(totals.items(), key=lambda row: -row[1][0])[:most]
        return "\n".join(f"{total:10.3f} ms {count:7}x  {cat:14} {name}{'  ' + place if place else ''}" for (cat, name, place), (total, count) in rows)


def _as_trace(recorded, compilations, origin):
    """Events of the trace format: times in microseconds since `origin`."""
    events, tracks = [], {}

    def span(pid, tid, track, cat, name, begin, end, args):
        tracks.setdefault((pid, tid), track)
        events.append(dict(name=name, cat=cat, ph="X", ts=(begin - origin) / 1e3, dur=(end - begin) / 1e3, pid=pid, tid=tid, args=args))

    for kind, device, track, label, begin, end, size in recorded:
        name, _, place = label.partition("\t")
        if place.startswith("<launch "):  # what kernel[grid, block] calls (npcc/threads/kernel.py)
            name, place = f"launch of {LAUNCHED.sub('(', name)}", ""
        args = dict(place=place) if place and not place.startswith(":") else {}
        if size:
            args.update(bytes=size, GBps=round(size / max(end - begin, 1), 3))
        if device < 0:
            span(HOST, track + 1, f"thread {track}", KINDS[kind], name, begin, end, args)
        else:
            span(HOST + 1 + device, track & 0x7fffffff, f"stream {track:#x}", KINDS[kind], name, begin, end, args)
    threads = {}
    for name, thread, begin, end in compilations:
        number = threads.setdefault(thread, len(threads))
        span(HOST, 1000 + number, "compiler" + (f" {number}" if number else ""), "compile", name, begin, end, {})
    for pid in sorted({pid for pid, _ in tracks}):
        events.append(dict(name="process_name", ph="M", pid=pid, tid=0, args=dict(name="host" if pid == HOST else f"cuda:{pid - HOST - 1}")))
    for (pid, tid), track in tracks.items():
        events.append(dict(name="thread_name", ph="M", pid=pid, tid=tid, args=dict(name=track)))
    return events
