"""Thread-level kernels: arrays of structured dtypes, and records."""
import unittest

import numpy as np

import npcc
from npcc import cuda
from harness import TARGET
from kernels_of_threads import Kernels, kernel

PACKED = np.dtype([("flag", "?"), ("mass", "f8"), ("count", "i4")])
ALIGNED = np.dtype([("flag", "?"), ("mass", "f8"), ("count", "i4")], align=True)
NESTED = np.dtype([("place", [("x", "f4"), ("y", "f4")]), ("axes", "i2", (2, 3)), ("z", "c16")])


def filled(dtype, n):
    """Records whose bytes are all different."""
    array = np.zeros(n, dtype)
    array["mass"] = np.arange(n) * 1.5
    array["count"] = np.arange(n) * 3
    array["flag"] = np.arange(n) % 2
    return array


class Records(Kernels):
    def test_fields_are_read_and_written(self):
        @kernel
        def change(records, masses):
            i = cuda.grid(1)
            if i < len(records):
                record = records[i]
                masses[i] = record.mass
                record.mass = record.mass * 2 + record["count"]
                records[i]["count"] += 1
                records.flag[i] = not record.flag

        for dtype in (PACKED, ALIGNED):
            for make in (lambda a: a, lambda a: a.view(np.recarray), lambda a: a[::2], lambda a: a[::-1]):
                with self.subTest(dtype=dtype):
                    array, masses = make(filled(dtype, 20)), np.zeros(20)
                    expected = array.copy()
                    change[1, 32](array, masses)
                    self.check(masses[:array.size], expected["mass"])
                    self.check(array["mass"], expected["mass"] * 2 + expected["count"])
                    self.check(array["count"], expected["count"] + 1)
                    self.check(array["flag"], ~expected["flag"])

    def test_arrays_are_stored_into_arrays_of_records(self):
        record = np.dtype([("a", "i2", (3,)), ("b", "f4", (3, 2))], align=True)

        @kernel
        def put(records, a, b):
            i = cuda.grid(1)
            records[i].a = a
            records[i]["b"] = b[i]

        records, a, b = np.zeros(2, record), np.arange(3, dtype=np.int16), np.arange(12.0).reshape(2, 3, 2)
        put[1, 2](records, a, b)
        np.testing.assert_array_equal(records["a"], [a, a])
        np.testing.assert_array_equal(records["b"], b)

    def test_nested_records_and_arrays_in_records(self):
        @kernel
        def change(records, out):
            i = cuda.grid(1)
            if i < records.size:
                record = records[i]
                record.place.x = record.place.y + 1
                total = 0
                for row in range(2):
                    for column in range(3):
                        total += record.axes[row, column]
                        record.axes[row, column] = i
                out[i] = total + record.z.real
                record.z = record.z * 1j

        records = np.zeros(5, NESTED)
        records["place"]["y"] = np.arange(5)
        records["axes"] = np.arange(30).reshape(5, 2, 3)
        records["z"] = np.arange(5) + 2j
        expected, out = records.copy(), np.zeros(5)
        change[1, 8](records, out)
        self.check(records["place"]["x"], np.arange(5) + 1)
        self.check(out, expected["axes"].sum((1, 2)) + np.arange(5))
        self.check(records["axes"], np.broadcast_to(np.arange(5)[:, None, None], (5, 2, 3)))
        np.testing.assert_array_equal(records["z"], expected["z"] * 1j)

    def test_whole_records_are_copied(self):
        @kernel
        def reverse(source, destination):
            i = cuda.grid(1)
            if i < len(source):
                destination[i] = source[len(source) - 1 - i]

        source = filled(PACKED, 9)
        destination = np.zeros_like(source)
        reverse[1, 16](source, destination)
        np.testing.assert_array_equal(destination, source[::-1])

    def test_shared_local_and_constant_records(self):
        table = filled(ALIGNED, 4)

        @kernel
        def through(records):
            block = cuda.shared.array(8, ALIGNED)
            own = cuda.local.array(2, ALIGNED)
            constants = cuda.const.array_like(table)
            t = cuda.threadIdx.x
            block[t] = records[t]
            own[1].mass = constants[t % 4].mass
            cuda.syncthreads()
            records[t].mass = block[7 - t].mass + own[1].mass
            records[t].count = block[7 - t].count

        records = filled(ALIGNED, 8)
        expected = records.copy()
        through[1, 8](records)
        self.check(records["mass"], expected["mass"][::-1] + table["mass"][np.arange(8) % 4])
        self.check(records["count"], expected["count"][::-1])

    def test_single_records(self):
        @kernel
        def change(record, value):
            record.mass = record.mass + value
            record["count"] = 7

        array = filled(PACKED, 3)
        change[1, 1](array[1], 2.5)
        self.assertEqual(array["mass"].tolist(), [0, 4, 3])
        self.assertEqual(array["count"].tolist(), [0, 7, 6])
        zero = np.zeros((), PACKED)
        change[1, 1](zero, 1)
        self.assertEqual(zero["mass"], 1)

    def test_several_axes(self):
        @kernel
        def number(records):
            i, j = cuda.grid(2)
            if i < records.shape[0] and j < records.shape[1]:
                records[i, j].count = i * 10 + j
                records[i]["mass"][j] = records.ndim

        records = np.zeros((3, 4), PACKED)
        number[1, (4, 4)](records)
        self.check(records["count"], np.arange(3)[:, None] * 10 + np.arange(4))
        self.check(records["mass"], np.full((3, 4), 2))

    def test_device_functions_take_records(self):
        @cuda.jit(device=True)
        def energy(record, speed):
            return record.mass * speed**2 / 2

        @kernel
        def run(records, out):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = energy(records[i], 3.0)

        records, out = filled(ALIGNED, 6), np.zeros(6)
        run[1, 8](records, out)
        self.check(out, records["mass"] * 4.5)

    def test_records_in_control_flow(self):
        @kernel
        def larger(a, b, out):
            i = cuda.grid(1)
            if i < out.size:
                best = a[i]
                if b[i].mass > best.mass:
                    best = b[i]
                for k in range(a.size):
                    if a[k].count > best.count:
                        best = a[k]
                out[i] = best.mass

        a, b, out = filled(PACKED, 4), filled(PACKED, 4), np.zeros(4)
        b["mass"] += 100
        b["count"] += 8
        larger[1, 4](a, b, out)
        self.check(out, [4.5, 101.5, 103, 104.5])
        larger[1, 4](a, np.repeat(b, 2)[::2], out)  # of another layout
        self.check(out, [4.5, 101.5, 103, 104.5])

    @unittest.skipUnless(cuda.is_available(), "no GPU")
    def test_arrays_on_the_device(self):
        @kernel
        def double(records):
            i = cuda.grid(1)
            if i < len(records):
                records[i].mass *= 2

        records = filled(PACKED, 7)
        there = cuda.to_device(records)
        self.assertEqual((there.shape, there.dtype, there.ndim), ((7,), PACKED, 1))
        double[1, 8](there)
        double[1, 8](there[2:5])
        factors = np.array([2, 2, 4, 4, 4, 2, 2])
        self.check(there.copy_to_host()["mass"], records["mass"] * factors)
        back = np.zeros_like(records)
        there.copy_to_host(back)
        self.check(back["count"], records["count"])
        fresh = cuda.device_array(7, PACKED)
        fresh.copy_to_device(records)
        np.testing.assert_array_equal(fresh.copy_to_host(), records)

    def test_declared_types(self):
        record = npcc.from_dtype(PACKED)

        @cuda.jit(npcc.void(record[:], npcc.float64), target=TARGET)
        def set_mass(records, value):
            records[cuda.grid(1)].mass = value

        records = filled(PACKED, 3)
        set_mass[1, 3](records, 2)
        self.check(records["mass"], [2, 2, 2])
        with self.assertRaisesRegex(TypeError, "No matching definition"):
            set_mass[1, 3](filled(ALIGNED, 3), 2.0)

    def test_errors(self):
        @kernel
        def unknown(records):
            records[0].weight = 1

        with self.assertRaisesRegex(SyntaxError, "has no field 'weight'"):
            unknown[1, 1](filled(PACKED, 1))

        @kernel
        def number(records):
            records[0] = 1

        with self.assertRaisesRegex(TypeError, "only records can be stored as records"):
            number[1, 1](filled(PACKED, 1))
        with self.assertRaisesRegex(TypeError, "Python objects"):
            number[1, 1](np.zeros(1, [("a", "O")]))


if __name__ == "__main__":
    unittest.main()
