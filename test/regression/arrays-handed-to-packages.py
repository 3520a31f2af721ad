# RUN: %python %s
"""An array that was only handed to a function of an installed package, as those that draw, stayed Python's together with all that computed it."""
import importlib
import os
import sys
import tempfile
import textwrap

import numpy as np

import npcc

PACKAGE = """
    import sys

    drawn = []

    class Axes:
        def plot(self, *given, **options):
            assert sys._getframe(0)
            drawn.append([x.tolist() if hasattr(x, "tolist") else x for x in given])
            return [given]

    def subplots(n):
        assert sys._getframe(0)
        return object(), [Axes() for _ in range(n)]

    def draw(*given, **options):
        assert sys._getframe(0)
        drawn.append(given)

    def fill(x, value):
        assert sys._getframe(0)
        x[...] = value

    def fail(x):
        assert sys._getframe(0)
        x[0] = 7
        raise ValueError("failed")

    def same(x):
        assert sys._getframe(0)
        return x
"""


def plotted(n):
    figure, axes = package.subplots(2)
    x, y = np.meshgrid(np.linspace(0.0, 1.0, n), np.arange(3.0))
    z = x * x * y
    for k, ax in enumerate(axes):
        line, = ax.plot(x[k], z[k], "r")
    package.draw(x, [z, z[1:]], scale=z.T)
    return z.sum()


def drawn_again(n):
    x = np.arange(n) * 1.0
    for _ in range(3):
        x = x * 2
        package.draw(x)
    return x


def filled(n):
    x = np.arange(n) * 1.0
    package.fill(x[1:3], 8)
    try:
        package.fail(x)
    except ValueError:
        x = x + 1
    return x


def of_argument(a):
    package.fill(a[1:2], 5)
    package.draw(a, a[::2])
    return a * 2


# What follows has the array changed behind the call, by the program: both have to see it.
def changed_later(n):
    x = np.zeros(n)
    for k in range(3):
        x[k] = k + 1.0
        package.draw(x)
    return x


def changed_through_result(n):
    x = np.zeros(n)
    y = package.same(x)
    y[0] = 9
    return x


def lines_in_python(compiled):
    lines = str(compiled.explain()).split("\n")
    return {after.strip() for line, after in zip(lines, lines[1:]) if "a part that Python runs" in line}


with tempfile.TemporaryDirectory() as folder:
    packages = os.path.join(folder, "site-packages")
    os.mkdir(packages)
    with open(os.path.join(packages, "drawing.py"), "w") as file:
        file.write(textwrap.dedent(PACKAGE))
    sys.path.insert(0, packages)
    package = importlib.import_module("drawing")
    for function, others in (
        (plotted, {"figure, axes = package.subplots(2)", "for k, ax in enumerate(axes):", 'line, = ax.plot(x[k], z[k], "r")'}),
        (drawn_again, set()),
        (filled, set()),
        (of_argument, set()),
        (changed_later, None),
        (changed_through_result, None),
    ):
        compiled = npcc.jit(function, cache=False)
        given = [np.arange(5.0) if function is of_argument else 5 for _ in range(2)]
        expected, held = function(given[0]), repr(package.drawn)
        package.drawn.clear()
        assert repr(compiled(given[1])) == repr(expected), (function, compiled(given[1]), expected)
        assert repr(package.drawn) == held, (function, package.drawn, held)
        assert repr(given[0]) == repr(given[1])
        package.drawn.clear()
        if others is not None:
            found = {line for line in lines_in_python(compiled) if not line.startswith("package.")}
            assert found == others, (function, found)
    # On the host an argument is handed over as it is.
    a = np.arange(5.0)
    npcc.jit(of_argument, target="cpu", cache=False)(a)
    assert package.drawn[-1][0] is a
    # One that may not be stored into raises what NumPy raises.
    a.flags.writeable = False
    try:
        npcc.jit(of_argument, target="cpu", cache=False)(a)
        raise AssertionError
    except ValueError as error:
        assert str(error) == "assignment destination is read-only"
