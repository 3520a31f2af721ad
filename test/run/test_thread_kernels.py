"""Thread-level kernels: positions of threads, arrays, tuples and numbers as arguments, launches."""
import unittest

import numpy as np

import npcc
from harness import TARGET
from npcc import cuda, float32, int32, void
from kernels_of_threads import FLOATS, INTEGERS, Kernels, kernel

OFFSET = 7


@kernel
def scale(x, factor):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= factor


@cuda.jit(device=True)
def twice(x):
    return x + x


def half(x):
    if x > 4:
        return x / 2
    return x


class Views(Kernels):
    def test_another_dtype(self):
        @kernel
        def read(data, out):
            i = cuda.grid(1)
            out[i] = data[8 * i + 4:8 * i + 8].view(np.int32)[0] + data.view(np.int16)[4 * i]

        numbers, out = np.arange(20, dtype=np.int32) - 5, np.zeros(10, np.int32)
        read[2, 5](numbers.view(np.int8), out)
        self.check(out, numbers[1::2] + numbers.view(np.int16)[::4].astype(np.int32))

    def test_parts_of_complex_numbers(self):
        @kernel
        def add(x, out):
            i = cuda.grid(1)
            cuda.atomic.add(out.real, i % 2, x[i].imag)
            cuda.atomic.add(out.imag[1:], 0, x.real[i])

        x, out = np.arange(12) + 1j * np.arange(12)**2, np.zeros(2, complex)
        add[2, 6](x, out)
        self.check(out, [x.imag[::2].sum(), x.imag[1::2].sum() + 1j * x.real.sum()])

    def test_functions_of_complex_arrays(self):
        @kernel
        def compute(x, y, out, same):
            np.maximum(x, y, out)
            np.equal(x, y, same)

        x, y = np.array([1 + 2j, 3 + 1j, 2 + 0j]), np.array([1 + 1j, 3 + 1j, 2 + 5j])
        out, same = np.zeros(3, complex), np.zeros(3, bool)
        compute[1, 1](x, y, out, same)
        self.check(out, np.maximum(x, y))
        self.check(same, x == y)


