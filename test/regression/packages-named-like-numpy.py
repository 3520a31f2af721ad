# RUN: %python %s
"""A package whose name begins with NumPy's is another one: its functions and classes are compiled."""

import sys
import tempfile
from pathlib import Path

import numpy as np

import npcc

SOURCE = """
import numpy as np

class Mean:
    def __init__(self, weight):
        self.weight = weight

    def fit(self, x):
        self.mean = half(x.mean(axis=0)) * self.weight
        return self

def half(x):
    return np.asarray(x) / 2
"""

with tempfile.TemporaryDirectory() as folder:
    Path(folder, "numpy_averages.py").write_text(SOURCE)
    sys.path.insert(0, folder)
    import numpy_averages

    def fitted(x):
        return numpy_averages.Mean(3.0).fit(x).mean

    x = np.arange(6.0).reshape(3, 2)
    compiled = npcc.jit(fitted, target="cpu")
    assert compiled(x).tolist() == [3.0, 4.5]
    assert "half" in str(compiled.explain(x))  # which refuses what Python has to run
