"""NumPy's functions and methods of arrays of structured dtypes, as the compiler calls them: `numpy_` and `method_` and their names, `rec_` for those of
numpy.rec. The arrays of the fields have the axes of the records first."""
import numpy as np

from ..records import ARRAY, RECORD, RECORD_ARRAY, fields, records
from .record_keys import equal, inner_dtype, is_records, keys_of, not_equal


def form_of(a):
    return RECORD if isinstance(a, np.void) else RECORD_ARRAY if isinstance(a, np.recarray) else ARRAY


#---- New arrays ----


def made(make, shape, dtype, form=ARRAY):
    """Records with the fields that `make` gives for a shape and dtype."""
    return records(tuple([made_field(make, shape, inner_dtype(dtype, name)) for name in dtype.names]), dtype, form)


def made_field(make, shape, inner):
    whole = (*shape, *inner.shape)
    if inner.base.names is not None:
        return made(make, whole, inner.base)
    return make(whole, inner.base)


def shape_tuple(shape):
    return tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)


def numpy_zeros(shape, dtype=float, order="C"):
    return made(np.zeros, shape_tuple(shape), dtype)


def numpy_empty(shape, dtype=float, order="C"):
    return made(np.empty, shape_tuple(shape), dtype)


def numpy_ones(shape, dtype=None, order="C"):
    return made(np.ones, shape_tuple(shape), dtype)


def numpy_full(shape, fill_value, dtype=None, order="C"):
    result = made(np.empty, shape_tuple(shape), fill_value.dtype if dtype is None else dtype)
    result[...] = np.asarray(fill_value) if isinstance(fill_value, (tuple, list)) else fill_value
    return result


def numpy_recarray(shape, dtype=None, formats=None, names=None):
    if dtype is None:
        raise TypeError("numpy.recarray() needs a dtype in compiled code")
    return made(np.empty, shape_tuple(shape), record_dtype(dtype), RECORD_ARRAY)


def record_dtype(dtype):
    return np.dtype((np.record, dtype))


def like(make, a, dtype, shape):
    dtype = a.dtype if dtype is None else dtype
    shape = a.shape if shape is None else shape_tuple(shape)
    if dtype.names is None:
        return make(shape, dtype)
    return made(make, shape, dtype, RECORD_ARRAY if is_records(a) and form_of(a) == RECORD_ARRAY else ARRAY)


def numpy_zeros_like(a, dtype=None, order="K", subok=True, shape=None):
    return like(np.zeros, a, dtype, shape)


def numpy_empty_like(prototype, dtype=None, order="K", subok=True, shape=None):
    return like(np.empty, prototype, dtype, shape)


def numpy_ones_like(a, dtype=None, order="K", subok=True, shape=None):
    return like(np.ones, a, dtype, shape)


def numpy_full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None):
    result = like(np.empty, a, dtype, shape)
    result[...] = fill_value
    return result


def numpy_array(object, dtype=None, copy=True, order="K", subok=False, ndmin=0):
    if is_records(object):
        plain = of_fields(object, copied, ARRAY)
        return plain if dtype is None else method_astype(plain, dtype)
    if isinstance(object, np.ndarray):
        result = made(np.empty, object.shape, dtype)
        result[...] = object
        return result
    if dtype is None:
        raise TypeError("numpy.array of records needs a dtype in compiled code")
    return of_rows(object, dtype)


def numpy_asarray(a, dtype=None, order=None):
    if is_records(a) and (dtype is None or dtype == a.dtype):
        return of_fields(a, same, ARRAY)
    return numpy_array(a, dtype)


def of_rows(rows, dtype):
    if isinstance(rows, (tuple, np.void)):
        result = made(np.empty, (), dtype)
        result[...] = rows
        return result
    if len(rows) == 0:
        return made(np.zeros, (0,), dtype)
    if isinstance(rows[0], list):
        return stacked([of_rows(row, dtype) for row in rows], dtype)
    if isinstance(rows[0], np.void):
        return stacked([numpy_array(row, dtype) for row in rows], dtype)
    if not isinstance(rows[0], tuple):
        raise ValueError("setting an array element with a sequence.")
    if len(rows[0]) != len(dtype.names):
        raise ValueError(f"could not assign tuple of length {len(rows[0])} to structure with {len(dtype.names)} fields.")
    return records(tuple([of_column([row[k] for row in rows], inner_dtype(dtype, dtype.names[k])) for k in range(len(dtype.names))]), dtype, ARRAY)


def stacked(arrays, dtype):
    return joined(arrays, np.stack, dtype)


