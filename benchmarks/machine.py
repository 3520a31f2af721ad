"""Which machine, which versions, which day: every stored figure carries it, since only figures of one run compare."""
from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import shutil
import subprocess

PACKAGES = ["numpy", "npcc", "cupy-cuda13x", "cupy-cuda12x", "jax", "jaxlib", "torch", "numba", "pythran", "dace", "mpmath"]


def describe():
    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"), "python": platform.python_version(),
            "system": platform.platform(), "cpu": cpu(), "cores": os.cpu_count(), "gpu": gpu(), "versions": versions}


def cpu():
    """The processor's name and its vector instructions, by which code for it differs: virtual machines of one name have several."""
    try:
        with open("/proc/cpuinfo") as file:
            lines = [line.split(":", 1) for line in file if ":" in line]
    except OSError:
        return platform.machine()
    said = {key.strip(): value.strip() for key, value in reversed(lines)}
    flags = said.get("flags", "").split()
    vectors = next((f" with {name}" for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in flags), "")
    return said.get("model name", platform.machine()) + vectors


def gpu():
    """Name and driver of each GPU; empty without one."""
    tool = shutil.which("nvidia-smi")
    if not tool:
        return []
    ran = subprocess.run([tool, "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True, check=False)
    return ran.stdout.strip().splitlines() if ran.returncode == 0 else []


def line(machine):
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    return f"{machine['date']}; {'; '.join(machine['gpu']) or machine['cpu'] + ', ' + str(machine['cores']) + ' cores'}; Python {machine['python']}; {versions}"