class Positions(Kernels):
    def test_axes(self):
        @kernel
        def positions(out):
            x, y, z = cuda.grid(3)
            out[x, y, z, 0] = cuda.threadIdx.x + 10 * cuda.threadIdx.y + 100 * cuda.threadIdx.z
            out[x, y, z, 1] = cuda.blockIdx.x + 10 * cuda.blockIdx.y + 100 * cuda.blockIdx.z
            out[x, y, z, 2] = cuda.blockDim.x + 10 * cuda.blockDim.y + 100 * cuda.blockDim.z
            out[x, y, z, 3] = cuda.gridDim.x + 10 * cuda.gridDim.y + 100 * cuda.gridDim.z
            out[x, y, z, 4] = cuda.laneid

        out = np.full((4, 6, 6, 5), -1)
        positions[(2, 3, 2), (2, 2, 3)](out)
        x, y, z = np.indices((4, 6, 6))
        self.check(out[..., 0], x % 2 + 10 * (y % 2) + 100 * (z % 3))
        self.check(out[..., 1], x // 2 + 10 * (y // 2) + 100 * (z // 3))
        self.check(out[..., 2], np.full(x.shape, 2 + 20 + 300))
        self.check(out[..., 3], np.full(x.shape, 2 + 30 + 200))
        self.check(out[..., 4], x % 2 + 2 * (y % 2 + 2 * (z % 3)))

    def test_strides_of_a_grid(self):
        @kernel
        def fill(out):
            start, step = cuda.grid(1), cuda.gridsize(1)
            for i in range(start, out.shape[0], step):
                out[i] += i

        out = np.ones(1000)
        fill[3, 32](out)
        self.check(out, np.arange(1000) + 1)

    def test_pairs(self):
        @kernel
        def fill(out):
            i, j = cuda.grid(2)
            rows, columns = out.shape
            height, width = cuda.gridsize(2)
            if i < rows and j < columns:
                out[i, j] = i * columns + j + 1000 * height + 100000 * width

        out = np.zeros((5, 7), np.int64)
        fill[(2, 3), (4, 3)](out)
        self.check(out, np.arange(35).reshape(5, 7) + 8000 + 900000)

    def test_forall(self):
        x = np.arange(1000.0)
        scale.forall(x.size)(x, 2)
        scale.forall(x.size, tpb=33)(x, 3)
        self.check(x, np.arange(1000) * 6)
        with self.assertRaisesRegex(ValueError, "negative task count: -1"):
            scale.forall(-1)

    def test_empty_grid(self):
        x = np.ones(3)
        scale[0, 32](x, 2.0)
        self.check(x, np.ones(3))


class Arguments(Kernels):
    def test_dtypes(self):
        for dtype in [*INTEGERS, *FLOATS, np.int8, np.uint8, np.int16, np.uint16, np.float16, np.complex64, np.complex128]:
            with self.subTest(dtype=dtype):
                x = np.arange(50).astype(dtype)
                scale[2, 32](x, dtype(2))
                self.check(x, (np.arange(50) * 2).astype(dtype))

    def test_bool(self):
        @kernel
        def invert(x, out):
            i = cuda.grid(1)
            if i < x.size:
                out[i] = not x[i]

        x, out = np.array([True, False, True]), np.zeros(3, bool)
        invert[1, 32](x, out)
        self.check(out, ~x)

    def test_layouts(self):
        @kernel
        def fill(x):
            i, j = cuda.grid(2)
            if i < x.shape[0] and j < x.shape[1]:
                x[i, j] += 100 * i + j

        for name, view in {"rows": lambda a: a[::2, ::-3], "transposed": lambda a: a.T, "fortran": np.asfortranarray, "row": lambda a: a[:1]}.items():
            with self.subTest(name):
                given, expected = view(np.ones((20, 30))), view(np.ones((20, 30)))
                fill[(8, 8), (4, 4)](given)
                expected += 100 * np.arange(expected.shape[0])[:, None] + np.arange(expected.shape[1])
                self.check(given, expected)

    def test_one_array_twice(self):
        @kernel
        def add(x, y):
            i = cuda.grid(1)
            if i < x.size:
                x[i] += y[i]

        x = np.arange(10.0)
        add[1, 16](x, x)
        self.check(x, np.arange(10) * 2)

    def test_tuples_and_constants(self):
        @kernel
        def fill(out, pair, mode):
            i = cuda.grid(1)
            place = (i, 0)
            if i < out.shape[0]:
                first, second = pair
                out[place] = first + second * i + OFFSET
                out[i, 1] = len(pair) if mode == "length" else len(out)

        for mode, expected in (("length", 2), ("rows", 10)):
            out = np.zeros((10, 2))
            fill[1, 16](out, (1, 2.5), mode)
            self.check(out, np.stack([1 + 2.5 * np.arange(10) + OFFSET, np.full(10, expected)], -1))

    def test_views(self):
        @kernel
        def sums(x, out):
            i = cuda.grid(1)
            if i < x.shape[0]:
                row, middle = x[i], x[i, 1:-1]
                total = 0.0
                for value in row:
                    total += value
                for j, value in enumerate(middle):
                    total += j * value
                out[i] = total + row[-1] + middle[-2] + middle.shape[0] + x.ndim

        x = np.random.default_rng(0).random((9, 6))
        out = np.zeros(9)
        sums[1, 32](x, out)
        self.check(out, x.sum(1) + (x[:, 1:-1] * np.arange(4)).sum(1) + x[:, -1] + x[:, -3] + 4 + 2, 1e-14)

    def test_negative_positions(self):
        @kernel
        def turn(x, out):
            i = cuda.grid(1)
            if i < x.size:
                out[i] = x[-1 - i]

        out = np.zeros(5)
        turn[1, 8](np.arange(5.0), out)
        self.check(out, [4, 3, 2, 1, 0])

    def test_numbers_keep_their_types(self):
        """NumPy 2's promotion: an int32 and Python's 1 are an int32, which wraps."""
        @kernel
        def wrap(x, out):
            out[0] = x[0] + 1
            out[1] = x[0] * np.int64(2)
            out[2] = cuda.threadIdx.x + 2**31

        out = np.zeros(3, np.int64)
        wrap[1, 1](np.array([2**31 - 1], np.int32), out)
        self.check(out, [-2**31, 2**32 - 2, 2**31])

    def test_arrays_on_the_device(self):
        x = npcc.array(np.arange(100.0), device=TARGET if TARGET == "cuda" else "cpu")
        scale[1, 128](x, 3.0)
        scale[1, 128](x[10:20], 2.0)
        expected = np.arange(100) * 3.0
        expected[10:20] *= 2
        self.check(x.get(), expected)


class Functions(Kernels):
    def test_device_functions(self):
        @kernel
        def fill(x):
            i = cuda.grid(1)
            if i < len(x):
                x[i] = twice(half(x[i])) - 1

        x = np.arange(10.0)
        fill[1, 32](x)
        self.check(x, [2 * (v / 2 if v > 4 else v) - 1 for v in range(10)])

    def test_closures(self):
        def make(step):
            @kernel
            def add(x):
                i = cuda.grid(1)
                if i < x.size:
                    x[i] += step
            return add

        x = np.zeros(3)
        make(2)[1, 4](x)
        make(3)[1, 4](x)
        self.check(x, np.full(3, 5))

    def test_launched_by_compiled_code(self):
        @npcc.jit(target=TARGET)
        def steps(x, count):
            y = x * 2
            for _ in range(count):
                scale[(x.size + 31) // 32, 32](y, 3.0)
            return y.sum()

        self.assertEqual(steps(np.arange(100.0), 3), 4950 * 54)


class Declared(Kernels):
    def test_signatures(self):
        for declared in ("void(float32[:], int32)", void(float32[:], int32), (float32[:], int32), ["(float32[:], int32)", "(float64[:], int32)"]):
            with self.subTest(declared=declared):
                @kernel(declared)
                def store(x, n):
                    x[0] = n

                x = np.zeros(2, np.float32)
                store[1, 1](x, 3)
                self.check(x, [3, 0])
                with self.assertRaisesRegex(TypeError, "No matching definition: kernel 'store' is declared for .*float32.*called with"):
                    store[1, 1](np.zeros(2, np.int8), 3)

    def test_specialize(self):
        special = scale.specialize(np.zeros(1, np.float32), 1.0)
        self.assertIs(special, scale.specialize(np.zeros(1, np.float32), 1.0))
        with self.assertRaisesRegex(RuntimeError, "already specialized"):
            special.specialize(np.zeros(1, np.float32), 1.0)

    def test_compiled_once(self):
        @kernel
        def one(x):
            x[0] += 1

        x = np.zeros(3)
        for _ in range(3):
            one[1, 1](x)
        one[1, 1](np.zeros(3, np.float32))
        self.check(x, [3, 0, 0])
        self.assertEqual(list(one.overloads), [("float64[:]",), ("float32[:]",)])


if __name__ == "__main__":
    unittest.main()
