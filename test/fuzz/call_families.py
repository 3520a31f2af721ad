"""Families of calls: each function draws one call of a function behind a library, and gives its text.

Statements stand between "; ", the last one is the value. Behind "  # " may stand how results are compared: `ties` where
the order of equal elements is open, `order` where that of all elements is, `inside` where what lies outside of the
argument's memory is refused.
"""

from __future__ import annotations

import numpy as np

from .call_forms import FORMS
from .call_keywords import KEYWORDS

FLAGS = ["True", "False"]
NORMS = ["'ortho'", "'forward'", "'backward'", "None", "'no'"]
METHODS = """inverted_cdf averaged_inverted_cdf closest_observation interpolated_inverted_cdf hazen weibull linear
    median_unbiased normal_unbiased lower higher midpoint nearest""".split()
UFUNCS = """add multiply maximum minimum subtract divide logical_and logical_or bitwise_or bitwise_and bitwise_xor power
    hypot fmax logaddexp floor_divide mod gcd left_shift equal less""".split()
MODES = "constant edge linear_ramp maximum mean median minimum reflect symmetric wrap".split()


def stack_of(draw, *shape):
    return (*draw.pick((), (), (), (3,), (2, 2), (0,), (1,)), *shape)


def fourier(draw):
    x = draw.array(0 if draw.chance(0.1) else 1, special=0.03)
    rank = draw.last.ndim
    if draw.chance(0.5):
        options = draw.keywords(n=["1", "2", "5", "8", "0", "30", "None"], axis=[draw.axis(rank, False)], norm=NORMS)
        return f"np.fft.{draw.pick('fft', 'ifft', 'rfft', 'irfft', 'hfft', 'ihfft')}({x}{options})"
    if draw.chance(0.2):
        return f"np.fft.{draw.pick('fftshift', 'ifftshift')}({x}{draw.keywords(axes=[draw.axis(rank), '[0]'])})"
    axes = draw.random.sample(range(rank), draw.random.randint(1, rank)) if rank else (0,)
    options = f", axes={tuple(axes)}"
    if draw.chance(0.4):
        options += f", s={tuple(draw.pick(1, 2, 4, 7, -1) for _ in axes)}"
    return f"np.fft.{draw.pick('fftn', 'ifftn', 'rfftn', 'irfftn')}({x}{options}{draw.keywords(norm=NORMS)})"


def square_matrices(draw):
    n = draw.pick(0, 1, 2, 3, 4, 5, 8, 17, 33)
    dtype = draw.pick("f4", "f8", "f8", "c8", "c16", "i8", "?", "f2")
    x = draw.array(shape=stack_of(draw, n, n if draw.chance(0.95) else n + 1), dtype=dtype, special=0.03)
    hermitian = f"({x} + np.conj(np.swapaxes({x}, -1, -2)))"
    definite = f"({x} @ np.conj(np.swapaxes({x}, -1, -2)) + np.eye({x}.shape[-1], dtype={x}.dtype))"
    orders = ["1", "-1", "2", "-2", "np.inf", "'fro'", "'nuc'", "None"]
    return draw.pick(
        *(f"np.linalg.{name}({x})" for name in ("inv", "det", "slogdet", "eigvals", "eig")),
        f"np.linalg.cond({x}{draw.keywords(p=orders)})",
        f"np.linalg.matrix_power({x}, {draw.pick(-2, -1, 0, 1, 2, 3, 5)})",
        f"np.linalg.trace({x}{draw.keywords(offset=['1', '-1', '5'], dtype=['np.float32'])})",
        f"np.linalg.eigh({draw.pick(x, hermitian)}{draw.keywords(UPLO=[repr(k) for k in 'ULX'])})",
        f"np.linalg.cholesky({draw.pick(x, definite)}{draw.keywords(upper=FLAGS)})",
        f"np.linalg.matrix_rank({x}{draw.keywords(tol=['0.1', 'None'], hermitian=['True'], rtol=['0.2'])})",
        f"np.linalg.pinv({x}{draw.keywords(rcond=['0.1'], hermitian=['True'], rtol=['0.2', 'None'])})",
    )


