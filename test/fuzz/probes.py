#!/usr/bin/env python3
"""One-line probes: every function, operator and method with every dtype and kind of argument, compiled and in NumPy.

  probes.py                                   all of them
  probes.py --sample 40 --rows 6 --seed 1     a bounded number of combinations and rows of each: what the tests run
  probes.py --only 'binary S:f4 P:int'        one combination;  --row TEXT: the rows that contain this text
  probes.py --json FILE                       counts and failures

A combination is a table of rows (probe_table.py) and the dtypes of their arguments. All rows that give a value are
compiled as one function; rows that raise are compiled alone. Compared are the values (NaN and the sign of zeros),
dtypes, shapes, whether the result is an array, NumPy's scalar or Python's, and errors. What NumPy leaves open is said
of each row in the table, by rules that probe_rules.py holds. What the compiler refuses in words of its own is counted,
and no failure, at run time too (outcome.is_limit).
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
if __package__ in (None, ""):
    sys.path[0] = os.path.dirname(HERE)
    __package__ = "fuzz"
    import fuzz  # noqa: F401

from . import probe_table as table  # noqa: E402
from .prober import Prober  # noqa: E402

def rows_for(kind, only, without):
    rows = {
        "unary": table.unary,
        "binary": table.binary,
        "constants": table.constants,
        "text": lambda: [table.row(r) for r in table.TEXT_ROWS + table.RAISE_ROWS],
    }[kind]()
    return [r for r in rows if (not only or any(o in r for o in only)) and not any(o in r for o in without)]


def name_of(kind, forms):
    return kind + " " + " ".join(f"{form}:{dtype}" for form, dtype in forms)


def work(options, names):
    """A child process: one combination after another, each answered by a line of JSON."""
    combinations = {name_of(*c): c for c in table.combinations()}
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30,) * 2)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for name in names:
        print(json.dumps({"begin": name}), file=out, flush=True)
        prober = Prober(options.target, lambda row: print(json.dumps({"row": row}), file=out, flush=True))
        try:
            kind, forms = combinations[name]
            rows = rows_for(kind, options.row, options.without)
            if options.rows and options.rows < len(rows):
                rows = random.Random(f"{options.seed} {name}").sample(rows, options.rows)
            prober.probe(kind, forms, rows)
            answer = {"name": name, "counts": prober.counts, "failures": prober.failures, "reasons": prober.reasons}
        except Exception:
            answer = {"name": name, "broken": traceback.format_exc()}
        print(json.dumps(answer), file=out, flush=True)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--rows", type=int, help="rows of each combination, drawn; default: all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", default=[], help="a combination, or how its name begins")
    parser.add_argument("--row", action="append", default=[])
    parser.add_argument("--without", action="append", default=[], help="leave out the rows that contain this text")
    parser.add_argument("--limit", type=float, default=40, help="seconds before a row counts as hanging")
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json")
    parser.add_argument("--show", type=int, default=60, help="how many kinds of failure to print")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        return work(options, [line.strip() for line in sys.stdin])
    if missing := table.uncovered():
        print(f"no row of probe_table.py calls: {' '.join(missing)}")
        return 1
    names = [name_of(*c) for c in table.combinations()]
    if options.only:
        names = [n for n in names if any(n.startswith(o) for o in options.only)]
    if options.sample and options.sample < len(names):
        names = random.Random(options.seed).sample(names, options.sample)
    return run(options, names)


def nothing(where, kind, detail):
    return {"where": where, "row": "", "arguments": [], "kind": kind, "detail": detail}


def guard(child, last, limit):
    """Ends a child that has been silent for too long."""
    while child.poll() is None:
        time.sleep(0.5)
        if time.time() - last[0] > limit:
            child.kill()


def run(options, names):
    begin, counts, failures, reasons, lock = (
        time.time(),
        collections.Counter(),
        [],
        collections.Counter(),
        threading.Lock(),
    )
    rest = collections.deque(names)

    def take(count):
        with lock:
            return [rest.popleft() for _ in range(min(count, len(rest)))]

    def record(answer):
        with lock:
            if "broken" in answer:
                counts["broken"] += 1
                failures.append(nothing(answer["name"], "broken", answer["broken"][-600:]))
                return
            counts.update(answer["counts"])
            reasons.update(answer["reasons"])
            failures.extend(answer["failures"])
            save()

    def save():
        if options.json:
            with open(options.json + ".part", "w") as file:
                json.dump({"counts": counts, "failures": failures, "refused": reasons.most_common()}, file, indent=1)
            os.replace(options.json + ".part", options.json)

    def ended(name, row, kind, detail):
        with lock:
            counts[kind] += 1
            failures.append(dict(nothing(name, kind, detail), row=row))

    def serve():
        command = [
            sys.executable,
            os.path.abspath(__file__),
            "--child",
            "--target",
            options.target,
            *[f"--row={r}" for r in options.row],
            *[f"--without={r}" for r in options.without],
            f"--seed={options.seed}",
            *([f"--rows={options.rows}"] if options.rows else []),
        ]
        while mine := take(max(1, min(20, len(names) // (2 * options.jobs)))):
            with tempfile.TemporaryFile("w+") as log:
                child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
                child.stdin.write("\n".join(mine))
                child.stdin.close()
                current, row, last = mine[0], "", [time.time()]
                watch = threading.Thread(target=guard, args=(child, last, options.limit), daemon=True)
                watch.start()
                for line in child.stdout:
                    last[0] = time.time()
                    answer = json.loads(line)
                    current, row = answer.get("begin", current), answer.get("row", "")
                    if "name" in answer:
                        record(answer)
                        mine = mine[mine.index(answer["name"]) + 1 :]
                status = child.wait()
                if mine or status:
                    log.seek(0)
                    hung = time.time() - last[0] > options.limit
                    ended(current, row, "hang" if hung else "crash", "" if hung else log.read()[-600:])
                    with lock:  # the rest of the rows of this one are not judged
                        rest.extend(n for n in mine if n != current)

    threads = [threading.Thread(target=serve) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    groups = collections.defaultdict(list)
    for failure in failures:
        groups[failure["kind"], failure["row"]].append(failure)
    for (kind, row), members in sorted(groups.items(), key=lambda g: -len(g[1]))[: options.show]:
        places = collections.Counter(m["where"] for m in members)
        first = members[0]
        print(
            f"{kind}: {row}   [{len(members)} in {len(places)}: {', '.join(list(places)[:4])}]\n"
            f"    {first['where']} {', '.join(first['arguments'])}: {first['detail']}"
        )
    save()
    print(
        f"{len(names)} combinations, {sum(counts.values())} verdicts, {time.time() - begin:.0f} s: "
        + ", ".join(f"{n} {k}" for k, n in counts.most_common())
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
