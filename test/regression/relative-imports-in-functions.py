# RUN: %python %s
"""`from .near import f` in a function of a package was an import of a top-level module `near`."""
import importlib
import pathlib
import sys
import tempfile

import numpy as np

import npcc

with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    (root / "near_numbers.py").write_text("def scaled(x):\n    return x * 1000\n")
    (root / "pack" / "inner").mkdir(parents=True)
    (root / "pack" / "__init__.py").write_text("")
    (root / "pack" / "near_numbers.py").write_text("def scaled(x):\n    return x * 2\n")
    (root / "pack" / "inner" / "__init__.py").write_text("")
    (root / "pack" / "inner" / "work.py").write_text(
        "def sums(a):\n"
        "    from ..near_numbers import scaled\n"
        "    from .. import near_numbers as near\n"
        "    from . import late_numbers\n"
        "    return scaled(a.sum()) + near.scaled(1), late_numbers.half(a)\n")
    (root / "pack" / "inner" / "late_numbers.py").write_text("def half(x):\n    return x / 2\n")
    sys.path.insert(0, folder)
    work = importlib.import_module("pack.inner.work")
    total, halves = npcc.jit(work.sums, target="cpu")(np.ones(3))
    assert total == 8.0 and halves.tolist() == [0.5, 0.5, 0.5]