def matrices(draw):
    m, n = draw.pick(0, 1, 2, 3, 5, 9, 20), draw.pick(0, 1, 2, 3, 4, 8, 13)
    dtype = draw.pick("f4", "f8", "f8", "c8", "c16", "i8", "?")
    x = draw.array(shape=stack_of(draw, m, n), dtype=dtype, special=0.03)
    rank = draw.last.ndim
    b = draw.array(shape=draw.pick((m,), (m, 3), (m, 0), (m + 1,)), dtype=dtype, special=0.03)
    orders = ["1", "2", "-1", "-2", "np.inf", "'fro'", "'nuc'", "0", "0.5"]
    axes = [draw.axis(rank), draw.axes(rank)]
    return draw.pick(
        f"np.linalg.qr({x}{draw.keywords(mode=[repr(k) for k in ('reduced', 'complete', 'r', 'raw')])})",
        f"np.linalg.svd({x}{draw.keywords(full_matrices=FLAGS, compute_uv=FLAGS)})",
        f"np.linalg.lstsq({x}, {b}{draw.keywords(rcond=['None', '0.1', '-1'])})",
        f"np.linalg.norm({x}{draw.keywords(ord=orders, axis=axes, keepdims=FLAGS)})",
        f"np.linalg.matrix_norm({x}{draw.keywords(ord=orders, keepdims=FLAGS)})",
        *(f"np.linalg.{name}({x})" for name in ("svdvals", "pinv", "matrix_rank")),
    )


def equations(draw):
    n = draw.pick(0, 1, 2, 3, 4, 5, 8, 17, 33)
    dtype = draw.pick("f4", "f8", "f8", "c8", "c16", "i8", "?")
    a = draw.array(shape=stack_of(draw, n, n), dtype=dtype, special=0.03)
    shape = draw.pick((n,), (n, 1), (n, 3), draw.last.shape[:-1], (1, n, 2), (n + 1,), ())
    return f"np.linalg.solve({a}, {draw.array(shape=shape, dtype=draw.pick(dtype, 'f8', 'i4', 'c16'), special=0.03)})"


def products(draw):
    stack = draw.pick((), (), (2,), (3, 2), (1,), (0,))
    other = draw.pick(stack, stack, (), (1,), stack[-1:])
    m, k, n = draw.pick(0, 1, 2, 5, 17), draw.pick(0, 1, 2, 3, 5, 8, 17, 40), draw.pick(1, 2, 3, 8)
    j = k + 1 if draw.chance(0.04) else k
    function, left, right = draw.pick(
        *(("matmul", (*stack, m, k), (*other, j, n)), ("matmul", (k,), (j,)), ("matmul", (*stack, m, k), (j,))),
        *(("dot", (m, k), (j, n)), ("dot", (2, m, k), (j,)), ("dot", (), (3, 2)), ("inner", (m, k), (n, j))),
        *(("vdot", (m, k), (m, j)), ("outer", (m,), (2, n)), ("kron", (m, 2), (n,))),
        *(("vecdot", (*stack, k), (*other, j)), ("linalg.vecdot", (*stack, k), (*other, j))),
        ("matvec", (*stack, m, k), (*other, j)),
        *(("vecmat", (*stack, k), (*other, j, n)), ("tensordot", (m, k, 2), (2, j, n))),
    )
    dtype = draw.dtype()
    operands = [draw.array(shape=left, dtype=dtype), draw.array(shape=right, dtype=draw.pick(dtype, draw.dtype()))]
    options = ", axes=([1], [1])" if function == "tensordot" else ""
    if function in ("matmul", "vecdot"):
        options = draw.pick("", "", ", dtype=np.float32", ", dtype=np.complex128", ", dtype=np.float64")
    return f"np.{function}({', '.join(operands)}{options})"


def einsum(draw):
    letters = "ijkl"[: draw.random.randint(1, 4)]
    extents = {letter: draw.pick(1, 2, 3, 4, 5, 0) for letter in letters}
    terms = ["".join(draw.pick(*letters) for _ in range(draw.random.randint(0, 3))) for _ in range(draw.pick(1, 2, 3))]
    used, dtype = sorted(set("".join(terms))), draw.dtype()
    shapes = [[extents[letter] if draw.chance(0.97) else 1 for letter in term] for term in terms]
    operands = [draw.array(shape=shape, dtype=draw.pick(dtype, dtype, draw.dtype()), special=0.03) for shape in shapes]
    result = "->" + "".join(draw.random.sample(used, draw.random.randint(0, len(used)))) if draw.chance(0.8) else ""
    options = draw.keywords(optimize=["False"], order=["'C'", "'F'"])
    return f"np.einsum('{','.join(terms)}{result}', {', '.join(operands)}{options})"


