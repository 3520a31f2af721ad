"""How fast a device can be: what a kernel's floor is computed of."""
import concurrent.futures
import functools
import os
import time
from typing import NamedTuple

import numpy as np

from .. import _npcc


class Limits(NamedTuple):
    """Bytes a second to and from memory, and operations of float32 and of float64 a second; 0: not known."""
    name: str
    bytes: float
    single: float = 0
    double: float = 0

    def floor(self, moved, operations):
        """The least seconds for so many bytes and so many operations (of float64, where that is faster unknown)."""
        rate = self.single or self.double
        return max(moved / self.bytes, operations / rate if rate else 0)


# As the makers state them, without tensor cores and without sparsity.
KNOWN = {limits.name: limits for limits in (
    Limits("B200", 8.0e12, 80e12, 40e12), Limits("H200", 4.8e12, 67e12, 34e12), Limits("H100 PCIe", 2.0e12, 51e12, 26e12),
    Limits("H100", 3.35e12, 67e12, 34e12), Limits("GH200", 4.0e12, 67e12, 34e12), Limits("A100", 2.0e12, 19.5e12, 9.7e12),
    Limits("L40", 0.864e12, 90e12, 1.4e12), Limits("L4", 0.3e12, 30e12, 0.5e12), Limits("A10", 0.6e12, 31e12, 1e12),
    Limits("V100", 0.9e12, 15.7e12, 7.8e12), Limits("T4", 0.32e12, 8.1e12, 0.25e12), Limits("RTX 4090", 1.0e12, 82e12, 1.3e12),
    Limits("RTX 3090", 0.936e12, 35e12, 0.56e12))}


def of_device(name):
    """Those of a device by its name, as the driver says it too ("NVIDIA H100 80GB HBM3"); None for one that is not known."""
    found = [known for known in KNOWN if all(word in name.upper().replace("-", " ").split() for word in known.upper().split())]
    return KNOWN[max(found, key=len)] if found else None


def named(name):
    """Those of a device that the user names; ValueError if it is not known."""
    limits = of_device(name)
    if limits is None:
        raise ValueError(f"device is one of {', '.join(KNOWN)}, not {name!r}")
    return limits


def here(target):
    """Those of the device that a target's code runs on here; None where that is not known."""
    if not target.needs_gpu():
        return host()
    return of_device(_npcc.device_info(0)["name"]) if _npcc.cuda_device_count() else None


@functools.cache
def host():
    """The host's memory, measured: a copy of arrays that no cache holds, by all processors."""
    workers = os.cpu_count() or 1
    source = np.ones(1 << 23)
    destination = np.empty_like(source)
    parts = list(zip(np.array_split(source, workers), np.array_split(destination, workers)))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        best = min(_seconds(lambda: list(pool.map(lambda part: np.copyto(part[1], part[0]), parts))) for _ in range(4))
    return Limits("this machine's memory", 2 * source.nbytes / best)


def _seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
