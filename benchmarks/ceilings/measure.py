#!/usr/bin/env python3
"""Build and run the ceilings' programs: `measure.py cpu|cuda` prints JSON. Rates are per second, costs are seconds.

  copy: bytes read plus written; float64, float32: multiply-adds counted as two; dgemm, sgemm: products of 8192 x 8192
  launch, launch and wait, graph node, barrier, thread: one of each
"""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


class Unavailable(Exception):
    """No compiler or no device: reports go without fractions of the floor."""


def nvcc():
    root = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or "/usr/local/cuda"
    found = shutil.which("nvcc") or os.path.join(root, "bin", "nvcc")
    if not os.path.exists(found):
        raise Unavailable("nvcc is not installed")
    return found


def command(target, output):
    if target == "cuda":
        return [nvcc(), "-O3", "-std=c++17", "-arch=native", "-o", output, os.path.join(HERE, "gpu.cu"), "-lcublas"]
    compiler = next((c for c in ("g++", "clang++", "clang++-22", "c++") if shutil.which(c)), None)
    if not compiler:
        raise Unavailable("no C++ compiler")
    return [compiler, "-O3", "-march=native", "-ffast-math", "-std=c++17", "-pthread", "-o", output, os.path.join(HERE, "cpu.cpp")]


def measure(target):
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "ceilings")
        built = subprocess.run(command(target, program), capture_output=True, text=True, timeout=240)
        if built.returncode:
            raise Unavailable(f"the {target} ceilings do not build: {built.stderr.strip()[-400:]}")
        ran = subprocess.run([program], capture_output=True, text=True, timeout=120)
        if ran.returncode:
            raise Unavailable(f"the {target} ceilings do not run: {ran.stderr.strip()[-400:]}")
        return json.loads(ran.stdout)


if __name__ == "__main__":
    try:
        print(json.dumps(measure(sys.argv[1] if len(sys.argv) > 1 else "cpu"), indent=1))
    except Unavailable as missing:
        sys.exit(str(missing))
