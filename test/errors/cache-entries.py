# RUN: rm -rf %t && env NPCC_CACHE=1 NPCC_CACHE_DIR=%t %python %s
"""A broken, truncated or foreign cache entry is ignored and written again."""
import os
from pathlib import Path

import numpy as np

import npcc

folder = Path(os.environ["NPCC_CACHE_DIR"])


def triple(x):
    return x * 3


def run():
    assert npcc.jit(triple, target="cpu")(np.ones(3)).tolist() == [3, 3, 3]


run()
[entry] = folder.iterdir()
good = entry.read_bytes()
stamp = entry.stat().st_mtime_ns
run()
assert entry.stat().st_mtime_ns == stamp, "a good entry was written again"

middle = len(good) // 2
for broken in (b"", good[:20], good[:-1], good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1:], b"somebody else's file", good + b"x"):
    entry.write_bytes(broken)
    run()
    assert entry.read_bytes() == good, "not written again"

# An entry that is whole but holds something else than code.
import hashlib
from npcc import cache
cache.store(entry.name, b"no code")
run()
assert entry.read_bytes() == good
assert [path.name for path in folder.iterdir()] == [entry.name], "files were left behind"
