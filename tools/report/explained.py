#!/usr/bin/env python3
"""docs/explain.md: what `npcc explain` says of some programs, as the compiler says it.

    python3 tools/report/explained.py write     writes the page
    python3 tools/report/explained.py check     fails if the page is not what the compiler says today

Neither a GPU nor its driver is needed: nothing is run.
"""
import inspect
import re
from pathlib import Path

import numpy as np

import npcc
from generated_page import ROOT, write_or_check

PAGE = ROOT / "docs" / "explain.md"
TEMPLATE = Path(__file__).with_name("explained.md")


def smooth(u, k):
    v = u.copy()
    v[1:-1] = u[1:-1] + k * (u[2:] - 2 * u[1:-1] + u[:-2])
    return v / np.sqrt((v**2).sum(-1))[:, None]


def centred(x, y):
    x[1:] = x[:-1] * 2
    m = y.mean()
    return x + 1, y - m


def relax(u, v, steps, limit):
    for _ in range(steps):
        v[1:-1] = (u[:-2] + u[2:]) / 2
        u[1:-1] = (v[:-2] + v[2:]) / 2
    total = 0.0
    for i in range(u.shape[0]):
        total = total * 0.5 + min(u[i], limit)
    return total


CALLS = {smooth: (np.zeros((4000, 2000)), 0.1), centred: (np.zeros(100000), np.zeros(2000000)), relax: (np.zeros(1 << 24), np.zeros(1 << 24), 100, 1.0)}


def explain(function):
    """Its text, with the lines as they are on the page."""
    first = function.__code__.co_firstlineno
    text = str(npcc.jit(function, target="cuda", arch="sm_90").explain(*CALLS[function], device="H100"))
    text = re.sub(r"explained\.py:(\d+)", lambda match: f"line {int(match[1]) - first + 1}", text)
    return re.sub(r"(lines?) ((?:\d+, )*\d+)(?=[ ,:)\]]|$)", lambda match: _moved(match, first), text, flags=re.MULTILINE)


def _moved(match, first):
    numbers = [int(number) for number in match[2].split(", ")]
    return f"{match[1]} {', '.join(str(number - first + 1 if number >= first else number) for number in numbers)}"


def page():
    """The template, where {{source name}} is a function and {{explain name}} what is said of it."""
    def fill(match):
        function = globals()[match[2]]
        return inspect.getsource(function).rstrip() if match[1] == "source" else explain(function)
    return re.sub(r"\{\{(source|explain) (\w+)\}\}", fill, TEMPLATE.read_text())


if __name__ == "__main__":
    write_or_check(PAGE, page, __doc__.splitlines()[0])