def sorts(draw):
    x = draw.array(special=0.3)
    rank = draw.last.ndim
    axis = draw.axis(rank)
    inside = axis == "None" or -rank <= int(axis) < rank
    n = draw.last.size if axis == "None" else draw.last.shape[int(axis)] if rank and inside else 1
    kind = draw.pick("", ", kind='stable'", ", stable=True", ", kind='mergesort'", ", kind='heapsort'")
    place = draw.pick(draw.random.randrange(-n, n) if n else 0, n)
    return draw.pick(
        f"np.sort({x}, axis={axis}{kind})",
        f"np.argsort({x}, axis={axis}{kind})" + ("" if "stable" in kind or "merge" in kind else f"  # ties {axis}"),
        f"np.partition({x}, {place}, axis={axis})  # order {axis}",
        f"np.lexsort(({x}, {draw.array(shape=draw.last.shape)}), axis={axis if axis != 'None' else -1})",
        f"np.sort_complex({x})",
    )


def searches(draw):
    dtype = draw.dtype()
    x = draw.array(shape=(draw.extent(),), dtype=dtype, special=0.2)
    y = draw.array(0, 2, dtype=draw.pick(dtype, dtype, draw.dtype()), special=0.2)
    side = draw.keywords(side=["'left'", "'right'", "'no'"])
    return draw.pick(
        f"np.digitize({y}, np.sort({x}){draw.pick('', '[::-1]')}{draw.keywords(right=FLAGS)})",
        f"np.searchsorted({x}, {y}, sorter=np.argsort({x}, kind='stable'){side})",
        f"np.searchsorted(np.sort({x}), {y}{side})",
        f"np.isin({x}, {y}{draw.keywords(invert=FLAGS, kind=[repr('sort'), repr('table'), 'None'])})",
        f"np.intersect1d({x}, {y}{draw.keywords(return_indices=FLAGS)})",
        *(f"np.{name}({x}, {y})" for name in ("union1d", "setdiff1d", "setxor1d")),
    )


def distinct(draw):
    x = draw.array(special=0.3)
    asked = draw.keywords(return_index=FLAGS, return_inverse=FLAGS, return_counts=FLAGS, equal_nan=FLAGS,
                          axis=[draw.axis(draw.last.ndim)])
    return draw.pick(f"np.unique({x}{asked})", *(f"np.unique_{name}({x})" for name in ("all", "counts", "inverse")))


def quantiles(draw):
    x = draw.array(special=0.3)
    options = draw.keywords(axis=[draw.axis(draw.last.ndim), draw.axes(draw.last.ndim)], keepdims=FLAGS)
    if draw.chance(0.3):
        return f"np.{draw.pick('median', 'nanmedian')}({x}{options})"
    q = draw.pick("0.5", "0.25", "[0.1, 0.9]", "np.array([[0.0, 0.3], [1.0, 0.5]])", "1", "0", "1.5", "np.float32(0.5)")
    method = draw.keywords(method=[repr(name) for name in METHODS])
    return f"np.{draw.pick('quantile', 'nanquantile', 'percentile', 'nanpercentile')}({x}, {q}{options}{method})"


def ufunc_methods(draw):
    ufunc, x = draw.pick(*UFUNCS[:9], *UFUNCS), draw.array(1)
    array, rank = draw.last, draw.last.ndim
    n = max(array.shape[0], 1)
    axis = draw.axis(rank, False)
    places = draw.give(draw.numbers.integers(-n, n, draw.random.randint(0, 6)))
    index = draw.pick(places, "0", "[0, 0]", "...", "slice(1, None)")
    values = draw.array(shape=draw.pick((), (1,), (2,), array.shape[1:]))
    where = draw.give(draw.values(array.shape, "?"))
    dtypes = ["np.float64", "np.int32"]
    whole = draw.keywords(axis=[axis, draw.axes(rank)], keepdims=FLAGS, dtype=dtypes, initial=["1"])
    return draw.pick(
        f"np.{ufunc}.reduce({x}{whole})",
        f"np.{ufunc}.reduce({x}, where={where}{draw.keywords(initial=['1', '0'])})",
        f"np.{ufunc}.accumulate({x}{draw.keywords(axis=[axis], dtype=dtypes)})",
        f"np.{ufunc}.reduceat({x}, {draw.give(draw.numbers.integers(0, n, 3))}{draw.keywords(axis=[axis])})",
        f"np.{ufunc}.outer({x}, {values})",
        f"(np.{ufunc}.at({x}, {index}, {values}), {x})[1]",
    )


