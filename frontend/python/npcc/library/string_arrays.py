"""Arrays of strings, as a class that is compiled with the functions that use them, and NumPy's functions of them: `numpy_` and their names.

In compiled code a string is a number of the runtime's, which is equal for equal strings. So an array of strings is an array of such numbers, with the
width of NumPy's dtype: a comparison with a string, a mask or an index are what they are for numbers, on a GPU too. What needs the order of strings asks
for the order of the distinct ones."""
import math

import numpy as np

from npcc.library.containers import SEEN_AS
from npcc.library.random.choices import shuffle_along
from npcc.library.strings import number_of, numpy_text, texts

WIDEST = 75  # characters of a line that NumPy prints
MOST_SHOWN = 1000  # elements


class StringArray:
    def __init__(self, numbers, width, is_given=False):
        """`is_given`: the caller has it, who would not see what is stored."""
        self.numbers = numbers
        self.width = width
        self.is_given = is_given

    @property
    def shape(self):
        return self.numbers.shape

    @property
    def ndim(self):
        return self.numbers.ndim

    @property
    def size(self):
        return self.numbers.size

    @property
    def itemsize(self):
        return 4 * self.width

    @property
    def nbytes(self):
        return 4 * self.width * self.numbers.size

    @property
    def dtype(self):
        return np.dtype(f"<U{self.width}")

    @property
    def T(self):
        return StringArray(self.numbers.T, self.width)

    def of(self, numbers):
        """An array of the same width, or one string."""
        if isinstance(numbers, np.ndarray):
            return StringArray(numbers, self.width)
        return numpy_text(numbers)

    def __len__(self):
        return len(self.numbers)

    def __iter__(self):
        if self.numbers.ndim > 1:
            return [StringArray(row, self.width) for row in self.numbers]
        return texts(self.numbers, True)

    def __getitem__(self, key):
        if self.is_given and isinstance(key, slice):
            return StringArray(self.numbers[key], self.width, True)
        return self.of(self.numbers[key])

    def __setitem__(self, key, value):
        if self.is_given:
            raise TypeError("an array of strings that is an argument is not changed in compiled code: take a copy of it")
        if isinstance(value, str):
            self.numbers[key] = number_of(value if len(value) <= self.width else value[: self.width])
        else:
            self.numbers[key] = cut(as_strings(value), self.width).numbers

    def __contains__(self, item):
        return bool((self.numbers == number_of(item)).any())

    def __eq__(self, other):
        return equal(self, other)

    def __ne__(self, other):
        return ~equal(self, other)

    def __lt__(self, other):
        mine, others = both_ranks(self, as_strings(other))
        return mine < others

    def __le__(self, other):
        mine, others = both_ranks(self, as_strings(other))
        return mine <= others

    def __gt__(self, other):
        mine, others = both_ranks(self, as_strings(other))
        return mine > others

    def __ge__(self, other):
        mine, others = both_ranks(self, as_strings(other))
        return mine >= others

    def __repr__(self):
        return "array(" + shown(self, ", ", 7) + ", dtype='<U" + str(self.width) + "')"

    def __str__(self):
        return shown(self, " ", 1)

    def tolist(self):
        if self.numbers.ndim > 1:
            return [StringArray(row, self.width).tolist() for row in self.numbers]
        return texts(self.numbers.copy(), False)

    def item(self, *args):
        return str(numpy_text(self.numbers.reshape(-1)[args[0] if len(args) > 0 else 0]))

    def copy(self, order="C"):
        return StringArray(self.numbers.copy(), self.width)

    def ravel(self, order="C"):
        return StringArray(self.numbers.ravel(), self.width)

    def flatten(self, order="C"):
        return StringArray(self.numbers.flatten(), self.width)

    def reshape(self, *shape):
        return StringArray(self.numbers.reshape(*shape), self.width)

    def take(self, indices, axis=None):
        return self.of(np.take(self.numbers, indices, axis=axis))

    def repeat(self, repeats, axis=None):
        return StringArray(np.repeat(self.numbers, repeats, axis=axis), self.width)

    def fill(self, value):
        self[...] = value

    def sort(self, axis=-1):
        self.numbers[...] = numpy_sort(self, axis).numbers

    def argsort(self, axis=-1, kind=None):
        return numpy_argsort(self, axis, kind)

    def astype(self, dtype):
        if dtype is str:
            return self.copy()
        flat = self.numbers.ravel()
        items = texts(flat, False)
        if np.dtype(dtype).kind == "f":
            return np.array([float(item) for item in items]).reshape(self.numbers.shape).astype(dtype)
        if np.dtype(dtype).kind == "i":
            return np.array([int(item) for item in items]).reshape(self.numbers.shape).astype(dtype)
        raise TypeError("an array of strings becomes one of numbers or of str in compiled code")

    def parts(self):
        return texts(self.numbers.ravel(), False), self.numbers.shape, self.width


def given_StringArray(strings, shape, width):
    """What Python gets."""
    return np.array(strings, dtype=f"<U{width}").reshape(tuple(shape))


