# RUN: rm -rf %t && env NPCC_CACHE=1 NPCC_CACHE_DIR=%t %python %s
# RUN: env NPCC_CACHE=0 NPCC_CACHE_DIR=%t.off %python %s child && not ls %t.off
"""Many processes compile, write and read the same entries at once; each gets right results and whole files."""
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import npcc
from npcc import cache

FACTOR = 2


def scaled(x):
    return x * FACTOR


def helper(x):
    return x + 1


def calls_helper(x):
    return helper(x) * 2


def child():
    for dtype in (np.float64, np.float32, np.int64):
        x = np.arange(5, dtype=dtype)
        assert npcc.jit(scaled, target="cpu")(x).tolist() == (x * 2).tolist()
        assert npcc.jit(calls_helper, target="cpu")(x).tolist() == ((x + 1) * 2).tolist()


def fingerprints_differ():
    """What a function can reach is part of its fingerprint."""
    global FACTOR, helper
    before = cache.fingerprint(scaled), cache.fingerprint(calls_helper)
    assert all(before) and before[0] != before[1]
    assert before == (cache.fingerprint(scaled), cache.fingerprint(calls_helper))
    FACTOR, old_helper = 3, helper
    helper = abs
    after = cache.fingerprint(scaled), cache.fingerprint(calls_helper)
    assert before[0] != after[0] and before[1] != after[1]
    assert npcc.jit(scaled, target="cpu")(np.ones(2)).tolist() == [3, 3]
    FACTOR, helper = object(), old_helper
    assert cache.fingerprint(scaled) is None, "what cannot be written down is not cached"
    FACTOR = 2


if sys.argv[1:] == ["child"]:
    child()
else:
    processes = [subprocess.Popen([sys.executable, __file__, "child"]) for _ in range(6)]
    assert [process.wait() for process in processes] == [0] * 6
    entries = list(Path(cache.folder()).glob("*.npcc"))
    assert len(entries) == 6 and all(cache.load(entry.name) for entry in entries), entries
    fingerprints_differ()
