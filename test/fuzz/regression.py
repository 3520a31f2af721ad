"""A shrunk failure as the text of a regression test: how lit runs it, what went wrong, the program and its arguments."""
from __future__ import annotations

import os
import re


def name_of(verdict, program):
    return re.sub(r"\W+", "-", f"{verdict.kind} {program.seed}").strip("-")


def text(verdict, program, compiler, target):
    found = " ".join(verdict.detail.split())
    head = [f"RUN: %python %npcc_src/test/fuzz/run.py --file %s --target {target or 'cpu'}", *(["REQUIRES: cuda"] if target == "cuda" else []),
            f"{verdict.kind}: {found[:160]}",
            f"Found by random programs, seed {program.seed}" + (f", target {target}" if target else "") + "."]
    return "".join(f"# {line}\n" for line in head) + program.source()


def save(folder, verdict, program, compiler, target):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name_of(verdict, program) + ".py")
    with open(path, "w") as file:
        file.write(text(verdict, program, compiler, target))
    return path
