# REQUIRES: libdevice
# RUN: %python %s
"""A function compiled for two dtypes is several objects for each; kernels and images of both link into one module."""
import os
import subprocess
import sys
import tempfile

import numpy as np

PROGRAM = """
import numpy as np

def norms(x):
    return np.sqrt(np.sum(x ** 2, axis=-1))
"""
with tempfile.TemporaryDirectory() as folder:
    source = os.path.join(folder, "twice.py")
    with open(source, "w") as file:
        file.write(PROGRAM)
    built = os.path.join(folder, "built")
    os.mkdir(built)
    subprocess.run([sys.executable, "-m", "npcc", source, "--sig", "norms(float64[:,:])", "--sig", "norms(float32[:,:])",
                    "-o", os.path.join(built, "twice.so")], check=True)
    sys.path.insert(0, built)
    import twice
    x = np.random.default_rng(5).random((70, 90))
    np.testing.assert_allclose(twice.norms(x), np.sqrt(np.sum(x ** 2, axis=-1)), rtol=1e-14)
    single = twice.norms(x.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, np.sqrt(np.sum(x ** 2, axis=-1)), rtol=1e-5)