def given_strings(strings):
    return [np.str_(string) for string in strings]


SEEN_AS[StringArray] = np.ndarray


#---- Made of strings ----


def given(strings, shape, width):
    """An argument. Where it is empty, there is one string all the same: what is before the first separator."""
    numbers = np.array([number_of(string) for string in strings])
    if len(shape) == 1:
        return StringArray(numbers[: shape[0]], width, True)
    return StringArray(numbers[: math.prod(shape)].reshape(shape), width, True)


def as_strings(value):
    if isinstance(value, StringArray):
        return value
    if isinstance(value, str):
        return StringArray(np.array(number_of(value)), max(len(value), 1))
    return of_list(value)


def of_list(items):
    if len(items) == 0:
        return StringArray(np.zeros(0, np.int64), 1)
    if isinstance(items[0], (list, tuple)):
        return joined([of_list(row) for row in items], np.stack)
    if isinstance(items[0], StringArray):
        return joined([row for row in items], np.stack)
    numbers = np.array([number_of(item) for item in items])
    width = 1
    for item in items:
        width = max(width, len(item))
    return StringArray(numbers, width)


def joined(arrays, function):
    width = arrays[0].width
    for array in arrays[1:]:
        width = max(width, array.width)
    return StringArray(function([array.numbers for array in arrays]), width)


def cut(array, width):
    """As an array of that width holds it."""
    if array.width <= width:
        return array
    numbers = np.empty(array.numbers.size, np.int64)
    for k, item in enumerate(texts(array.numbers.ravel(), False)):
        numbers[k] = number_of(item[:width])
    return StringArray(numbers.reshape(array.numbers.shape), width)


#---- Order ----


def ranks(numbers):
    """Integers that are ordered as the strings of the numbers are."""
    distinct, inverse = np.unique(numbers, return_inverse=True)
    items = texts(distinct, False)
    order = np.array(sorted(range(len(items)), key=lambda k: items[k]), dtype=np.int64)
    rank = np.empty(len(items), np.int64)
    rank[order] = np.arange(len(items))
    return rank[inverse].reshape(numbers.shape)


def both_ranks(a, b):
    flat = ranks(np.concatenate([a.numbers.ravel(), b.numbers.ravel()]))
    return flat[: a.numbers.size].reshape(a.numbers.shape), flat[a.numbers.size :].reshape(b.numbers.shape)


def equal(a, other):
    if isinstance(other, str):
        return a.numbers == number_of(other)
    if isinstance(other, (StringArray, list, tuple)):
        return a.numbers == as_strings(other).numbers
    return np.zeros(np.broadcast_shapes(a.numbers.shape, np.shape(other)), bool)


#---- Text ----


def shown(array, separator, indent):
    if array.numbers.ndim != 1 or array.numbers.size > MOST_SHOWN:
        raise TypeError("only arrays of strings of one axis and at most 1,000 elements are written in compiled code")
    lines = []
    line = ""
    room = WIDEST - max(len(separator.rstrip()), 1)
    for item in texts(array.numbers, False):
        word = repr(item)
        if len(line) > 0 and len(line) + indent + len(word) > room:
            lines.append(line.rstrip())
            line = ""
        line += word + separator
    lines.append(line[: len(line) - len(separator)] if len(line) > 0 else "")
    return "[" + ("\n" + " " * indent).join(lines) + "]"


#---- NumPy's functions ----


def numpy_array(object, dtype=None, copy=True, order="K", subok=False, ndmin=0):
    array = as_strings(object).copy()
    if dtype is None or dtype is str:
        return array
    return cut(StringArray(array.numbers, array.width), width_of(dtype)) if np.dtype(dtype).kind == "U" else array.astype(dtype)


def width_of(dtype):
    return np.dtype(dtype).itemsize // 4


def numpy_asarray(a, dtype=None, order=None):
    return as_strings(a) if dtype is None else numpy_array(a, dtype)


def numpy_copy(a, order="K", subok=False):
    return a.copy()


def numpy_full(shape, fill_value, dtype=None, order="C"):
    value = as_strings(fill_value)
    array = StringArray(np.empty(shape, np.int64), value.width if dtype is None or dtype is str else width_of(dtype))
    array[...] = value
    return array


def numpy_where(condition, x, y):
    one, other = as_strings(x), as_strings(y)
    return StringArray(np.asarray(np.where(condition, one.numbers, other.numbers)), max(one.width, other.width))


def numpy_unique(ar, return_index=False, return_inverse=False, return_counts=False):
    array = as_strings(ar)
    flat = array.numbers.ravel()
    distinct, index, inverse, counts = np.unique(ranks(flat), return_index=True, return_inverse=True, return_counts=True)
    result = (StringArray(flat[index], array.width),)
    if return_index:
        result = result + (index,)
    if return_inverse:
        result = result + (inverse.reshape(array.numbers.shape),)
    if return_counts:
        result = result + (counts,)
    return result[0] if len(result) == 1 else result


