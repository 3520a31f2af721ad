"""Every keyword of NumPy's own signatures, for every function that can be compiled: honoured (NumPy's result: values, dtype, where order= is asked for
the strides, and what was written into an argument) or refused. Never taken and dropped."""
import inspect
import unittest
import warnings

import numpy as np

import executed
import lines
import npcc
from harness import copies, jit
from tolerances import tolerance

rng = np.random.default_rng(0)
SQUARE = rng.random((4, 4))
ARGUMENTS = {
    "a": rng.random((4, 5)) + 0.25, "b": rng.random((4, 5)) + 0.25, "n": np.where(rng.random((4, 5)) > 0.7, np.nan, rng.random((4, 5))), "m": rng.random((4, 5)) > 0.5,
    "i": rng.integers(1, 9, (4, 5)), "j": rng.integers(1, 9, (4, 5)), "v": np.sort(rng.random(6)), "w": rng.random(6), "p": rng.integers(0, 4, 6),
    "q": rng.integers(1, 7, 6), "s": SQUARE @ SQUARE.T + np.eye(4), "t": rng.random((3, 3, 3)), "z": rng.random((4, 5)) + 1j * rng.random((4, 5)), "k": rng.random((4, 3)),
    "x": rng.random(()) + 1,
}

# The required arguments. Ufuncs that are not here take a, or a and b, of floats or else of integers.
CALLS = """
all m                | allclose a, a          | amax a            | amin a             | angle z           | any m
append a, b          | argmax a               | argmin a          | argpartition v, 2  | argsort a         | argwhere m
around a             | broadcast_shapes (2, 1), (3,) | array a                | array_equal a, a  | array_split a, 2   | asanyarray a      | asarray a
ascontiguousarray a  | asfortranarray a       | atleast_1d a      | atleast_2d a       | atleast_3d a      | average a
bincount p           | broadcast_to v, (2, 6) | clip a, 0.5, 0.9  | column_stack (a, b) | compress [True, False, True], a | concat (a, b)
concatenate (a, b)   | convolve v, w          | copy a.T          | copyto a, b        | corrcoef a        | correlate v, w
count_nonzero m      | cov a                  | cross k, k + 1    | cumprod a          | cumsum a          | cumulative_sum v
delete a, 1          | diag s                 | diagflat v        | diagonal a         | diff a            | digitize w, v
dot a, b.T           | dstack (a, b)          | ediff1d v         | einsum 'ij,ij->i', a, b | empty (2, 3)  | empty_like a.T
expand_dims a, 0     | extract m, a           | eye 3             | fill_diagonal s, 7 | fix a             | flatnonzero m
flip a               | fliplr a               | flipud a          | fromfunction lambda x, y: x + y, (2, 3) | full (2, 3), 7 | full_like a.T, 7
geomspace 1, 9, 4    | gradient a             | histogram v       | hsplit a, [2]      | hstack (a, b)     | identity 3
imag z               | indices (2, 3)         | inner a, b        | insert a, 1, 5     | interp w, v, v    | intersect1d p, q
isclose a, b         | iscomplexobj a         | isin p, q         | isrealobj a        | isscalar a        | ix_ p
kron s, s            | lexsort (p, q)         | linspace 0, 1, 5  | logspace 0, 1, 5   | matmul a, b.T     | matrix_transpose a
max a                | mean a                 | median a          | meshgrid v, w      | min a             | moveaxis t, 0, 1
nan_to_num n         | nancumsum n            | nanmax n          | nanmean n          | nanmin n          | nanprod n
nanstd n             | nansum n               | nanvar n          | ndarray (2, 3)     | ndim a            | nonzero m
ones (2, 3)          | ones_like a.T          | outer v, w        | pad a, 1           | partition v, 2    | percentile a, 30
permute_dims a       | piecewise a, [a < 0.5, a >= 0.5], [-1.0, 1.0] | polyval [1.0, 2.0], a | prod a | ptp a        | put a, [1], [2.0]
quantile a, 0.3      | ravel a                | real z            | repeat a, 2        | reshape a, (5, 4) | result_type a, i
roll a, 1            | rollaxis t, 2          | rot90 a           | round a            | searchsorted v, w | select [a < 0.5], [a]
setdiff1d p, q       | setxor1d p, q          | shape a           | sinc a             | size a            | sort a
split a, 2           | squeeze a[None]        | stack (a, b)      | std a              | sum a             | swapaxes a, 0, 1
take a, [0, 1]       | tensordot a, b         | tile a, 2         | trace s            | transpose a       | trapezoid a
tri 3                | tril a                 | triu a            | union1d p, q       | unique p          | vander v
var a                | vdot v, w              | vecdot a, b       | vsplit a, 2        | vstack (a, b)     | where m, a, b
zeros (2, 3)         | zeros_like a.T         | arange 1, 9       | linalg.cholesky s  | linalg.det s      | linalg.eigh s
linalg.eigvalsh s    | linalg.inv s           | linalg.matrix_power s, 3 | linalg.matrix_transpose a | linalg.norm a | linalg.slogdet s
linalg.solve s, s    | linalg.vecdot a, b     | linalg.matmul a, b.T | linalg.outer v, w | linalg.trace s   | linalg.diagonal s
nancumprod n         | take_along_axis v, p   | put_along_axis v, p, 3.0, 0
linalg.qr a          | linalg.svd s           | linalg.svdvals a  | linalg.pinv s      | linalg.matrix_rank s | linalg.cond s
linalg.eig s         | linalg.eigvals s       | linalg.lstsq k, a | linalg.cross k, k + 1 | linalg.tensordot a, b | linalg.multi_dot (a, b.T, a)
linalg.vector_norm a | linalg.matrix_norm a   | linalg.tensorinv s.reshape(2, 2, 2, 2) | linalg.tensorsolve s.reshape(2, 2, 2, 2), np.ones((2, 2))
fft.fft a            | fft.ifft z             | fft.rfft a        | fft.irfft z        | fft.hfft z        | fft.ihfft a
fft.fft2 a           | fft.ifft2 z            | fft.rfft2 a       | fft.irfft2 z       | fft.fftn a        | fft.ifftn z
fft.rfftn a          | fft.irfftn z           | fft.fftshift a    | fft.ifftshift a    | fft.fftfreq 5     | fft.rfftfreq 6
apply_along_axis np.sum, 0, a | apply_over_axes np.sum, a, [0] | array_equiv a, a | asarray_chkfinite a | astype a, np.float32 | bartlett 5
blackman 5           | block [[a, b]]         | broadcast_arrays a, v[:5] | choose p, (w, 2.0, 3.0, 4.0) | common_type a, i | cumulative_prod v
diag_indices 3       | diag_indices_from s    | dsplit t, 3       | emath.arccos a     | emath.arcsin a     | emath.arctanh a
emath.log a - 0.5    | emath.log10 a          | emath.log2 a      | emath.logn 2, a    | emath.power a, 2   | emath.sqrt a - 0.5
fromiter v, float    | hamming 5              | hanning 5         | histogram2d v, w   | histogramdd (v, w) | i0 a
iscomplex z          | isneginf n             | isposinf n        | isreal z           | iterable a         | kaiser 5, 2.0
lib.stride_tricks.as_strided v, (2, 3), (8, 8) | lib.stride_tricks.sliding_window_view v, 3 | mask_indices 3, np.triu | nanpercentile n, 30 | nanquantile n, 0.3
frombuffer v, np.int32, 4, 8 | may_share_memory v, v[1:] | shares_memory v, v[1:] | unstack np.stack((v, w))
polyfit v, w, 1      | roots v               | packbits m           | place a, m, [1.0, 2.0] | poly v            | polyadd v, w       | polyder v          | polydiv v, w
polyint v            | polymul v, w           | polysub v, w      | putmask a, m, b    | ravel_multi_index (p, p), (4, 4) | real_if_close z
require a            | resize a, (2, 3)       | sort_complex v    | tril_indices 3     | tril_indices_from s | trim_zeros p
triu_indices 3       | triu_indices_from s    | unique_all p      | unique_counts p    | unique_inverse p   | unique_values p
unpackbits p.astype(np.uint8) | unravel_index p, (4, 2) | unwrap v | vectorize lambda x: x + 1 | ndindex 2, 3 | ndenumerate v | nditer v
array2string v       | array_str v            | array_repr v       | format_float_positional 1.5 | format_float_scientific 1.5
base_repr 5          | binary_repr 5          | isfortran a       | row_stack (a, b)   | broadcast a, v[:5]
ldexp a, i           | nanmedian n            | nanargmax i       | nanargmin i        | logical_xor m, m  | histogram_bin_edges v
"""
METHODS = """
astype a, int        | sum a                  | conj z            | copy a             | fill a, 3         | flatten a
item v, 2            | reshape a, 5, 4        | sort a            | tolist v           | transpose a       | view a
take a, [0, 1]       | repeat a, 2            | clip a, 0.5, 0.9  | round a            | cumsum a          | cumprod a
compress a, [True, False, True] | diagonal s  | argsort a         | searchsorted v, w  | trace s           | std a
partition a, 2       | put a, [1], [2.0]      | argpartition v, 2 | choose p, (w, 2.0, 3.0, 4.0)
var a                | mean a                 | swapaxes a, 0, 1  | squeeze a          | dot a, b.T        | max a
min a                | prod a                 | any m             | all m              | argmax a          | argmin a
nonzero m            | ravel a                | conjugate z       | ptp a              | byteswap a
"""
UFUNC_METHODS = """
add.reduce a         | multiply.reduce a      | maximum.reduce a  | minimum.reduce i   | logical_and.reduce m | logical_or.reduce m | bitwise_or.reduce i
add.accumulate a     | multiply.accumulate a  | maximum.accumulate a | add.outer v, w  | multiply.outer v, w
"""
# What each keyword is tried with. `out` is an array like the result without it; `mask`, an array of bool like the first argument.
VALUES = {
    "axis": ["0", "-1", "(0, 1)", "None", "1.0"], "keepdims": ["True"], "out": ["out"], "dtype": ["np.float32", "np.int64"],
    "order": ["'F'", "'C'", "'A'", "'K'", "'X'"], "casting": ["'no'", "'safe'", "'unsafe'", "'nonsense'"], "subok": ["False", "True"],
    "where": ["mask", "False"],
    "initial": ["3", "0.125"], "ddof": ["1", "0.5", "2"], "k": ["1", "-1", "0.5", "1.5"], "offset": ["1", "-2"], "axis1": ["1", "-1"], "axis2": ["0", "-1"], "M": ["4"], "N": ["4"],
    "like": ["a", "3"], "device": ["'cpu'", "'gpu'"], "copy": ["True", "False", "None"], "ndmin": ["3"], "ndmax": ["1"], "shape": ["(3, 2)"],
    "mode": ["'wrap'", "'clip'", "'same'", "'full'", "'edge'", "'mean'", "'reflect'", "'complete'", "'r'", "'raw'"],
    "side": ["'left'", "'right'", "'middle'"], "kind": ["'stable'", "'quicksort'", "'sort'", "'nonsense'"], "stable": ["True", "False"], "sorter": ["np.arange(6)[::-1]"],
    "right": ["True", "0.5"], "left": ["-1.0"], "period": ["0.5"], "weights": ["w", "a"], "minlength": ["9", "2.5"], "density": ["True", "False"], "range": ["(0.1, 0.8)"], "bins": ["4", "v", "'auto'"],
    "returned": ["True"], "rowvar": ["False"], "bias": ["True"], "y": ["b"], "fweights": ["p"], "aweights": ["w"], "equal_nan": ["True", "False"], "rtol": ["0.5"], "atol": ["0.5"],
    "deg": ["True"], "decimals": ["1", "-1"], "overwrite_input": ["True"], "nan": ["5.0"], "posinf": ["5.0"], "neginf": ["5.0"], "invert": ["True"], "assume_unique": ["True"],
    "return_index": ["True"], "return_inverse": ["True"], "return_counts": ["True"], "return_indices": ["True"], "sorted": ["False"], "indexing": ["'ij'"], "sparse": ["True"], "method": ["'nearest'"],
    "interpolation": ["'nearest'"], "endpoint": ["False"], "retstep": ["True"], "num": ["7"], "base": ["2.0"], "increasing": ["True"], "wrap": ["True"], "constant_values": ["3.0", "(1.0, 2.0)"],
    "axes": ["1", "(1, 0)", "((0,), (0,))"], "prepend": ["0.0", "a"], "append": ["0.0", "a"], "to_begin": ["-1.0"], "to_end": ["9.0"], "edge_order": ["2"], "x": ["np.arange(5.0)"], "dx": ["0.5"],
    "start": ["1", "0"], "default": ["9.0"], "axisa": ["0"], "axisb": ["0"], "axisc": ["0"], "correction": ["1"], "min": ["0.75"], "max": ["0.75"], "a_min": ["0.75"], "a_max": ["0.75"],
    "upper": ["True"], "UPLO": ["'U'"], "ord": ["1", "2", "'nuc'", "np.inf"], "n": ["2", "0"], "optimize": ["True"], "strict": ["True"], "step": ["2", "0.5"], "stop": ["20"], "type": ["np.ndarray"],
    "requirements": ["'F'"], "signature": ["'ff->f'", "'f->f'", "'dd->d'", "(None, None, np.float32)"], "mean": ["0.5"], "include_initial": ["True"],
    "trim": ["'f'"], "buffer": ["None"], "strides": ["(8, 8)"], "M_": ["3"], "source": ["1"],
    "val": ["9.0"], "fill_value": ["5"], "bool": ["True"], "shift": ["2"], "reps": ["3"], "choicelist": ["[b]"], "decimal": ["2"], "posinf_": ["1"], "order_": ["'F'"], "tol": ["0.1"], "norm": ["'ortho'"],
    "ind": ["[1]", "2"], "condition": ["m"], "metadata": ["None"], "rcond": ["None", "0.5"], "bins_": ["3"], "hermitian": ["True"], "compute_uv": ["False"], "full_matrices": ["False"], "keys": ["(p, q)"],
    "p": ["1", "-2", "'fro'", "np.inf"], "s": ["(3, 4)"], "d": ["0.5"], "unwrap": ["1"], "kth": ["1"], "v": ["[9.0]"], "refcheck": ["False"], "varargs": ["2.0"],
    "precision": ["2"], "max_line_width": ["20"], "suppress_small": ["True"], "separator": ["', '"], "prefix": ["'v = '"], "suffix": ["';'"], "threshold": ["3"], "edgeitems": ["1"],
    "sign": ["'+'", "True"], "floatmode": ["'fixed'"], "unique": ["False"], "fractional": ["False"], "pad_left": ["4"], "pad_right": ["4"], "min_digits": ["3"], "exp_digits": ["3"],
    "padding": ["2"], "width": ["9", "2"],
}
KEYWORDS_OF_METHODS = {"sum": ["keepdims", "initial", "where"], "prod": ["keepdims", "initial", "where"], "max": ["keepdims", "initial", "where"], "min": ["keepdims", "initial", "where"],
                       "mean": ["keepdims", "where"], "std": ["keepdims", "where", "mean", "correction"], "var": ["keepdims", "where", "mean", "correction"], "clip": ["where", "casting", "dtype"],
                       "view": ["dtype", "type"], "pad": ["constant_values", "end_values", "reflect_type", "stat_length"], "einsum": ["dtype", "casting", "order", "out"],
                       "reduce": ["keepdims", "initial", "where"], "outer": ["dtype", "casting", "order", "out", "where"]}


