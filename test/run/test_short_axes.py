"""Arrays whose last axis is short (coordinates, channels of a picture) beside what rows or columns share, compiled, against NumPy: on a GPU a thread has
the whole axis of a few rows."""
import unittest

import numpy as np

import npcc
from harness import TARGET, Comparison

RNG = np.random.default_rng(37)
SIZE = 300  # rows and columns: more elements than have a thread each


def numbers(*shape, dtype=np.float32):
    return (RNG.random(shape) * 100).astype(dtype)


def picture(channels, dtype=np.float32, size=SIZE):
    return numbers(size, size, channels, dtype=dtype), numbers(channels), RNG.random((size, size)) < 0.5


def balanced(image, gain, mask):
    return np.where(mask[..., None], np.minimum(image * gain, 255), image)


def weighted(points, centre, weights):
    away = points - centre
    return away * weights[:, None] + np.sqrt(points[:, 0] ** 2 + points[:, 1] ** 2)[:, None]


def around(x, fixed, mask):
    near = np.roll(x, 1, 0) + np.roll(x, -1, 0) + np.roll(x, 1, 1) + np.roll(x, -1, 1)
    return np.where(mask[..., None], np.float32(0.25) * near, fixed)


def turned_channels(image, gain, mask):
    return np.where(mask[..., None], np.roll(image, 1, axis=2) * gain, image)


def stored_inside(image, gain, mask):
    image[1:-1, 1:-1] = np.where(mask[1:-1, 1:-1, None], image[:-2, 1:-1] * gain, image[2:, 1:-1])
    return image


def of_channels(image, gain, mask):
    """Planes, whose elements of a pixel do not lie side by side."""
    return np.where(mask, image * gain[:, None, None], 0)


def quantized(blocks, table):
    """Stores what it counts, in rows of eight that are one run with nothing."""
    levels = np.round(blocks / table)
    return levels, (levels != 0).sum()


class ShortAxes(Comparison):
    def check(self, function, *arguments):
        expected = function(*[np.copy(a) for a in arguments])
        got = npcc.jit(function, target=TARGET)(*[np.copy(a) for a in arguments])
        for g, e in zip(got, expected) if isinstance(expected, tuple) else ((got, expected),):
            self.assertEqual(g.dtype, e.dtype)
            np.testing.assert_array_equal(np.asarray(g), e)

    def test_channels(self):
        for channels in (2, 3, 5, 6, 7, 8, 9):
            self.check(balanced, *picture(channels))

    def test_dtypes(self):
        for dtype in (np.uint8, np.int16, np.float64, np.complex64):
            image, gain, mask = picture(3, dtype)
            self.check(lambda image, gain, mask: np.where(mask[..., None], image * gain, image), image, gain, mask)

    def test_several_rows_of_a_thread(self):
        for size in (620, 621):  # rows that are whole vectors, and such that are not
            self.check(balanced, *picture(3, size=size))
            self.check(balanced, *picture(3, np.uint8, size))

    def test_points(self):
        for count in (100_000, 262_144, 300_001):
            self.check(weighted, numbers(count, 3, dtype=np.float64), numbers(3), numbers(count))

    def test_views(self):
        wide, gain, mask = picture(4)
        self.check(balanced, wide[:, :, :3], gain[:3], mask)
        self.check(balanced, wide[:, :, ::-1][:, :, :3], gain[:3], mask)
        self.check(balanced, wide.transpose(1, 0, 2)[:, :, 1:], gain[1:], mask)
        self.check(balanced, numbers(SIZE, SIZE + 1, 3)[:, 1:], gain[:3], mask)
        self.check(of_channels, numbers(3, SIZE, SIZE), gain[:3], mask)

    def test_neighbours(self):
        image, gain, mask = picture(3, size=521)
        self.check(around, image, numbers(*image.shape), mask)
        self.check(turned_channels, image, gain, mask)
        self.check(stored_inside, image, gain, mask)

    def test_blocks(self):
        for across in (40, 41):
            pictures = numbers(40 * 8, across * 8).reshape(40, 8, across, 8).transpose(0, 2, 1, 3)
            self.check(quantized, pictures, 100 * numbers(8, 8))
            self.check(quantized, np.ascontiguousarray(pictures), 100 * numbers(8, 8))

    def test_other_lengths_later(self):
        function = npcc.jit(balanced, target=TARGET)
        for channels in (3, 2, 12, 3):
            arguments = picture(channels)
            np.testing.assert_array_equal(np.asarray(function(*arguments)), balanced(*arguments))


if __name__ == "__main__":
    unittest.main()
