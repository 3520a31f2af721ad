"""Products, transforms, factorisations, sorts and random numbers beside NumPy and SciPy on the CPU, and beside CuPy, JAX and PyTorch on a GPU, in one run.

    python3 benchmarks/libraries/run.py --target cpu|cuda [--only GROUP,...] [--bounds] [--divide 1] [--seconds 0.3] [--json FILE]

Arguments lie on the device. The time is the median over rounds of calls that follow each other, in which the peers take turns. `of the copy`: the time of a
copy of the result over npcc's; `of the library`: that of CUDA's library called directly (direct/). --bounds: only the rows that have such a bound, and those
that are held against several of them, beside that bound and CuPy. Results are held against NumPy's at a size divided by 64; random numbers must be NumPy's to
the last bit.
"""
from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import sys
import time
import types

if __package__ in (None, ""):
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    __package__ = "benchmarks.libraries"
    import benchmarks.libraries  # noqa: F401

import numpy as np

import npcc

from .. import machine
from .. import peers as array_peers
from .direct import PEERS as DIRECT
from .rows import ROWS, SparseRows

ROUNDS = 5


def with_module(function, module):
    """The function, which may be a lambda, with `np` standing for another module."""
    if function.__name__ == "<lambda>":
        return types.FunctionType(function.__code__, dict(function.__globals__, np=module))
    return array_peers.with_module(function, module)


class Npcc:
    def __init__(self, target):
        self.target = target

    def put(self, argument):
        if isinstance(argument, SparseRows):
            return (CuPy if self.target == "cuda" else NumPy)().put(argument)
        return npcc.asarray(argument, device="cuda") if self.target == "cuda" and isinstance(argument, np.ndarray) else argument

    def prepare(self, row):
        return npcc.jit(target=self.target)(row.run)

    def wait(self):
        npcc.synchronize()


class NumPy:
    def put(self, argument):
        if isinstance(argument, SparseRows):
            import scipy.sparse
            return argument.of(scipy.sparse.csr_array)
        return argument

    def prepare(self, row):
        return None if row.is_own else row.run

    def wait(self):
        pass


class SciPy(NumPy):
    def __init__(self):
        import scipy.fft
        import scipy.linalg
        self.scipy = scipy

    def prepare(self, row):
        return row.scipy and (lambda *a: row.scipy(self.scipy, *a))


class CuPy:
    def __init__(self):
        import cupy
        self.module = cupy

    def put(self, argument):
        if isinstance(argument, np.random.Generator):
            return self.module.random.default_rng(1)
        if isinstance(argument, SparseRows):
            import cupyx.scipy.sparse
            return argument.of(cupyx.scipy.sparse.csr_matrix, self.module.asarray)
        return self.module.asarray(argument) if isinstance(argument, np.ndarray) else argument

    def prepare(self, row):
        return None if row.is_own else with_module(row.run, self.module)

    def wait(self):
        self.module.cuda.Device().synchronize()


class Jax:
    def __init__(self):
        os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
        import jax
        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_default_matmul_precision", "highest")  # as the others compute: no TF32
        self.jax, self.last = jax, None

    def put(self, argument):
        if isinstance(argument, np.random.Generator):
            return self.jax.random.key(1)
        return self.jax.device_put(argument) if isinstance(argument, np.ndarray) else argument

    def prepare(self, row):
        if row.jax is False or row.is_own:
            return None
        if row.jax:
            call = self.jax.jit(lambda *a: row.jax(self.jax, *a), static_argnums=2)
        else:
            call = self.jax.jit(with_module(row.run, self.jax.numpy))

        def keep(*arguments):
            self.last = call(*arguments)
            return self.last
        return keep

    def wait(self):
        self.jax.block_until_ready(self.last)


class Torch:
    def __init__(self):
        import torch
        self.torch = torch

    def put(self, argument):
        if isinstance(argument, np.random.Generator):
            return "cuda"
        if isinstance(argument, SparseRows):
            parts = (argument.indptr, argument.indices, argument.data)
            return self.torch.sparse_csr_tensor(*(self.torch.from_numpy(part).cuda() for part in parts), size=argument.shape)
        if isinstance(argument, np.ndarray) and argument.dtype.name == "bfloat16":
            return self.torch.from_numpy(argument.view("i2")).view(self.torch.bfloat16).cuda()
        return self.torch.from_numpy(argument).cuda() if isinstance(argument, np.ndarray) else argument

    def prepare(self, row):
        return row.torch and (lambda *a: row.torch(self.torch, *a))

    def wait(self):
        self.torch.cuda.synchronize()


def peers_of(target, bounds):
    peers, others = {"npcc": Npcc(target)}, {"cupy": CuPy, **DIRECT} if bounds else {"cupy": CuPy, "jax": Jax, "torch": Torch, **DIRECT}
    for name, make in ({"numpy": NumPy, "scipy": SciPy} if target == "cpu" else others).items():
        try:
            peers[name] = make()
        except ImportError as missing:
            print(f"{name}: {missing}")
    return peers


