# RUN: %python %s
# A loop with running totals of 518 elements was one kernel of the grid, where one thread goes along each: 0.55 ms an iteration for 0.04.
import numpy as np

import npcc


def mean_of_box(a, r):
    p = np.pad(a, r, mode="symmetric")
    s = np.pad(p.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    k = 2 * r + 1
    return (s[k:, k:] - s[:-k, k:] - s[k:, :-k] + s[:-k, :-k]) / k**2


def distances(image, patch, search):
    height, width = image.shape
    around = np.pad(image, search, mode="symmetric")
    total = np.zeros_like(image)
    for dy in range(-search, search + 1):
        for dx in range(-search, search + 1):
            if dy == dx == 0:
                continue
            shifted = around[search + dy:search + dy + height, search + dx:search + dx + width]
            total += np.exp(-mean_of_box((image - shifted) ** 2, patch))
    return total


text = str(npcc.jit(target="cuda", arch="sm_90")(distances).explain(np.zeros((512, 512)), 3, 10, device="H200"))
assert "run by all blocks" not in text and "scan over 518" in text, text
