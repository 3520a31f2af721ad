# RUN: %python %s
# A function that calls one of an installed package went through all that the package's functions can name before it was compiled, which took minutes for one
# that draws; and what cannot be compiled in such a function was an error, where Python can run the call. f.explain() raised it even where Python ran the call.
import importlib
import os
import sys
import tempfile
import textwrap

import numpy as np

import npcc

PACKAGE = """
    import sys

    from installed_other import Table

    table = Table()
    LIMIT = 2.0

    def draw(x, *, scale=1.0):
        table.rows[sys._getframe(0).f_code.co_name] = float(x.sum()) * scale
        return table

    def finish(name):
        table.rows[name] = len(sys._getframe(0).f_code.co_name)

    def doubled(x):
        return x * 2
"""

with tempfile.TemporaryDirectory() as folder:
    packages = os.path.join(folder, "site-packages")
    os.mkdir(packages)
    for name, text in (("installed_package", PACKAGE), ("installed_other", "class Table:\n    def __init__(self):\n        self.rows = {}\n")):
        with open(os.path.join(packages, name + ".py"), "w") as file:
            file.write(textwrap.dedent(text))
    sys.path.insert(0, packages)
    package = importlib.import_module("installed_package")

    def simulated(n):
        x = np.linspace(0.0, 1.0, n)
        total = 0.0
        for k in range(3):
            total += float(k) * package.LIMIT
            package.draw(x, scale=2.0)
        package.finish("end")
        return x, total

    def compiles(x):
        return package.doubled(x) + package.LIMIT

    simulate, both = npcc.jit(target="cpu")(simulated), npcc.jit(target="cpu")(compiles)
    x, total = simulate(5)
    assert x.tolist() == np.linspace(0.0, 1.0, 5).tolist() and total == 6.0
    assert package.table.rows == {"draw": 5.0, "end": 6}, package.table.rows
    assert "a part that Python runs" in str(simulate.explain())
    # A function of a package that can be compiled is, and what the program names of the package is watched.
    assert both(np.ones(2)).tolist() == [4.0, 4.0] and "Python" not in str(both.explain())
    package.LIMIT = 3.0
    assert both(np.ones(2)).tolist() == [5.0, 5.0]
    # What it depends on ends at the package.
    from npcc.dependencies import Dependencies
    assert len(Dependencies(simulated).parts) < 30, len(Dependencies(simulated).parts)
    assert "class Table" not in "".join(Dependencies(simulated).parts)