def of_column(column, inner):
    if inner.base.names is not None:
        return of_rows(column, inner.base)
    result = np.empty((len(column), *inner.shape), inner.base)
    if isinstance(column[0], (tuple, list, np.ndarray)) or not inner.shape:
        result[...] = np.array(column, dtype=inner.base)
    else:
        result[...] = np.array(column, dtype=inner.base).reshape((len(column),) + (1,) * len(inner.shape))
    return result


#---- Field by field ----


def of_fields(a, function, form):
    """Records with what `function` gives for each field's array and the number of axes of its own."""
    return records(tuple([of_field(field, function, inner_dtype(a.dtype, name), 0) for field, name in zip(fields(a), a.dtype.names)]), a.dtype, form)


def of_field(field, function, inner, axes):
    if field is None:
        raise TypeError("an array of records that has fields of other dtypes cannot be copied in compiled code")
    if inner.base.names is None:
        return function(field, axes + len(inner.shape))
    return records(
        tuple([of_field(one, function, inner_dtype(inner.base, name), axes + len(inner.shape)) for one, name in zip(fields(field), inner.base.names)]),
        inner.base, ARRAY)


def copied(field, axes):
    return field.copy()


def same(field, axes):
    return field


def numpy_copy(a, order="K", subok=False):
    return of_fields(a, copied, form_of(a) if subok else ARRAY)


def method_copy(self, order="C"):
    return of_fields(self, copied, form_of(self))


def method_view(self, dtype=None):
    if dtype is None:
        return self
    if dtype is np.recarray:
        return records(fields(self), record_dtype(self.dtype), RECORD_ARRAY)
    if dtype is np.ndarray:
        return records(fields(self), self.dtype, ARRAY)
    raise TypeError("view() of an array of records as another dtype cannot be compiled: take its fields")


def method_astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
    dtype = np.dtype(dtype)
    if dtype.names is None:
        raise TypeError("records are cast to dtypes with fields in compiled code: cast the fields")
    result = made(np.empty, self.shape, dtype)
    result[...] = self
    return result


def method_fill(self, value):
    self[...] = value


def method_item(self):
    if isinstance(self, np.void):
        return tuple([item_of(self[name]) for name in self.dtype.names])
    return method_item(self.reshape(-1)[0])


def item_of(value):
    if isinstance(value, np.void):
        return method_item(value)
    if isinstance(value, np.ndarray):
        return value
    return value.item()


def method_tolist(self):
    if isinstance(self, np.void):
        return tuple([value_list(self[name]) for name in self.dtype.names])
    return list(zip(*[self[name].tolist() for name in self.dtype.names]))


def value_list(value):
    return value.tolist()


def method_reshape(self, *shape):
    whole = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    known = resolved_shape(whole, self.size)
    return of_fields(self, lambda field, axes: field.reshape((*known, *field.shape[field.ndim - axes:])), form_of(self))


