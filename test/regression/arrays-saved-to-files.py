# RUN: %python %s
"""numpy.save and the other functions of NumPy's that write files, which only look at arrays, were refused in compiled code."""
import os
import tempfile

import numpy as np

import npcc


def snapshots(folder, n):
    u = np.zeros(n)
    u[n // 2] = 1.0
    for step in range(4):
        u[1:-1] = u[1:-1] + 0.25 * (u[2:] + u[:-2] - 2 * u[1:-1])
        if step % 2 == 0:
            np.save(os.path.join(folder, f"step{step}.npy"), u)  # which the next step changes
    np.savez(folder + "/all.npz", u, twice=2 * u)
    np.savez_compressed(folder + "/small.npz", u[::2])
    np.savetxt(folder + "/u.txt", u.reshape(-1, 2), fmt="%.3e", header=f"of {n}")
    return u.sum()


def argument(folder, a):
    np.save(folder + "/a.npy", a)
    a += 1
    return a


def path(a, b, c):
    order, text = np.einsum_path("ij,jk,kl->il", a, b, c, optimize="greedy")
    return order, text, a @ b


def contents(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            loaded = np.loadtxt(file) if name.endswith("txt") else np.load(file)
            found[name] = {key: loaded[key].tolist() for key in loaded} if name.endswith("npz") else loaded.tolist()
    return found


found = []
for run in (lambda function: function, npcc.jit(cache=False)):
    with tempfile.TemporaryDirectory() as folder:
        total = run(snapshots)(folder, 8)
        changed = run(argument)(folder, np.arange(5.0))
        found.append((total, changed.tolist(), contents(folder)))
assert found[0] == found[1], found
matrices = np.ones((2, 30)), np.ones((30, 4)), np.ones((4, 5))
expected, given = path(*matrices), npcc.jit(path, cache=False)(*matrices)
assert expected[:2] == given[:2] and (expected[2] == given[2]).all(), (expected, given)
# The steps are compiled: Python runs what writes files.
compiled = npcc.jit(snapshots, cache=False)
with tempfile.TemporaryDirectory() as folder:
    compiled(folder, 8)
lines = str(compiled.explain()).split("\n")
parts = {after.strip() for line, after in zip(lines, lines[1:]) if "a part that Python runs" in line}
assert all(part.startswith("np.save") for part in parts), parts