def table(text, prefix):
    calls = [part.strip().split(" ", 1) for line in text.strip().splitlines() for part in line.split("|")]
    return [(prefix + name, arguments) for name, arguments in calls]


def numpy_object(path):
    found = np
    for part in path.split("."):
        found = getattr(found, part, None)
    return found


def supported():
    """Without numpy.random: test_random_distributions.py and its like have what it takes. Nor what sets an option of the process, nor what has no
    signature: test_array_texts.py has these; and test_functions_polynomials.py what gives an object. Nor special methods, which take no keywords
    (test_special_methods_of_arrays.py)."""
    names = {entry["name"][len("numpy."):] for entry in npcc.supported() if entry["name"].startswith("numpy.")}
    return {name for name in names if not name.startswith("random.") and not name.endswith("__")} - {"set_printoptions", "fromstring", "poly1d"}


def ufunc_calls():
    known = {name for name, _ in table(CALLS, "")}
    for name in sorted(supported() - known):
        ufunc = numpy_object(name)
        if isinstance(ufunc, np.ufunc):
            floats = any(types.startswith("d" * ufunc.nin + "->") for types in ufunc.types)
            yield name, ", ".join(("ab" if floats else "ij")[:ufunc.nin])


def different_ufuncs():
    """The ones that are functions of their own here, and of the others, which are all called by the same code, one for each list of dtypes."""
    common = ["out", "where", "dtype", "casting", "order", "subok", "signature"]
    own = {entry["name"][len("numpy."):] for entry in npcc.supported() if entry["keywords"] != common}
    types = set()
    for name, arguments in ufunc_calls():
        kind = tuple(numpy_object(name).types)
        if name in own or kind not in types:
            types.add(kind)
            yield name, arguments


