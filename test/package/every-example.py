# RUN: rm -rf %t && mkdir -p %t
# RUN: %python %s %npcc_src/examples %t
"""Every example compiles ahead of time, and the module gives what the script gives in NumPy."""
import importlib.util
import subprocess
import sys
from pathlib import Path

examples, output = Path(sys.argv[1]), Path(sys.argv[2])
sys.path.insert(0, str(examples.parent / "test" / "run"))
import numpy as np
import programs


def load(path):
    spec = importlib.util.spec_from_file_location(path.name.partition(".")[0], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def leaves(value):
    return [np.asarray(part) for part in (value if isinstance(value, tuple) else [value]) if part is not None]


for name in sorted({program.function.__module__ for program in programs.PROGRAMS.values()}):
    subprocess.run(["npcc", examples / f"{name}.py", "-o", output / f"{name}.so", "--target", "cpu"], check=True, stderr=subprocess.PIPE)
for name, program in programs.PROGRAMS.items():
    module = load(output / f"{program.function.__module__}.so")
    compiled = getattr(module, program.function.__name__)
    accepted = " ".join(compiled.signatures)
    checked = 0
    for dtype in program.dtypes:
        if np.dtype(dtype).name not in accepted:
            continue
        for size in program.sizes:
            mine, theirs = program.inputs(size, dtype), program.inputs(size, dtype)
            got, expected = compiled(*mine), program.function(*theirs)
            for a, b in zip(leaves(got) + leaves(tuple(mine)), leaves(expected) + leaves(tuple(theirs)), strict=True):
                assert a.dtype == b.dtype and a.shape == b.shape, name
                relative = 1e-9 if a.dtype.itemsize * (1 if a.dtype.kind != "c" else 0.5) == 8 else 1e-3
                np.testing.assert_allclose(a, b, relative, relative, err_msg=name)
            checked += 1
    assert checked, f"{name}: {accepted}"