def borders(draw):
    x, mode = draw.array(), draw.pick(*MODES)
    pairs = str(tuple((draw.random.randrange(4), draw.random.randrange(4)) for _ in draw.last.shape))
    options = {"constant": {"constant_values": ["7", "(1, 2)"]}, "linear_ramp": {"end_values": ["3", "(1, -2)"]},
               "reflect": {"reflect_type": ["'odd'", "'even'"]}, "symmetric": {"reflect_type": ["'odd'"]}}.get(mode, {})
    if mode in ("maximum", "mean", "median", "minimum"):
        options = {"stat_length": ["1", "2", "(1, 3)", "None"]}
    return f"np.pad({x}, {draw.pick('0', '1', '(1, 2)', '5', '((1, 0),)', pairs)}, '{mode}'{draw.keywords(**options)})"


def points(draw):
    n = draw.pick(1, 2, 5, 9)
    x = draw.array(0, 2, dtype=draw.pick("f8", "f4", "i8"))
    known = draw.give(np.sort(draw.numbers.normal(size=n)))
    values = draw.array(shape=(n,), dtype=draw.pick("f8", "i4", "f4"))
    bins = draw.pick("3", "10", "[-2, 0, 1, 4]", *(repr(name) for name in "auto fd sturges scott sqrt doane".split()))
    return draw.pick(
        f"np.interp({x}, {known}, {values}{draw.keywords(left=['-5'], right=['7', 'None'], period=['2', '-3', '0'])})",
        f"np.histogram({x}, {bins}{draw.keywords(range=['(-1, 2)', '(0, 0)', '(2, 1)'], density=FLAGS)})",
        f"np.convolve({values}, {known}{draw.keywords(mode=[repr('same'), repr('valid'), '0'])})",
        f"np.gradient({x}{draw.keywords(edge_order=['1', '2'])})",
        f"np.lib.stride_tricks.sliding_window_view({values}, {draw.pick(0, 1, 2, 10)})",
        f"np.apply_along_axis({draw.pick('np.sort', 'np.sum', 'np.diff', 'np.median')}, -1, {x})",
    )


def generators(draw):
    """The numbers themselves, and the one after them."""
    seed = draw.pick("5", "0", "[1, 2, 3]", "np.random.SeedSequence(4)")
    bits = draw.pick("PCG64", "PCG64DXSM", "Philox", "MT19937", "SFC64")
    size = draw.pick("None", "5", "(2, 3)", "0", "(2, 0)", "()", "100", "5000")
    single = draw.pick("", ", dtype=np.float32")
    x = draw.array(1, 2)
    call = draw.pick(
        *(f"{name}({size}{single})" for name in ("random", "standard_normal", "standard_exponential")),
        f"uniform(-1, {draw.pick('2.5', '-2')}, {size})", f"normal(1, {draw.pick('2', '-1')}, {size})",
        f"integers({draw.pick('10', '-5, 5', '256', '[3, 5]', '2**40', '0')}, size={size})",
        f"gamma({draw.pick('2.5', '0.5', '0')}, 2.0, {size})", f"beta(0.5, {draw.pick('2', '0.3')}, {size})",
        f"poisson({draw.pick('3.5', '100.0', '0', '-1')}, {size})", f"binomial({draw.pick('10', '200')}, 0.3, {size})",
        f"permutation({draw.pick('5', '0', x)})", f"permuted({x}{draw.pick('', ', axis=0')})",
        f"choice({draw.pick('5', x)}, {size}{draw.pick('', ', replace=False')})",
        f"multivariate_normal([0.0, 1.0], [[2.0, 0.3], [0.3, 1.0]], {size})", f"dirichlet([1.0, 0.05, 2.0], {size})",
    )
    return f"g = np.random.Generator(np.random.{bits}({seed})); t = g.{call}; (t, g.random())"


FAMILIES = {
    family.__name__: family
    for family in (
        *(fourier, square_matrices, matrices, equations, products, einsum, sorts, searches, distinct, quantiles),
        *(ufunc_methods, borders, points, generators),
    )
} | FORMS | KEYWORDS
