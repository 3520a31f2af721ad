"""scipy.spatial.distance: distances of points, in double precision. The differences are computed where they are summed."""
import numpy as np

from . import implements_of

_DISTANCE = implements_of("scipy.spatial.distance")


def _distances(a, b, metric, p):
    """Of the points along the last axes."""
    if metric == "euclidean":
        return np.sqrt(np.sum((a - b) * (a - b), axis=-1))
    if metric == "sqeuclidean":
        return np.sum((a - b) * (a - b), axis=-1)
    if metric == "cityblock":
        return np.sum(np.abs(a - b), axis=-1)
    if metric == "chebyshev":
        return np.max(np.abs(a - b), axis=-1)
    if metric == "minkowski":
        return np.power(np.sum(np.power(np.abs(a - b), p), axis=-1), 1.0 / p)
    if metric == "cosine":
        return 1 - np.sum(a * b, axis=-1) / np.sqrt(np.sum(a * a, axis=-1) * np.sum(b * b, axis=-1))
    if metric == "canberra":
        size = np.abs(a) + np.abs(b)
        return np.sum(np.where(size == 0, 0, np.abs(a - b) / np.where(size == 0, 1, size)), axis=-1)
    if metric == "hamming":
        return np.mean(a != b, axis=-1)
    raise NotImplementedError(f"scipy.spatial.distance: the metric {metric!r} cannot be compiled")


def _points(x, name):
    x = np.asarray(x).astype(np.float64)
    if x.ndim != 2:
        raise ValueError(f"{name} must be a 2-dimensional array.")
    return x


@_DISTANCE
def cdist(XA, XB, metric="euclidean", *, out=None, p=2):
    a = _points(XA, "XA")
    b = _points(XB, "XB")
    if a.shape[1] != b.shape[1]:
        raise ValueError("XA and XB must have the same number of columns (i.e. feature dimension.)")
    result = _distances(a[:, None, :], b[None, :, :], metric, p)
    if out is None:
        return result
    out[...] = result
    return out


@_DISTANCE
def pdist(X, metric="euclidean", *, out=None, p=2):
    x = np.asarray(X).astype(np.float64)
    if x.ndim != 2:
        raise ValueError("A 2-dimensional array must be passed.")
    left, right = np.triu_indices(x.shape[0], 1)
    result = _distances(x[left], x[right], metric, p)
    if out is None:
        return result
    out[...] = result
    return out


def _vector(x):
    return np.asarray(x).astype(np.float64)


@_DISTANCE
def euclidean(u, v, w=None):
    return minkowski(u, v, 2, w)


@_DISTANCE
def sqeuclidean(u, v, w=None):
    if w is not None:
        raise NotImplementedError("scipy.spatial.distance.sqeuclidean with weights cannot be compiled")
    return _distances(_vector(u), _vector(v), "sqeuclidean", 2)


@_DISTANCE
def cityblock(u, v, w=None):
    difference = np.abs(_vector(u) - _vector(v))
    return np.sum(difference if w is None else difference * w)


@_DISTANCE
def minkowski(u, v, p=2, w=None):
    difference = np.power(np.abs(_vector(u) - _vector(v)), p)
    total = np.sum(difference if w is None else difference * w)
    return float(np.sqrt(total)) if p == 2 else np.power(total, 1.0 / p)


@_DISTANCE
def cosine(u, v, w=None):
    if w is not None:
        raise NotImplementedError("scipy.spatial.distance.cosine with weights cannot be compiled")
    return _distances(_vector(u), _vector(v), "cosine", 2)
