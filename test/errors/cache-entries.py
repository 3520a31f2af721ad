# RUN: rm -rf %t && env NPCC_CACHE=1 NPCC_CACHE_DIR=%t %python %s
"""A broken, truncated or foreign cache entry is ignored and written again."""
import os
import time
from pathlib import Path

import numpy as np

import npcc

folder = Path(os.environ["NPCC_CACHE_DIR"])


def triple(x):
    return x * 3


def run():
    assert npcc.jit(triple, target="cpu")(np.ones(3)).tolist() == [3, 3, 3]


run()
[entry] = folder.glob("*.npcc")
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
assert {path.name for path in folder.iterdir()} - {cache.CONTENTS} == {entry.name, "pruned"}, "files were left behind"

# Another compiler's entries are not taken: of the same version, the same size of files, at the same time.
import shutil
import subprocess
import sys
import tempfile

identity = "from npcc import cache; print(cache.compiler_identity())"
with tempfile.TemporaryDirectory() as other:
    package = Path(npcc.__file__).parent
    shutil.copytree(package, Path(other) / "npcc", ignore=shutil.ignore_patterns("__pycache__"))

    def ask():
        environment = dict(os.environ, PYTHONPATH=other, PYTHONDONTWRITEBYTECODE="1")
        return subprocess.run([sys.executable, "-c", identity], env=environment, capture_output=True, text=True, check=True).stdout.strip()

    assert ask() == cache.compiler_identity()
    library = next((Path(other) / "npcc" / "library").glob("s*.py"))
    stat, text = library.stat(), library.read_text()
    library.write_text(text.replace("return", "return ", 1).replace("\n\n", "\n", 1))
    os.utime(library, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert library.stat().st_size == stat.st_size and ask() != cache.compiler_identity()

    # What was read once is noted, and read again where anything shows that a file has changed.
    (folder / cache.CONTENTS).unlink(missing_ok=True)
    time.sleep(cache.SECONDS_UNTIL_SETTLED)
    changed = ask()
    noted = (folder / cache.CONTENTS).read_text()
    assert ask() == changed and (folder / cache.CONTENTS).read_text() == noted
    for broken in ("", noted[:-1], "x" + noted[1:], noted.replace(" ", "")):
        (folder / cache.CONTENTS).write_text(broken)
        assert ask() == changed
    library.write_text(text)
    os.utime(library, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert ask() == cache.compiler_identity()

# A full folder loses what was not used for longest.
for number in range(20):
    cache.store(f"{number}.npcc", bytes(1000))
    os.utime(folder / f"{number}.npcc", (10_000 + number, 10_000 + number))
assert cache.load("3.npcc") == bytes(1000)  # used now
(folder / "dead.part").write_bytes(b"")
os.utime(folder / "dead.part", (10_000, 10_000))
os.environ["NPCC_CACHE_MIB"] = str(12_000 / 2**20)
cache.prune()
left = {path.name for path in folder.iterdir()}
assert "3.npcc" in left and "19.npcc" in left and "4.npcc" not in left and "dead.part" not in left, left
assert sum(path.stat().st_size for path in folder.iterdir()) <= 9_000
