"""One kind of kernel each, at the shapes that decide how it is made: reductions of tall, wide and middle axes, running totals, rows that
several loops go over, sorts of lines of all lengths, reads and updates at positions.
"""
import numpy as np
from random_arrays import f4, f8


def sum_down(a):
    return a.sum(axis=0)


def sum_along(a):
    return a.sum(axis=1)


def variance_down(a):
    return a.var(axis=0)


def deviation_along(a):
    return a.std(axis=1)


def extrema_and_mean(a):
    return a.min(), a.max(), a.mean()


def position_down(a):
    return a.argmax(axis=0)


def any_down(a):
    return a.any(axis=0)


def all_along(a):
    return a.all(axis=1)


def total_down(a):
    return np.cumsum(a, axis=0)


def total_along(a):
    return np.cumsum(a, axis=1)


def total(a):
    return np.cumsum(a)


def standardize(a):
    return (a - a.mean(axis=0)) / a.std(axis=0)


def softmax(a):
    e = np.exp(a - a.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def softmax_down(a):
    e = np.exp(a - a.max(axis=0))
    return e / e.sum(axis=0)


def layer_norm(a):
    mean = a.mean(axis=-1, keepdims=True)
    return (a - mean) / np.sqrt(a.var(axis=-1, keepdims=True) + 1e-5)


def unit_rows(a):
    return a / np.sqrt((a * a).sum(axis=1, keepdims=True))


def sort_along(a):
    return np.sort(a, axis=1)


def sort_down(a):
    return np.sort(a, axis=0)


def order_along(a):
    return np.argsort(a, axis=1)


def median_along(a):
    return np.median(a, axis=1)


def largest_ten(a):
    return np.sort(a, axis=1)[:, -10:]


def rows_at(a, i):
    return a[i]


def along_at(a, i):
    return np.take_along_axis(a, i, axis=1)


def places(a, x):
    return np.searchsorted(a, x)


def weights_by_place(i, w):
    return np.bincount(i, weights=w, minlength=100)


def histogram_of_two(x, y):
    return np.histogram2d(x, y, bins=64, range=((0, 1), (0, 1)))[0]


def distances(a, b):
    return np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=-1))


def larger(a):
    return a[a > 0.5]


PROGRAMS = {
    "sum_down_4": (sum_down, lambda r: (f8(r, 10_000_000, 4),), ()),
    "sum_down_4000": (sum_down, lambda r: (f8(r, 4000, 4000),), ()),
    "sum_down_f4": (sum_down, lambda r: (f4(r, 8000, 8000),), ()),
    "sum_along_4": (sum_along, lambda r: (f8(r, 10_000_000, 4),), ()),
    "sum_along_wide": (sum_along, lambda r: (f8(r, 4, 10_000_000),), ()),
    "sum_of_middle": (sum_along, lambda r: (f8(r, 300, 300, 300),), ()),
    "variance_down": (variance_down, lambda r: (f8(r, 4000, 4000),), ()),
    "deviation_along": (deviation_along, lambda r: (f8(r, 4000, 4000),), ()),
    "extrema_and_mean": (extrema_and_mean, lambda r: (f8(r, 4000, 4000),), ()),
    "position_down": (position_down, lambda r: (f8(r, 1_000_000, 16),), ()),
    "any_down": (any_down, lambda r: (f8(r, 10_000, 10_000) < 1e-9,), ()),
    "all_along": (all_along, lambda r: (f8(r, 10_000, 10_000) > 1e-9,), ()),
    "total": (total, lambda r: (f4(r, 40_000_000),), ()),
    "total_down": (total_down, lambda r: (f8(r, 4000, 4000),), ()),
    "total_along": (total_along, lambda r: (f8(r, 4000, 4000),), ()),
    "standardize": (standardize, lambda r: (f8(r, 1_000_000, 16),), ()),
    "softmax_32": (softmax, lambda r: (f4(r, 1_000_000, 32),), ()),
    "softmax_1000": (softmax, lambda r: (f4(r, 20_000, 1000),), ()),
    "softmax_50257": (softmax, lambda r: (f4(r, 512, 50_257),), ()),
    "softmax_down": (softmax_down, lambda r: (f4(r, 1000, 20_000),), ()),
    "layer_norm_64": (layer_norm, lambda r: (f4(r, 1_000_000, 64),), ()),
    "layer_norm_768": (layer_norm, lambda r: (f4(r, 32_768, 768),), ()),
    "layer_norm_f8": (layer_norm, lambda r: (f8(r, 8192, 2048),), ()),
    "unit_rows_3": (unit_rows, lambda r: (f8(r, 4_000_000, 3),), ()),
    "unit_rows_128": (unit_rows, lambda r: (f8(r, 200_000, 128),), ()),
    "sort_along_9": (sort_along, lambda r: (f8(r, 1_000_000, 9),), ()),
    "sort_along_40": (sort_along, lambda r: (f8(r, 125_000, 40),), ()),
    "sort_along_200": (sort_along, lambda r: (f8(r, 25_000, 200),), ()),
    "sort_along_1000": (sort_along, lambda r: (f8(r, 10_000, 1000),), ()),
    "sort_down_100": (sort_down, lambda r: (f8(r, 100, 100_000),), ()),
    "order_along_100": (order_along, lambda r: (f8(r, 100_000, 100),), ()),
    "median_along_9": (median_along, lambda r: (f8(r, 1_000_000, 9),), ()),
    "median_along_100": (median_along, lambda r: (f8(r, 100_000, 100),), ()),
    "largest_ten": (largest_ten, lambda r: (f8(r, 10_000, 1000),), ()),
    "rows_at": (rows_at, lambda r: (f8(r, 100_000, 64), r.integers(0, 100_000, 200_000)), ()),
    "along_at": (along_at, lambda r: (f8(r, 10_000, 1000), np.argsort(f8(r, 10_000, 1000), axis=1)), ()),
    "places": (places, lambda r: (np.sort(f8(r, 1_000_000)), f8(r, 4_000_000)), ()),
    "weights_by_place": (weights_by_place, lambda r: (r.integers(0, 100, 10_000_000), f8(r, 10_000_000)), ()),
    "histogram_of_two": (histogram_of_two, lambda r: (f8(r, 10_000_000), f8(r, 10_000_000)), ()),
    "distances_3": (distances, lambda r: (f8(r, 4000, 3), f8(r, 4000, 3)), ()),
    "distances_64": (distances, lambda r: (f8(r, 2000, 64), f8(r, 2000, 64)), ()),
    "larger": (larger, lambda r: (f8(r, 20_000_000),), ()),
}