def keywords(path):
    """Of NumPy's signature: all that have a default."""
    function = numpy_object(path)
    parameters = inspect.signature(function).parameters.values()
    names = [p.name for p in parameters if p.default is not p.empty and p.kind is not p.POSITIONAL_ONLY]
    return names + [name for name in KEYWORDS_OF_METHODS.get(path.rsplit(".")[-1], []) if name not in names]


class Keywords(unittest.TestCase):
    def cases(self, calls):
        """(name of the keyword, the arguments' names, the text without the keyword, the text with it)"""
        for path, arguments in calls:
            if path.startswith("ndarray."):
                receiver, _, rest = arguments.partition(", ")
                before = f"{receiver}.{path.split('.')[1]}({rest}"
                bare = not rest
            else:
                before, bare = f"np.{path}({arguments}", False
            mask = "m" if arguments[0] in "abnmijz" else f"{arguments[0]} > 0.5"
            for name in keywords(path):
                for value in VALUES.get(name, ["None"]):
                    yield name, before + ")", f"{before}{'' if bare else ', '}{name}={mask if value == 'mask' else value})"

    def check(self, calls):
        rows = list(self.cases(calls))
        parameters = ", ".join([*ARGUMENTS, "out"])
        place = f"test_keywords.{self._testMethodName}"
        functions = lines.functions(place, [(parameters, body) for _, plain, text in rows for body in (f"{plain}, a, s", f"{text}, a, s")])
        honoured = 0
        for (name, _, text), plain, function in zip(rows, functions[::2], functions[1::2]):
            with self.subTest(text), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                honoured += self.agrees(name, text, plain, function)
        return honoured

    def agrees(self, name, text, plain, function):
        def run(call, out):
            arguments = copies([*ARGUMENTS.values(), out])
            try:
                with np.errstate(all="ignore"):
                    return None, call(*arguments)[0], arguments
            except Exception as error:
                return error, None, arguments

        out = None
        if name == "out":
            _, value, _ = run(plain, None)
            if not isinstance(value, (np.ndarray, np.generic)):
                return 0
            out = np.full(np.shape(value), 77, value.dtype)
        error, expected, after = run(function, out)
        own_error, got, own_after = run(jit(function), out)
        if isinstance(own_error, (npcc.CompileError, NotImplementedError)) or (own_error is not None and error is not None):
            return 0
        if isinstance(own_error, TypeError) and "npcc does not support" in str(own_error):
            return 0
        self.assertIsNone(own_error, f"NumPy gives {expected!r}")
        self.assertIsNone(error, f"NumPy refuses this, compiled code gives {got!r}")
        if text.startswith(("np.empty", "np.ndarray")):  # of what is not defined the extents and strides
            expected, got = np.zeros_like(expected), np.zeros_like(got)
        if text.startswith(("np.linalg.eigh(", "np.linalg.eig(", "np.linalg.svd(", "np.linalg.qr(")):  # either of two vectors is one
            expected, got = ([np.abs(part) for part in parts] if isinstance(parts, tuple) else np.abs(parts) for parts in (expected, got))
        # What numpy.unravel_index counts in an order has no layout of its own.
        self.same(expected, got, "" if "unravel_index" in text else name)
        if name != "overwrite_input":  # which leaves anything behind
            for one, other in zip(after, own_after):
                self.same(one, other, "")
        executed.note(__file__, function)
        return 1

    def same(self, expected, got, name):
        if isinstance(expected, (tuple, list)):
            self.assertEqual(len(expected), len(got))
            for one, other in zip(expected, got):
                self.same(one, other, name)
            return
        if expected is None or isinstance(expected, (bool, str, np.dtype)):
            self.assertEqual(expected, got)
            return
        a, b = np.asarray(expected), np.asarray(got)
        self.assertEqual((a.dtype, a.shape), (b.dtype, b.shape))
        relative, absolute = tolerance(a.dtype, [])
        np.testing.assert_allclose(b, a, 10 * relative, 10 * absolute, equal_nan=True)
        if name == "order" and a.size > 1:
            self.assertEqual(a.strides, b.strides)

    def test_functions(self):
        names = supported()
        calls = [(name, arguments) for name, arguments in table(CALLS, "") if name in names]
        self.assertGreater(self.check(calls), 200)

    def test_ufuncs(self):
        self.assertGreater(self.check(different_ufuncs()), 60)

    def test_methods(self):
        methods = [(name, arguments) for name, arguments in table(METHODS, "ndarray.") if numpy_object(name)]
        self.assertGreater(self.check(methods), 60)

    def test_methods_of_ufuncs(self):
        self.assertGreater(self.check(table(UFUNC_METHODS, "")), 10)

    def test_every_function_is_called(self):
        calls = {name for text, prefix in ((CALLS, ""), (METHODS, "ndarray.")) for name, _ in table(text, prefix)} | {name for name, _ in ufunc_calls()}
        self.assertEqual(supported() - calls, set())


if __name__ == "__main__":
    unittest.main()