def results(value):
    return [np.asarray(v.get() if hasattr(v, "get") else v) for v in (value if isinstance(value, tuple) else (value,))]


def check(row, peers):
    """npcc's results at a small size, and those of CUDA's libraries, against NumPy's, or scipy's."""
    if row.tolerance is None or row.group == "sparse" and importlib.util.find_spec("scipy") is None:
        return
    divisor = 64 if row.group != "random" else 1000
    want = results(row.run(*map(NumPy().put, row.arguments(np.random.default_rng(1), divisor))))
    for name in ("npcc", *DIRECT):
        function = peers[name].prepare(row) if name in peers else None
        if function is None:
            continue
        try:
            got = function(*map(peers[name].put, row.arguments(np.random.default_rng(1), divisor)))
        except (AttributeError, RuntimeError):  # an older library: the row says what it lacks
            if name == "npcc":
                raise
            continue
        peers[name].wait()
        if got is not None:
            compare(row, name, want, results(got))


def compare(row, peer, want, got):
    for right, value in zip(want, got):
        if row.group == "random":
            assert np.array_equal(value, right), f"{row.name} of {peer}: other numbers than NumPy's"
        else:
            bound = row.tolerance * max(float(np.abs(right).max(initial=0)), 1e-30)
            assert value.shape == right.shape and np.allclose(value, right, rtol=row.tolerance, atol=bound), f"{row.name} of {peer}: not NumPy's result"


def timed(call, wait, calls):
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    wait()
    return (time.perf_counter() - begin) / calls


def measure(row, peers, divisor, seconds):
    """Milliseconds by peer."""
    host = row.arguments(np.random.default_rng(0), divisor)
    calls, failed = {}, {}
    for name, peer in peers.items():
        try:
            function = peer.prepare(row)
            if function is None:
                continue
            arguments = [peer.put(argument) for argument in host]
            call = lambda function=function, arguments=arguments: function(*arguments)  # noqa: E731
            for _ in range(3):
                call()
            peer.wait()
            calls[name] = call, max(1, min(1000, int(seconds / max(timed(call, peer.wait, 1), 1e-6))))
        except Exception as error:  # a peer without this function is a gap in the table
            failed[name] = f"{type(error).__name__}: {str(error).splitlines()[0][:100] if str(error) else ''}"
    times = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, (call, count) in calls.items():
            times[name].append(timed(call, peers[name].wait, count))
    return {name: 1e3 * statistics.median(found) for name, found in times.items()}, failed


def copy_milliseconds(bytes_, target, seconds):
    peer = Npcc(target)
    source = peer.put(np.zeros(bytes_ // 8))
    copy = npcc.jit(target=target)(lambda x: x.copy())
    copy(source)
    count = max(1, int(seconds / max(timed(lambda: copy(source), peer.wait, 1), 1e-6)))
    return 1e3 * statistics.median(timed(lambda: copy(source), peer.wait, count) for _ in range(ROUNDS))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=["cpu", "cuda"], required=True)
    parser.add_argument("--only", default="", help="groups: products, Fourier, factors, sorts, sparse, random")
    parser.add_argument("--bounds", action="store_true", help="rows with a bound, beside it")
    parser.add_argument("--divide", type=float, default=None, help="extents by so much (cuda 1, cpu 8)")
    parser.add_argument("--seconds", type=float, default=0.05, help="of each round")
    parser.add_argument("--json")
    options = parser.parse_args()
    divisor = options.divide or (1 if options.target == "cuda" else 8)
    peers, rows = peers_of(options.target, options.bounds), []
    for row in ROWS:
        if options.only and row.group not in options.only.split(",") or options.bounds and not row.is_bounded():
            continue
        check(row, peers)
        times, failed = measure(row, peers, divisor, options.seconds / ROUNDS)
        line = dict(group=row.group, name=row.name, ms=times, failed=failed)
        if row.bytes:
            count = row.arguments(np.random.default_rng(0), divisor)[-1]
            line["of_the_copy"] = copy_milliseconds(row.bytes(count), options.target, options.seconds / ROUNDS) / times["npcc"]
        library = [times[name] for name in DIRECT if name in times]
        if library:
            line["of_the_library"] = library[0] / times["npcc"]
        rows.append(line)
        bounds = (f"  {key.replace('_', ' ')} {line[key]:.2f}" for key in ("of_the_copy", "of_the_library") if key in line)
        print(f"{row.group:9} {row.name:28}" + "".join(f"  {name} {ms:10.4f}" for name, ms in times.items())
              + "".join(bounds) + "".join(f"  {name}: {why}" for name, why in failed.items()), flush=True)
        if options.json:
            with open(options.json, "w") as file:
                json.dump(dict(machine=machine.describe(), divisor=divisor, rows=rows), file, indent=1)


if __name__ == "__main__":
    main()
