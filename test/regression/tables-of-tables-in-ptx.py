# RUN: %python %s
"""A small array of a global that is read at positions becomes a table of tables in PTX, with their addresses in it, which the driver that stands in for CUDA's
took for zeros: an illegal address."""
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import npcc

TABLE = np.random.RandomState(1).rand(8, 8)
TABLE[0, 0] = 0


def tour(n):
    visited = np.zeros(n, int)
    for k in range(n - 1):
        others = [q for q in range(n) if q not in visited[:k + 1]]
        visited[k + 1] = others[np.argmax(TABLE[visited[k], others])]
    return visited


assert npcc.jit(tour)(8).tolist() == tour(8).tolist()

fake = Path(npcc.__file__).parents[2] / "test" / "runtime" / "fake-cuda"
if fake.exists() and "NPCC_FAKE" not in os.environ:
    environment = dict(os.environ, NPCC_FAKE="1", NPCC_TARGET="cuda", LD_LIBRARY_PATH=str(fake), NPCC_CUBLAS="none", NPCC_KERNEL_ARCH="compute_90")
    subprocess.run([sys.executable, __file__], env=environment, check=True)
