# RUN: %python %s
"""An operation whose result nobody uses was dropped with the ValueError that NumPy raises."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "frontend" / "Inputs"))
from against_numpy import check  # noqa: E402


def unused(a, b):
    a + b
    c = a * b
    c = a
    return c


for shapes in (((3,), (4,)), ((3,), (1,)), ((2, 3), (2,)), ((2, 3), (3,))):
    check(unused, *map(np.ones, shapes))
