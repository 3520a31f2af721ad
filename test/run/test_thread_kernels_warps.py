"""Thread-level kernels: what the lanes of a warp exchange, and bits of integers."""
import unittest

import numpy as np

from npcc import cuda
from kernels_of_threads import FLOATS, INTEGERS, Kernels, kernel, on_real_gpu

LANES = np.arange(32)


def lanes_of(lanes):
    """The mask of these lanes: an int32."""
    return np.array(sum(1 << int(lane) for lane in lanes), np.int64).astype(np.int32)


class Warps(Kernels):
    def test_shuffles(self):
        @kernel
        def shuffle(x, out):
            i = cuda.grid(1)
            value = x[i]
            out[0, i] = cuda.shfl_sync(-1, value, 3)
            out[1, i] = cuda.shfl_up_sync(0xFFFFFFFF, value, 2)
            out[2, i] = cuda.shfl_down_sync(0xFFFFFFFF, value, 5)
            out[3, i] = cuda.shfl_xor_sync(0xFFFFFFFF, value, 7)

        for dtype in [*INTEGERS, *FLOATS, np.int8, np.uint16, np.float16]:
            with self.subTest(dtype=dtype):
                x = (np.arange(64) * 3 + 1).astype(dtype)
                out = np.zeros((4, 64), dtype)
                shuffle[1, 64](x, out)
                warps = x.reshape(2, 32)
                expected = [warps[:, [3] * 32], warps[:, np.where(LANES >= 2, LANES - 2, LANES)], warps[:, np.where(LANES < 27, LANES + 5, LANES)],
                            warps[:, LANES ^ 7]]
                self.check(out, np.stack([e.ravel() for e in expected]))

    def test_sum(self):
        @kernel
        def total(x, out):
            value = x[cuda.grid(1)]
            step = 16
            while step > 0:
                value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
                step //= 2
            if cuda.laneid == 0:
                cuda.atomic.add(out, 0, value)

        out = np.zeros(1)
        total[2, 64](np.arange(128.0), out)
        self.check(out, [np.arange(128).sum()])

    def test_votes(self):
        @kernel
        def vote(x, out):
            i = cuda.grid(1)
            odd = x[i] % 2 == 1
            out[0, i] = cuda.ballot_sync(0xFFFFFFFF, odd)
            out[1, i] = cuda.all_sync(0xFFFFFFFF, odd)
            out[2, i] = cuda.any_sync(0xFFFFFFFF, odd)
            out[3, i] = cuda.eq_sync(0xFFFFFFFF, odd)

        for x in (LANES, LANES * 2, LANES * 2 + 1):
            out = np.zeros((4, 32), np.int64)
            vote[1, 32](x, out)
            odd = x % 2 == 1
            values = (lanes_of(LANES[odd]), odd.all(), odd.any(), odd.all() or not odd.any())
            self.check(out, np.stack([np.full(32, value) for value in values]))

    def test_masks_have_32_bits(self):
        @kernel
        def leader(x, out):
            i = cuda.grid(1)
            mask = cuda.ballot_sync(cuda.activemask(), x[i] > 3)
            out[0, i] = 31 - cuda.clz(mask)
            out[1, i] = cuda.ffs(mask & -mask)
            out[2, i] = cuda.popc(~mask)
            out[3, i] = mask >> 28
            out[4, i] = cuda.popc(mask & cuda.lanemask_lt())

        out = np.zeros((5, 32), np.int64)
        leader[1, 32](LANES, out)
        self.check(out, np.stack([np.full(32, 31), np.full(32, 5), np.full(32, 4), np.full(32, -1), np.maximum(LANES - 4, 0)]))

    def test_matches(self):
        @kernel
        def match(x, out):
            i = cuda.grid(1)
            out[0, i] = cuda.match_any_sync(0xFFFFFFFF, x[i] % 4)
            lanes, same = cuda.match_all_sync(0xFFFFFFFF, x[i])
            out[1, i] = lanes if same else 0

        for dtype in [*INTEGERS, *FLOATS]:
            for x in (LANES.astype(dtype), np.full(32, 3, dtype)):
                out = np.zeros((2, 32), np.int64)
                match[1, 32](x, out)
                groups = x % 4
                self.check(out[0], [lanes_of(LANES[groups == own]) for own in groups])
                self.check(out[1], np.full(32, -1 if (x == x[0]).all() else 0))

    @on_real_gpu("warps in parts")
    def test_some_lanes(self):
        @kernel
        def some(x, out):
            i = cuda.grid(1)
            if i < 16:
                out[i] = cuda.ballot_sync(0xFFFF, x[i] > 3)
                cuda.syncwarp(0xFFFF)
            else:
                out[i] = cuda.ballot_sync(0xFFFF0000, x[i] > 20)

        out = np.zeros(32, np.int64)
        some[1, 32](LANES, out)
        self.check(out, np.where(LANES < 16, 0xFFF0, lanes_of(range(21, 32))))

    def test_lanes(self):
        @kernel
        def lanes(out):
            i = cuda.grid(1)
            out[0, i] = cuda.laneid
            out[1, i] = cuda.lanemask_lt()
            out[2, i] = cuda.warpsize
            out[3, i] = cuda.activemask()

        out = np.zeros((4, 32), np.int64)
        lanes[1, 32](out)
        self.check(out, np.stack([LANES, (1 << LANES) - 1, np.full(32, 32), np.full(32, 0xFFFFFFFF)]))


class Bits(Kernels):
    def test_integers(self):
        @kernel
        def bits(x, out):
            out[0] = cuda.popc(x[0])
            out[1] = cuda.clz(x[0])
            out[2] = cuda.ffs(x[0])
            out[3] = cuda.ffs(x[1])
            out[4] = cuda.brev(cuda.brev(x[0]))
            out[5] = cuda.clz(x[1])

        for dtype in INTEGERS:
            width = np.dtype(dtype).itemsize * 8
            out = np.zeros(6, np.int64)
            bits[1, 1](np.array([0b1101000, 0], dtype), out)
            self.check(out, [3, width - 7, 4, 0, 0b1101000, width])

    def test_fma(self):
        @kernel
        def fma(x, out):
            out[0] = cuda.fma(x[0], x[1], x[2])
            out[1] = cuda.selp(x[0] > x[1], x[0], x[1])

        for dtype in FLOATS:
            out = np.zeros(2, dtype)
            fma[1, 1](np.array([2, 3, 4], dtype), out)
            self.check(out, [10, 3])


if __name__ == "__main__":
    unittest.main()