def resolved_shape(shape, size):
    """A shape with the extent that -1 stands for."""
    known = 1
    for extent in shape:
        known = known * (1 if extent == -1 else extent)
    return tuple([size // known if extent == -1 else extent for extent in shape])


def method_ravel(self, order="C"):
    return method_reshape(self, -1)


def method_flatten(self, order="C"):
    return method_copy(method_reshape(self, -1))


def numpy_ravel(a, order="C"):
    return method_reshape(a, -1)


def numpy_reshape(a, shape, order="C"):
    return method_reshape(a, *shape_tuple(shape))


def leading_axis(axis, ndim):
    if axis < -ndim or axis >= ndim:
        raise np.exceptions.AxisError(axis, ndim)
    return axis + ndim if axis < 0 else axis


#---- Several arrays ----


def joined_dtype(arrays):
    return np.result_type(*[a.dtype for a in arrays])  # packed, or aligned: padding is not kept


def joined(arrays, function, dtype):
    """Records with what `function` gives for the arrays of each field."""
    columns = list(zip(*[fields(a) for a in arrays]))
    return records(tuple([joined_field(column, function, inner_dtype(dtype, name).base) for column, name in zip(columns, dtype.names)]), dtype, ARRAY)


def joined_field(column, function, dtype):
    if dtype.names is not None:
        return joined(column, function, dtype)
    return function(column).astype(dtype)


def numpy_concatenate(arrays, axis=0):
    at = leading_axis(axis, arrays[0].ndim)
    return joined(arrays, lambda column: np.concatenate(column, at), joined_dtype(arrays))


def numpy_stack(arrays, axis=0):
    at = leading_axis(axis, arrays[0].ndim + 1)
    return joined(arrays, lambda column: np.stack(column, at), joined_dtype(arrays))


def numpy_hstack(tup):
    return numpy_concatenate(tup, 0 if tup[0].ndim == 1 else 1)


def numpy_append(arr, values, axis=None):
    if not is_records(values):
        values = numpy_array(values, arr.dtype)
    if axis is None:
        return numpy_concatenate((method_reshape(arr, -1), method_reshape(values, -1)))
    return numpy_concatenate((arr, values), axis)


def numpy_where(condition, x, y):
    condition = np.asarray(condition)
    shape = np.broadcast_shapes(condition.shape, x.shape, y.shape)
    return joined((x, y), lambda column: np.where(condition.reshape((*condition.shape, *(1,) * (column[0].ndim - x.ndim))), column[0], column[1]),
                  joined_dtype((x, y)))


def numpy_copyto(dst, src):
    dst[...] = src


#---- Along an axis ----


def along(a, axis, function):
    """What `function` gives for each field and the axis, which is the records' first where it is None."""
    if axis is None:
        return along(method_reshape(a, -1), 0, function)
    at = leading_axis(axis, a.ndim)
    return of_fields(a, lambda field, axes: function(field, at), form_of(a))


def numpy_take(a, indices, axis=None):
    return along(a, axis, lambda field, at: np.take(field, indices, at))


def method_take(self, indices, axis=None):
    return numpy_take(self, indices, axis)


def numpy_repeat(a, repeats, axis=None):
    return along(a, axis, lambda field, at: np.repeat(field, repeats, at))


def method_repeat(self, repeats, axis=None):
    return numpy_repeat(self, repeats, axis)


def numpy_delete(arr, obj, axis=None):
    return along(arr, axis, lambda field, at: np.delete(field, obj, at))


def numpy_flip(m, axis=None):
    if m.ndim != 1:
        raise TypeError("numpy.flip of records with several axes cannot be compiled: use slices")
    return m[::-1]


def numpy_roll(a, shift, axis=None):
    if a.ndim != 1:
        raise TypeError("numpy.roll of records with several axes cannot be compiled: roll the fields")
    return along(a, 0, lambda field, at: np.roll(field, shift, at))


def numpy_compress(condition, a, axis=None):
    return along(a, axis, lambda field, at: np.compress(condition, field, at))


def numpy_shape(a):
    return a.shape


def numpy_size(a, axis=None):
    return a.size if axis is None else a.shape[axis]


def numpy_ndim(a):
    return a.ndim


#---- Order ----


def numpy_argsort(a, axis=-1, kind=None, order=None):
    if a.ndim != 1:
        raise TypeError("records with several axes cannot be sorted in compiled code: sort them row by row")
    return np.lexsort(keys_of(a, order)[::-1])


def method_argsort(self, axis=-1, kind=None, order=None):
    return numpy_argsort(self, axis, kind, order)


def numpy_sort(a, axis=-1, kind=None, order=None):
    return a[numpy_argsort(a, axis, kind, order)]


def method_sort(self, axis=-1, kind=None, order=None):
    self[...] = numpy_sort(self, axis, kind, order)


def numpy_unique(ar, return_index=False, return_inverse=False, return_counts=False):
    if return_index or return_inverse or return_counts:
        raise TypeError("numpy.unique of records gives only the records in compiled code: take a field")
    ordered = numpy_sort(method_reshape(ar, -1))
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = not_equal(ordered[1:], ordered[:-1])
    return ordered[first]


#---- Comparisons ----


def numpy_equal(x1, x2):
    return equal(x1, x2)


def numpy_not_equal(x1, x2):
    return not_equal(x1, x2)


def numpy_array_equal(a1, a2):
    if a1.shape != a2.shape:
        return False
    return bool(equal(a1, a2).all())


#---- numpy.rec ----


def rec_fromarrays(arrayList, dtype=None, shape=None, formats=None, names=None):
    arrays = tuple([np.asarray(a) for a in arrayList])
    if dtype is None:
        dtype = np.dtype([(name, a.dtype) for name, a in zip(column_names(names, len(arrays)), arrays)])
    result = made(np.empty, arrays[0].shape, record_dtype(dtype), RECORD_ARRAY)
    for name, a in zip(dtype.names, arrays):
        result[name] = a
    return result


def column_names(names, count):
    if names is None:
        return [f"f{k}" for k in range(count)]
    if isinstance(names, str):
        return [name.strip() for name in names.split(",")]
    return list(names)


def rec_array(obj, dtype=None, shape=None, formats=None, names=None):
    if is_records(obj):
        plain = numpy_array(obj, dtype)
        return records(fields(plain), record_dtype(plain.dtype), RECORD_ARRAY)
    if dtype is None:
        raise TypeError("numpy.rec.array() needs a dtype in compiled code")
    plain = of_rows(obj, dtype)
    return records(fields(plain), record_dtype(dtype), RECORD_ARRAY)


def rec_fromrecords(recList, dtype=None, shape=None, formats=None, names=None):
    return rec_array(recList, dtype)


def rec_recarray(shape, dtype=None, formats=None, names=None):
    return numpy_recarray(shape, dtype)
