"""./dev demo: compile heat.py ahead of time, run it, compare it with NumPy, print times, draw the field.

The module runs on the GPU where there is one and on the CPU otherwise.
"""

import argparse
import importlib.util
import pathlib
import subprocess
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def best(function, *args):
    """The result, and the shortest of three times in seconds."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        result = function(*args)
        times.append(time.perf_counter() - start)
    return result, min(times)


def draw(field, path):
    """Black through red and yellow to white, as a PNG."""
    from PIL import Image

    t = field / field.max() * 3
    colours = np.stack([np.clip(t, 0, 1), np.clip(t - 1, 0, 1), np.clip(t - 2, 0, 1)], axis=-1)
    Image.fromarray((colours * 255).astype(np.uint8)).save(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("heat.png"))
    options = parser.parse_args()

    folder = options.output.resolve().parent
    module = folder / "heat.so"
    print(f"compiling {HERE / 'heat.py'} -> {module}")
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "npcc", str(HERE / "heat.py"), "-o", str(module)], check=True)
    print(f"  {time.perf_counter() - start:.2f} s")

    plain, compiled = load("heat_source", HERE / "heat.py"), load("heat", module)
    u = plain.plate(options.size)
    expected, numpy_time = best(plain.diffuse, u, 0.2, options.steps)
    result, npcc_time = best(compiled.diffuse, u, 0.2, options.steps)
    difference = np.abs(result - expected).max()
    print(f"heat, {options.size} x {options.size} cells, {options.steps} steps, float64")
    print(f"  NumPy {numpy_time * 1e3:9.2f} ms")
    print(f"  npcc  {npcc_time * 1e3:9.2f} ms   {numpy_time / npcc_time:.1f} times as fast")
    print(f"  largest difference from NumPy: {difference:g}")
    draw(result, options.output)
    print(f"  the field: {options.output.resolve()}")
    if not np.allclose(result, expected, rtol=1e-12, atol=1e-12):
        sys.exit("the results differ")


if __name__ == "__main__":
    main()
