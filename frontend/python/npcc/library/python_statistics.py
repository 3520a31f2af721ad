"""Python's module statistics. It computes with exact fractions; here sums of floats are those of math.fsum(), which differ by an ulp at most."""
import math
import statistics

from . import implements

# What these compute of the program's ints are Python's ints: where they do not fit into 64 bits, that is an error.
PYTHONS_INTS = ("mean", "median", "_variance_of_ints")


def _items(data):
    items = [item for item in data]
    if len(items) == 0:
        raise statistics.StatisticsError("mean requires at least one data point")
    return items


@implements(statistics.mean)
def mean(data):
    items = _items(data)
    total = sum(items)
    if isinstance(total, int):
        return total // len(items) if total % len(items) == 0 else total / len(items)
    return math.fsum(items) / len(items)


@implements(statistics.fmean)
def fmean(data, weights=None):
    items = [float(item) for item in data]
    if weights is not None:
        return math.fsum([item * weight for item, weight in zip(items, weights)]) / math.fsum(weights)
    if len(items) == 0:
        raise statistics.StatisticsError("fmean requires at least one data point")
    return math.fsum(items) / len(items)


def _in_order(data):
    items = sorted([item for item in data])
    if len(items) == 0:
        raise statistics.StatisticsError("no median for empty data")
    return items


@implements(statistics.median)
def median(data):
    items = _in_order(data)
    middle = len(items) // 2
    if len(items) % 2 == 1:
        return items[middle]
    return (items[middle - 1] + items[middle]) / 2


@implements(statistics.median_low)
def median_low(data):
    items = _in_order(data)
    return items[(len(items) - 1) // 2]


@implements(statistics.median_high)
def median_high(data):
    items = _in_order(data)
    return items[len(items) // 2]


@implements(statistics.mode)
def mode(data):
    items = [item for item in data]
    if len(items) == 0:
        raise statistics.StatisticsError("no mode for empty data")
    counts = {}
    for item in items:
        counts[item] = counts.get(item, 0) + 1
    best, most = items[0], 0
    for item, count in counts.items():
        if count > most:
            best, most = item, count
    return best


def _variance_of_ints(items, freedom):
    """Exact: the squared distances from the mean, times the number of items, are a whole number."""
    count = len(items)
    total = sum(items)
    above = count * sum([item * item for item in items]) - total * total
    below = count * (count - freedom)
    return above // below if above % below == 0 else above / below


def _are_ints(data, center):
    return center is None and len(data) > 0 and isinstance(data[0], int) and isinstance(sum(data), int)


def _squares(data, least, name, center):
    """The sum of squared distances from the mean or from `center`, and the number of items."""
    items = [float(item) for item in data]
    if len(items) < least:
        raise statistics.StatisticsError(name + " requires at least " + ("two data points" if least == 2 else "one data point"))
    middle = math.fsum(items) / len(items) if center is None else float(center)
    total = math.fsum([(item - middle) * (item - middle) for item in items])
    if center is None:  # the mean was rounded
        rest = math.fsum([item - middle for item in items])
        total -= rest * rest / len(items)
    return total, len(items)


@implements(statistics.variance)
def variance(data, xbar=None):
    items = [item for item in data]
    if _are_ints(items, xbar):
        return _variance_of_ints(items, 1)
    total, count = _squares(items, 2, "variance", xbar)
    return total / (count - 1)


@implements(statistics.pvariance)
def pvariance(data, mu=None):
    items = [item for item in data]
    if _are_ints(items, mu):
        return _variance_of_ints(items, 0)
    total, count = _squares(items, 1, "pvariance", mu)
    return total / count


@implements(statistics.stdev)
def stdev(data, xbar=None):
    total, count = _squares(data, 2, "stdev", xbar)
    return math.sqrt(total / (count - 1))


@implements(statistics.pstdev)
def pstdev(data, mu=None):
    total, count = _squares(data, 1, "pstdev", mu)
    return math.sqrt(total / count)
