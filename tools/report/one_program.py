#!/usr/bin/env python3
"""docs/one-program.md: one program from its source to the code of a GPU, each step as the compiler prints it.

    python3 tools/report/one_program.py write     writes the page
    python3 tools/report/one_program.py check     fails if the page is not what the compiler prints today

Neither a GPU nor its driver is needed: nothing is run, and the code is for a fixed processor.
"""
import inspect
import re
import sys
from pathlib import Path

import numpy as np

import npcc
from generated_page import ROOT, write_or_check
from npcc import _npcc

PAGE = ROOT / "docs" / "one-program.md"
TEMPLATE = Path(__file__).with_name("one_program.md")


def step(u, k):
    v = u.copy()
    v[1:-1, 1:-1] = u[1:-1, 1:-1] + k * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
    return v


def norms(a):
    return np.sqrt(np.sum(a**2, -1))


TYPES = {step: "float64[:,:], float", norms: "float64[:,:]"}
# What is known of a first call with an array of 1000 x 1000 (Options::firstCall).
FIRST = {norms: ((1000, 1000, 0),)}


class Texts:
    """The texts of phases, each made once."""

    def __init__(self):
        self.made = {}

    def get(self, name, phase, first=False):
        key = name, phase, first
        if key not in self.made:
            function = {f.__name__: f for f in TYPES}[name]
            options = dict(target="cuda", arch="sm_90", cpu="x86-64-v3")
            if first:
                options["first_call"] = FIRST[function]
            types = _npcc.parse_signatures(f"{name}({TYPES[function]})")[0][1]
            text, diagnostics, *_ = _npcc.emit(function, tuple(types), options, phase)
            if text is None:
                sys.exit(f"{name}: {diagnostics}")
            self.made[key] = text.splitlines()
        return self.made[key]


def shorten(line):
    """Without what is said for messages, and at most 150 characters."""
    line = re.sub(r" attributes \{.*\} \{$", " {", line)
    line = re.sub(r" \{np\.name = [^}]*\}", "", line)
    return line if len(line) <= 150 else line[:147] + "..."


def excerpt(lines, begin, end, most):
    """The lines from the first that contains `begin` on, to the first behind it that contains `end`; at most `most`. Indented as little as can be."""
    start = next((k for k, line in enumerate(lines) if begin in line), None)
    if start is None:
        raise LookupError(f"no line contains {begin!r}")
    stop = next((k for k in range(start + 1, len(lines)) if end and end in lines[k]), len(lines) - 1) + 1
    chosen = [shorten(line) for line in lines[start:stop]]
    if len(chosen) > most:
        chosen = [*chosen[:most], "..."]
    room = min(len(line) - len(line.lstrip()) for line in chosen if line.strip() and line != "...")
    return "\n".join(line if line == "..." else line[room:].rstrip() for line in chosen)


def page():
    """The template, where {{name phase "begin" "end" most}} stands for lines of a phase, with `in "text"` for those behind a line that contains
    it; {{lines name phase}} for their number; and {{source name}} for the function."""
    texts = Texts()

    def fill(match):
        words = re.findall(r'"[^"]*"|\S+', match[1])
        if words[0] == "source":
            return inspect.getsource(globals()[words[1]]).rstrip()
        if words[0] == "lines":
            return f"{len(texts.get(words[1], words[2], 'first' in words)):,}"
        name, phase, begin, end, most, *within = words
        lines = texts.get(name, phase.removesuffix("+first"), phase.endswith("+first"))
        if within:
            lines = lines[next(k for k, line in enumerate(lines) if within[1].strip('"') in line):]
        return excerpt(lines, begin.strip('"'), end.strip('"'), int(most))

    return re.sub(r"\{\{(.*?)\}\}", fill, TEMPLATE.read_text())


if __name__ == "__main__":
    write_or_check(PAGE, page, __doc__.splitlines()[0])
