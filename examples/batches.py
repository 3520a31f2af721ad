"""Batches of images in the host's memory through a GPU: the next ones come and the last ones go while kernels run.

    python3 examples/batches.py                              # how long it takes, with and without
    npcc profile examples/batches.py -o batches.json         # and when: one track for each stream
"""
import sys
import time

import numpy as np

import npcc


@npcc.jit
def sharpen(images, out, rounds):
    """Unsharp masking of each image, several times over."""
    sharp = images.copy()
    for _ in range(rounds):
        blurred = sharp.copy()
        blurred[:, 1:-1, 1:-1] = (sharp[:, :-2, 1:-1] + sharp[:, 2:, 1:-1] + sharp[:, 1:-1, :-2] + sharp[:, 1:-1, 2:] + 4 * sharp[:, 1:-1, 1:-1]) / 8
        sharp = np.clip(sharp + np.float32(0.6) * (sharp - blurred), 0, 1)
    out[:] = sharp


def one_by_one(images, out, batch, rounds):
    for k in range(0, len(images), batch):
        sharpen(images[k:k + batch], out[k:k + batch], rounds)


def overlapped(images, out, batch, rounds):
    with npcc.overlap():
        for k in range(0, len(images), batch):
            sharpen(images[k:k + batch], out[k:k + batch], rounds)


@npcc.jit
def in_one_call(images, out, batch, rounds):
    for k in range(0, len(images), batch):
        sharpen(images[k:k + batch], out[k:k + batch], rounds)


def main(count=96, size=1024, batch=8, rounds=40):
    images = np.random.default_rng(0).random((count, size, size), dtype=np.float32)
    expected = np.empty_like(images)
    one_by_one(images[:batch], expected[:batch], batch, rounds)  # compiles
    for run in (one_by_one, overlapped, in_one_call):
        out = np.zeros_like(images)
        run(images, out, batch, rounds)
        start = time.perf_counter()
        run(images, out, batch, rounds)
        seconds = time.perf_counter() - start
        print(f"{run.__name__:12} {seconds * 1e3:8.1f} ms, {2 * images.nbytes / seconds / 1e9:5.1f} GB/s there and back")
        if run is one_by_one:
            expected[:] = out
        assert (out == expected).all()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