def numpy_isin(element, test_elements, assume_unique=False, invert=False):
    tested = test_elements
    if isinstance(tested, (set, frozenset)):
        raise TypeError("numpy.isin() takes a set for one element: give it a list")
    return np.isin(as_strings(element).numbers, as_strings(tested).numbers, invert=invert)


def numpy_sort(a, axis=-1, kind=None):
    array = as_strings(a)
    if axis is None:
        return numpy_sort(array.ravel())
    order = np.argsort(ranks(array.numbers), axis=axis, kind="stable")
    return StringArray(np.take_along_axis(array.numbers, order, axis), array.width)


def numpy_argsort(a, axis=-1, kind=None):
    return np.argsort(ranks(as_strings(a).numbers), axis=axis, kind=kind)


def numpy_searchsorted(a, v, side="left"):
    array, values = both_ranks(as_strings(a), as_strings(v))
    return np.searchsorted(array, values, side)


def numpy_array_equal(a1, a2):
    one, other = as_strings(a1), as_strings(a2)
    return one.numbers.shape == other.numbers.shape and bool((one.numbers == other.numbers).all())


def numpy_concatenate(arrays, axis=0):
    return joined([as_strings(array) for array in arrays], lambda parts: np.concatenate(parts, axis=axis))


def numpy_hstack(tup):
    return joined([as_strings(array) for array in tup], np.hstack)


def numpy_vstack(tup):
    return joined([as_strings(array) for array in tup], np.vstack)


def numpy_stack(arrays, axis=0):
    return joined([as_strings(array) for array in arrays], lambda parts: np.stack(parts, axis=axis))


def numpy_column_stack(tup):
    return joined([as_strings(array) for array in tup], np.column_stack)


def numpy_append(arr, values, axis=None):
    one, other = as_strings(arr), as_strings(values)
    return StringArray(np.append(one.numbers, other.numbers, axis=axis), max(one.width, other.width))


def numpy_delete(arr, obj, axis=None):
    return StringArray(np.delete(arr.numbers, obj, axis=axis), arr.width)


def numpy_insert(arr, obj, values, axis=None):
    one, other = as_strings(arr), as_strings(values)
    return StringArray(np.insert(one.numbers, obj, cut(other, one.width).numbers, axis=axis), one.width)


def numpy_take(a, indices, axis=None, mode="raise"):
    return a.of(np.take(a.numbers, indices, axis=axis, mode=mode))


def numpy_tile(A, reps):
    array = as_strings(A)
    return StringArray(np.tile(array.numbers, reps), array.width)


def numpy_repeat(a, repeats, axis=None):
    array = as_strings(a)
    return StringArray(np.repeat(array.numbers, repeats, axis=axis), array.width)


def numpy_flip(m, axis=None):
    return StringArray(np.flip(m.numbers, axis), m.width)


def numpy_roll(a, shift, axis=None):
    return StringArray(np.roll(a.numbers, shift, axis), a.width)


def numpy_ravel(a, order="C"):
    return a.ravel()


def numpy_reshape(a, shape):
    return a.reshape(shape)


def numpy_squeeze(a, axis=None):
    return StringArray(np.squeeze(a.numbers, axis), a.width)


def numpy_transpose(a, axes=None):
    return StringArray(np.transpose(a.numbers, axes), a.width)


def numpy_compress(condition, a, axis=None):
    return StringArray(np.compress(condition, a.numbers, axis=axis), a.width)


def numpy_extract(condition, arr):
    return StringArray(np.extract(condition, arr.numbers), arr.width)


def numpy_select(condlist, choicelist, default=""):
    choices = [as_strings(choice) for choice in choicelist]
    other = as_strings(default)
    width = other.width
    for choice in choices:
        width = max(width, choice.width)
    return StringArray(np.select(condlist, [choice.numbers for choice in choices], other.numbers), width)


def numpy_intersect1d(ar1, ar2):
    one = numpy_unique(ar1)
    return one[numpy_isin(one, ar2)]


def numpy_union1d(ar1, ar2):
    return numpy_unique(numpy_append(as_strings(ar1).ravel(), as_strings(ar2).ravel()))


def numpy_setdiff1d(ar1, ar2):
    one = numpy_unique(ar1)
    return one[~numpy_isin(one, ar2)]


#---- Methods of generators ----


def generator_choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
    array = as_strings(a)
    positions = self.choice(len(array), size, replace, p) if shuffle else self.choice(len(array), size, replace, p, shuffle=False)
    return array[positions]


def generator_permutation(self, x, axis=0):
    array = as_strings(x)
    return array[self.permutation(len(array))]


def generator_shuffle(self, x, axis=0):
    if isinstance(x, list):
        shuffle_along(self, x, axis)
    else:
        self.shuffle(x.numbers)


#---- Shapes ----


def numpy_shape(a):
    return a.numbers.shape


def numpy_size(a, axis=None):
    return np.size(a.numbers, axis)


def numpy_ndim(a):
    return a.numbers.ndim
