# RUN: rm -rf %t && mkdir -p %t
# RUN: npcc %s -o %t/shapes.so --header %t/shapes.h 2>%t/report.txt
# RUN: FileCheck %s < %t/report.txt
# RUN: cd %t && %python -I %S/Inputs/use_shapes.py %t
"""A module needs NumPy and libnpcc_rt.so only: `import npcc` is gone, what was not declared stays Python, defaults and docs stay."""
import numpy as np

import npcc

SIDE = 3


def area(width: npcc.f64[:], height: float = SIDE + 1):
    """Areas."""
    return width * height


# CHECK: module-without-npcc.py:[[@LINE+1]]: describe stays Python: no signature is declared for it, and no compiled function calls it
def describe(x, y: npcc.f64 = 1.0):
    """Stays."""
    raise ValueError(f"line of the script, {y}")


if __name__ == "__main__":
    pass
