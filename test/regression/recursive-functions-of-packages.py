# RUN: %python %s
"""A function of an installed package that calls itself is a function of the module; what could not be compiled in it was an error of the whole program,
which did not say where in the program Python should run it."""
import importlib
import os
import sys
import tempfile
import textwrap

import numpy as np

import npcc

PACKAGE = """
    import sys

    import numpy as np

    def moved(a):
        if a.size == 0:
            return moved(np.ones(2))
        assert sys._getframe(0)
        return a * 2 + 1
"""


def summed(a):
    b = a[1:] - a[:-1]
    c = package.moved(b)
    total = 0.0
    for x in b:
        total += x * x
    return c, total


with tempfile.TemporaryDirectory() as folder:
    packages = os.path.join(folder, "site-packages")
    os.mkdir(packages)
    with open(os.path.join(packages, "recursive.py"), "w") as file:
        file.write(textwrap.dedent(PACKAGE))
    sys.path.insert(0, packages)
    package = importlib.import_module("recursive")
    compiled = npcc.jit(summed, cache=False)
    a = np.array([1.0, 4.0, 9.0, 16.0])
    assert repr(compiled(a)) == repr(summed(a)), compiled(a)
    lines = str(compiled.explain()).split("\n")
    parts = {after.strip() for line, after in zip(lines, lines[1:]) if "a part that Python runs" in line}
    assert parts == {"c = package.moved(b)"}, parts
