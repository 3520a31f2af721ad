# REQUIRES: libdevice
# RUN: %python %s npcc-opt
"""Every kernel of kernels.mlir on the emulator, against NumPy: odd extents, alignments, strides, empty arrays, guard bands."""
import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

if sys.argv[1] == "--device":  # a folder that ../device/bench.py built, on a machine with a GPU
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "device"))
    import device
    program = device.Program(sys.argv[2])
else:
    import emulate
    program = emulate.Program(os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels.mlir"), npcc_opt=sys.argv[1])
random = np.random.default_rng(7)
failed = 0


class Guarded:
    """An array with a start `offset` elements off a 256-byte boundary, and bands around it that nobody may write."""

    def __init__(self, values, offset=0):
        values = np.ascontiguousarray(values)
        band, item = 512, values.itemsize
        self.bytes = np.full(values.nbytes + 2 * band + 512 + offset * item, 0xA5, np.uint8)
        start = -self.bytes.ctypes.data % 256 + band // 256 * 256 + offset * item
        self.start, self.end = start, start + values.nbytes
        self.array = self.bytes[start:self.end].view(values.dtype).reshape(values.shape)
        self.array[...] = values

    def intact(self):
        return (self.bytes[:self.start] == 0xA5).all() and (self.bytes[self.end:] == 0xA5).all()


def check(name, arguments, expected, tolerance=0.0, offsets=(0,)):
    """`expected`: {position of an argument: what it holds afterwards}."""
    global failed
    for offset in offsets:
        guarded = [Guarded(a, offset if k % 2 == 0 or offset < 2 else offset - 1) if isinstance(a, np.ndarray) else a
                   for k, a in enumerate(arguments)]
        program.call(name, *[g.array if isinstance(g, Guarded) else g for g in guarded])
        for position, want in expected.items():
            got = guarded[position].array
            good = np.array_equal(got, want, equal_nan=got.dtype.kind in "fc") if tolerance == 0 else np.allclose(got, want, rtol=tolerance, atol=tolerance, equal_nan=True)
            if not good:
                failed += 1
                where = np.argwhere(~np.isclose(got, want, equal_nan=True))[:3].tolist() if got.ndim else []
                print(f"WRONG {name} shapes {[getattr(a, 'shape', a) for a in arguments]} offset {offset} at {where}")
        if not all(g.intact() for g in guarded if isinstance(g, Guarded)):
            failed += 1
            print(f"OUT OF BOUNDS {name} shapes {[getattr(a, 'shape', a) for a in arguments]} offset {offset}")


def f(*shape, dtype=np.float64):
    return random.random(shape).astype(dtype)


for extent in (0, 1, 31, 1023, 1025, 5000, 40000):
    line = random.integers(-5, 9, extent)
    check("cumsum_line", [line], {0: line.cumsum()})
    line = line.astype(float) + 7
    if 0 < extent < 2000:
        # As many steps as there are elements, and more than there are: the check ends the loop there.
        for steps in (min(extent, 40), extent + 2 if extent < 40 else 0):
            x, y = line.copy(), np.zeros(extent)
            for k in range(min(steps, extent)):
                x[k] += x[:k].sum()
                y += x[k]
            check("steps", [line.copy(), np.zeros(extent), steps], {0: x, 1: y}, 1e-13)
    check("fraction", [line], {0: line / line.sum()}, 1e-13)
SHAPES2 = [(1, 1), (3, 5), (4, 16), (5, 7), (1, 1000), (300, 3), (70, 130), (9, 514), (0, 4), (4, 0), (33, 64)]
for shape in SHAPES2:
    x, y, row, column = f(*shape), f(*shape), f(shape[1]), f(shape[0])
    check("broadcast", [x, row, column, y], {3: x * row + column[:, None]}, offsets=(0, 1, 2))
    e = np.exp(x - x.max(axis=1, keepdims=True, initial=-np.inf))
    check("softmax", [x, y], {1: e / e.sum(axis=1, keepdims=True)}, 1e-14, offsets=(0, 1))
    total = x.sum(axis=1)
    check("share", [x, np.zeros(shape[0])], {0: x / total[:, None], 1: total}, 1e-13, offsets=(0, 1))
    check("transpose", [x, np.zeros(shape[::-1])], {1: x.T}, offsets=(0, 1))
    x32 = x.astype(np.float32)
    check("rowmaxany", [x32, f(shape[0], dtype=np.float32), np.zeros(shape[0], np.int8)],
          {1: x32.max(axis=1, initial=-np.inf), 2: (x32 > np.float32(0.99)).any(axis=1).astype(np.int8)}, offsets=(0, 1, 3))
    check("sum0", [x32, f(shape[1], dtype=np.float32)], {1: x32.sum(axis=0)}, 1e-5, offsets=(0, 1))
    z = x + 1j * y
    check("rowsumcomplex", [z, np.zeros(shape[0], complex)], {1: z.sum(axis=1)}, 1e-13)
    twice = (x + x).sum(axis=1)
    check("exponentials", [x, y, np.zeros(shape[0])], {1: (x + x) / twice[:, None], 2: twice}, 1e-13, offsets=(0, 1))
    check("cumsum", [x, y], {1: (x + 0.5).cumsum(axis=1) * 0.5}, 1e-12)
    check("cumsum_columns", [x, y], {1: x.cumsum(axis=0)}, 1e-12)
    small = random.integers(-30000, 30000, shape).astype(np.int16)
    check("maximum_so_far", [small, np.zeros_like(small), -100], {1: np.maximum(np.maximum.accumulate(small, axis=1), -100)})
    phase = np.exp(1j * x)
    check("cumprod_complex", [phase], {0: phase.cumprod(axis=1)}, 1e-11)
    if shape[0] and shape[1]:
        check("standardize", [x, y], {1: (x - x.mean()) / x.std() if x.size > 1 else x * np.nan}, 1e-11, offsets=(0, 1))
        if min(shape) > 2:
            want = y.copy()
            want[1:-1, 1:-1] = ((((x[1:-1, 1:-1] + x[1:-1, :-2]) + x[1:-1, 2:]) + x[:-2, 1:-1]) + x[2:, 1:-1]) * 0.2
            check("heat", [x, y], {1: want}, offsets=(0, 1))
    total = np.zeros(())
    for view in (x, x[::-1], x[:, ::2], x.T, x[::2, ::-1]):
        program.call("sumall", view, total)
        if not np.allclose(total, view.sum(), rtol=1e-13):
            failed += 1
            print("WRONG sumall", shape, view.strides)
for n, m in ((64, 2), (5000, 2), (1000, 4), (3000, 7), (40000, 1), (100, 2050), (2100, 70)):
    x = f(n, m, dtype=np.float32)
    check("sum0", [x, f(m, dtype=np.float32)], {1: x.astype(np.float64).sum(axis=0)}, 1e-5, offsets=(0, 1))
for shape in [(1, 1, 1), (2, 3, 4), (3, 4, 5), (2, 5, 16), (5, 3, 100), (7, 2, 33), (2, 2, 600), (3, 1, 5000), (0, 2, 3), (2, 0, 3), (2, 3, 0), (70, 80, 3)]:
    x = f(*shape)
    check("map3", [x, f(*shape, dtype=np.float32), np.zeros(shape, np.int8)], {1: x.astype(np.float32), 2: (x > 0.5).astype(np.int8)}, offsets=(0, 1))
    check("rownorm", [x, np.zeros(shape[:2])], {1: np.sqrt((x * x).sum(axis=-1))}, 1e-14, offsets=(0, 1))
    check("sum12", [x, np.zeros(shape[0])], {1: x.sum(axis=(1, 2))}, 1e-13, offsets=(0, 1))
    if shape[0] * shape[1]:
        check("mean01", [x, np.zeros(shape[2])], {1: x.mean(axis=(0, 1))}, 1e-13, offsets=(0, 1))
    y = f(*shape, dtype=np.float32)
    if min(shape) > 2:
        x32, want = x.astype(np.float32), y.copy()
        want[1:-1, 1:-1, 1:-1] = ((((x32[:-2, 1:-1, 1:-1] + x32[2:, 1:-1, 1:-1]) + x32[1:-1, :-2, 1:-1]) + x32[1:-1, 2:, 1:-1]) + x32[1:-1, 1:-1, :-2]) + x32[1:-1, 1:-1, 2:]
        check("heat3", [x32, y], {1: want}, offsets=(0, 1, 2))
for shape in [(1, 1, 1), (2, 5, 5), (3, 33, 33), (1, 70, 70)]:
    x = f(*shape)
    check("symmetric", [x, np.zeros(shape)], {1: x + x.swapaxes(1, 2)}, offsets=(0, 1))
for n in (0, 1, 7, 255, 256, 511, 513, 3000, 70000):
    a, b = (random.integers(0, 256, n).astype(np.uint8).view(np.int8) for _ in range(2))
    check("bytes", [a, b, np.zeros(n, np.int8)], {2: a ^ b}, offsets=(0, 1, 5))
    z, w = f(n) + 1j * f(n), (f(n) + 1j * f(n)).astype(np.complex64)
    check("complex", [z, w, np.zeros(n, complex), np.zeros(n)], {2: z * w / z, 3: np.abs(z)}, 1e-14, offsets=(0, 1))
    check("step", [f(n), np.zeros(3 * n + 2), 2, 3], {}, offsets=(0,))
    x, y = f(n), np.zeros(3 * n + 2)
    want = y.copy()
    want[2:2 + 3 * n:3] = x
    check("step", [x, y, 2, 3], {1: want}, offsets=(0, 1))
    total = np.zeros(())
    x = f(n)
    program.call("sumall", x.reshape(1, n), total)
    assert np.allclose(total, x.sum(), rtol=1e-13), n
x = f(300)
index = random.integers(-300, 300, 1000)
check("gather", [x, index, np.zeros(1000)], {2: x[index]})
assert program.record[0] == 0
index[77] = 300
program.call("gather", x, index, np.zeros(1000))
assert list(program.record)[0] == 1 and list(program.record)[2:5] == [300, 0, 300], list(program.record)
for n in (1, 40, 300):
    x = f(n, n)
    check("triangle", [x, np.zeros(n)], {1: np.tril(x, -1).sum(axis=1)}, 1e-13, offsets=(0, 1))
for n, w in ((10, 3), (1000, 17), (300, 64)):
    x = f(n + w - 1)
    check("window", [x, np.zeros(n), w], {1: np.lib.stride_tricks.sliding_window_view(x, w).sum(axis=1)}, 1e-13, offsets=(0, 1))
for shape in ((2, 3, 4, 5), (3, 3, 150, 160), (1, 1, 300, 300), (70, 2, 32, 32)):
    x = f(*shape)
    check("channels", [x, np.zeros(shape)], {1: x - x.mean(axis=(0, 2, 3), keepdims=True)}, 1e-13, offsets=(0, 1))
for shape in ((3, 1, 70000), (1, 2, 100001)):
    x = f(*shape)
    check("rownorm", [x, np.zeros(shape[:2])], {1: np.sqrt((x * x).sum(axis=-1))}, 1e-13, offsets=(0, 1))
for shape in ((5, 6), (70, 130), (1, 9), (9, 1), (33, 512)):
    for small in (shape, (1, shape[1]), (shape[0], 1), (1, 1)):
        x, y = f(*small), f(*shape)
        check("maybe", [x, y, np.zeros(shape)], {2: x + y}, offsets=(0, 1))
for shape in ((2, 2), (3, 5), (9, 8), (64, 130), (33, 514)):
    x = f(*shape)
    check("gradient", [x, np.zeros(shape)], {1: np.gradient(x)[1] + np.gradient(x)[0]}, 1e-15, offsets=(0, 1))
z = (f(500) - 0.5 + 1j * f(500)) * 10.0 ** random.integers(-20, 2, 500)
check("csin", [z, np.zeros(500, complex), np.zeros(500, complex)], {1: np.sin(z), 2: np.cos(z)}, 1e-14)
x = f(100) * 20 - 10
check("special", [x, np.zeros(100), np.zeros(100, np.int64)],
      {1: np.array([math.erfc(v) for v in np.cbrt(np.trunc(x))]), 2: np.abs(np.trunc(x).astype(np.int64))}, 1e-14)
x, a = f(1000), f(9) + 1
quotient = a[3] / a[5]
want = a.copy()
want[3] = quotient
check("pivot", [x, a, 3, 5], {0: x * (1 / quotient), 1: want}, offsets=(0, 1))
x = f(1000)
y, last = np.zeros(1000), np.zeros(())
if hasattr(program, "launches") and program.launches():
    result = program.call("running", x, y, last, results=["d"])
    assert np.array_equal(y, np.cumsum(x)) and last == y[-1] == result
re, im = f(700) * 3 - 2, f(700) * 2 - 1
want = np.zeros(700, np.int64)
for k, c in enumerate(re + 1j * im):
    a = b = 0.0
    while want[k] < 50 and a * a + b * b <= 4.0:
        a, b = a * a - b * b + c.real, a * b * 2.0 + c.imag
        want[k] += 1
check("escape", [re, im, np.zeros(700, np.int64)], {2: want})
for bins, n in ((1, 0), (1, 5000), (7, 27), (7, 10000), (300, 9000), (4096, 20000), (4097, 20000)):
    bin, value = random.integers(0, bins, n), random.integers(-2**40, 2**40, n)
    for values in (value, value >> 50, random.integers(0, 2**32, n)):
        want = random.integers(-5, 5, bins)
        before = want.copy()
        np.add.at(want, bin, values)
        check("tally", [bin, values, before], {2: want}, offsets=(0, 1))
    before, want = np.full(bins, -2**39), np.full(bins, -2**39)
    np.maximum.at(want, bin, value)
    check("greatest", [bin, value, before], {2: want}, offsets=(0, 1))
    weights, want = f(n), f(bins)
    before = want.copy()
    np.subtract.at(want, bin, weights)
    check("weigh", [bin - bins * (bin % 2), weights, before], {2: want}, offsets=(0, 1), tolerance=1e-11)
    rows, want = f(n, 3), f(bins, 3)
    before = want.copy()
    want[bin] = rows
    check("put", [bin, rows, before], {2: want})
    table = random.integers(-3, bins, (max(n // 90, 1), 90)).astype(np.int32)
    counts, want = np.ones((bins, 3), np.int16), np.ones((bins, 3), np.int16)
    np.add.at(want, (table[table >= 0], 1), 1)
    check("tally2", [table, counts], {1: want}, offsets=(0, 1))
bin = random.integers(0, 5, 1000)
bin[777] = 5
program.call("weigh", bin, f(1000), np.zeros(5))
assert list(program.record)[0] == 1 and list(program.record)[2:5] == [5, 0, 5], list(program.record)
base, out = f(40, 60), np.zeros((40, 60))
for view in (np.s_[::-1], np.s_[:, ::-1], np.s_[::2, ::3], np.s_[1:, 1:], np.s_[5:6], np.s_[:, 3:4]):
    for source in (base, np.asfortranarray(base)):
        out[...] = 0
        program.call("strided2", source[view], out[view])
        if not np.array_equal(out[view], 2 * base[view]) or np.count_nonzero(out) != base[view].size:
            failed += 1
            print("WRONG strided2", view)
print("launches", program.launches(), "failed", failed)
sys.exit(failed != 0)
