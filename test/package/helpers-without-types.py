# RUN: rm -rf %t && mkdir -p %t
# RUN: npcc %s -o %t/helpers.so --header %t/helpers.h 2>%t/report.txt
# RUN: FileCheck %s < %t/report.txt
# RUN: cd %t && %python -c "import helpers; helpers.check()"
"""A helper that compiled code calls with strings or functions was compiled for no arguments at all, and the module could not be imported."""
import numpy as np


# CHECK: helpers-without-types.py:[[@LINE+1]]: scale stays Python: no signature is declared for it, and no compiled function calls it with arrays and numbers alone
def scale(mode, unit):
    return 2.0 if mode == unit else 3.0


def slope(y):
    return -y


# CHECK: helpers-without-types.py:[[@LINE+1]]: integrate stays Python
def integrate(f, y, h):
    for _ in range(4):
        y = y + h * f(y)
    return y


# npcc export run(int64[:], float64)
def run(y, h):
    return integrate(slope, y, h) * scale("s", "m")


def check():
    y = np.array([1, 2])
    assert np.array_equal(run(y, 0.5), np.array([0.1875, 0.375])), run(y, 0.5)
    assert scale("s", "s") == 2.0 and scale("s", "m") == 3.0
    assert np.array_equal(integrate(slope, y, 0.5), np.array([0.0625, 0.125]))
    assert np.array_equal(slope(y), -y) and np.array_equal(slope(y * 0.5), y * -0.5)
