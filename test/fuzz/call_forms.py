"""More families of calls (call_families.py): with out=, where= and dtype=, all distributions with arrays for parameters, series, scipy's functions."""

from __future__ import annotations

import ml_dtypes
import numpy as np

FLAGS = ["True", "False"]
UNARY = """negative absolute sqrt exp log sin cos tanh square reciprocal floor ceil rint sign isnan isfinite logical_not conjugate cbrt expm1 log1p arctan
    invert positive signbit exp2 deg2rad spacing""".split()
BINARY = """add subtract multiply divide floor_divide mod power maximum minimum fmax fmin arctan2 hypot logaddexp copysign less equal not_equal
    greater_equal logical_and logical_xor bitwise_or left_shift fmod heaviside nextafter gcd float_power ldexp""".split()
REDUCTIONS = "sum prod mean var std min max all any ptp nansum nanmean nanmax nanvar nanprod count_nonzero".split()
SINGLE = "argmax argmin cumsum cumprod nancumsum nanargmax".split()
KINDS = [("polynomial", "poly"), ("chebyshev", "cheb"), ("legendre", "leg"), ("hermite", "herm"), ("hermite_e", "herme"), ("laguerre", "lag")]


def operand(draw, shape):
    """One that broadcasts to the shape."""
    fewer = tuple(1 if draw.chance(0.2) else n for n in shape)
    return draw.array(shape=fewer[draw.pick(0, 0, 0, 1):] if shape else (), dtype=dtype(draw))


def dtype(draw):
    return ml_dtypes.bfloat16 if draw.chance(0.06) else draw.dtype()


def elementwise(draw):
    """A ufunc, what it gives, and what its output holds afterwards."""
    shape = draw.shape(0, 3)
    count = draw.pick(1, 2)
    name = draw.pick(*(UNARY if count == 1 else BINARY))
    operands = ", ".join(operand(draw, shape) for _ in range(count))
    options = draw.keywords(dtype=["np.float64", "np.float32", "np.complex128", "'i8'"], casting=["'unsafe'", "'no'", "'safe'"])
    if draw.chance(0.5):
        return f"np.{name}({operands}{options})"
    out = draw.give(np.asarray(draw.values(shape, draw.dtype())))
    if draw.chance(0.5):
        options += f", where={draw.give(np.asarray(draw.values(shape[draw.pick(0, 0, 1):] if shape else (), '?')))}"
    return f"r = np.{name}({operands}, out={out}{options}); (r, {out})"


def reductions(draw):
    x = draw.array(0, 3, dtype=dtype(draw))
    array = draw.last
    if draw.chance(0.25):
        return f"np.{draw.pick(*SINGLE)}({x}{draw.keywords(axis=[draw.axis(array.ndim)])})"
    name = draw.pick(*REDUCTIONS)
    options = draw.keywords(axis=[draw.axis(array.ndim), draw.axes(array.ndim)], keepdims=FLAGS)
    if name in ("sum", "prod", "mean", "var", "std", "nansum", "nanmean"):
        options += draw.keywords(dtype=["np.float64", "np.float32", "'c16'"])
    if name in ("sum", "prod", "min", "max"):
        options += draw.keywords(initial=["1", "-2.5"])
    if name in ("var", "std", "nanvar"):
        options += draw.keywords(ddof=["1", "0"])
    if name in ("sum", "prod", "mean", "var", "any", "all", "nansum") and draw.chance(0.3):
        options += f", where={draw.give(np.asarray(draw.values(array.shape, '?')))}"
    if "axis" not in options and "keepdims" not in options and draw.chance(0.2) and name != "count_nonzero":
        out = draw.give(np.zeros((), draw.pick("f8", "f8", "i8", "f4")))
        return f"r = np.{name}({x}{options}, out={out}); (r, {out})"
    return f"np.{name}({x}{options})"


# A distribution, and how each parameter is drawn: a text, of a number or of an array.
DISTRIBUTIONS = {
    "beta": "pp", "binomial": "nf", "chisquare": "p", "exponential": "p", "f": "pp", "gamma": "pp", "geometric": "f", "gumbel": "rp", "hypergeometric": "nnk",
    "laplace": "rp", "logistic": "rp", "lognormal": "rp", "logseries": "f", "negative_binomial": "pf", "noncentral_chisquare": "pp", "noncentral_f": "ppp",
    "normal": "rp", "pareto": "p", "poisson": "p", "power": "p", "rayleigh": "p", "standard_cauchy": "", "standard_exponential": "", "standard_gamma": "p",
    "standard_normal": "", "standard_t": "p", "triangular": "abc", "uniform": "rb", "vonmises": "rp", "wald": "pp", "weibull": "p", "zipf": "c",
}
NUMBERS = {"p": ["0.5", "2.5", "7", "0", "-1"], "n": ["10", "25", "0"], "f": ["0.3", "0.8", "1", "1.5"], "r": ["0", "-1.5", "2"], "k": ["4", "8"],
           "a": ["-1", "0"], "b": ["0.5", "1"], "c": ["2", "3.5"]}


def parameter(draw, kind, shape):
    if draw.chance(0.6):
        return draw.pick(*NUMBERS[kind][:3 if draw.chance(0.8) else None])
    values = draw.numbers.uniform(0.1, 0.9, shape)
    values = {"p": values * 4, "n": (values * 30).astype(int) + 5, "k": (values * 5).astype(int), "r": values - 0.5, "a": -values, "c": values + 1.5}.get(kind, values)
    return draw.give(draw.laid_out(np.asarray(values)))


def distributions(draw):
    name = draw.pick(*DISTRIBUTIONS)
    shape = draw.pick((), (3,), (2, 3), (2, 1), (1,))
    parameters = [parameter(draw, kind, shape[draw.pick(0, 0, 1):] if shape else ()) for kind in DISTRIBUTIONS[name]]
    size = draw.pick(None, None, "None", "7", "(2, 3)", "(4, 2, 3)", "0", "()")
    call = f"{name}({', '.join(parameters + ([f'size={size}'] if size else []))})"
    if draw.chance(0.5):
        bits = draw.pick("PCG64", "PCG64DXSM", "Philox", "MT19937", "SFC64")
        return f"g = np.random.Generator(np.random.{bits}({draw.pick(1, 12345)})); t = g.{call}; (t, g.random())"
    return f"g = np.random.RandomState({draw.pick(1, 99)}); t = g.{call}; (t, g.random_sample())"


def legacy(draw):
    size = draw.pick("None", "5", "(2, 3)", "0", "()", "700")
    x = draw.array(1, 2, special=0)
    call = draw.pick(
        f"rand({draw.pick('', '3', '2, 4', '0')})", f"randn({draw.pick('', '3', '2, 4', '0')})", f"random_sample({size})", f"permutation({draw.pick('6', x)})",
        f"randint({draw.pick('7', '-3, 9', '0, 256', '5, 5')}, size={size}{draw.pick('', ', dtype=np.uint8', ', dtype=bool', ', dtype=np.int16')})",
        f"choice({draw.pick('5', x)}, {size}{draw.pick('', ', replace=False', ', p=[0.1, 0.2, 0.3, 0.2, 0.2]')})", f"tomaxint({size})",
        f"multinomial(20, [0.2, 0.3, 0.5], {size})", f"dirichlet([1.0, 2.5], {size})", f"multivariate_normal([0.0, 1.0], [[2.0, 0.3], [0.3, 1.0]], {size})",
    )
    return f"g = np.random.RandomState({draw.pick(1, 2**31)}); t = g.{call}; (t, g.random_sample())"


def arrangements(draw):
    """shuffle, permuted and permutation of arrays of any layout, in place or into another one."""
    x = draw.array(1, 3, special=0)
    rank, shape = draw.last.ndim, draw.last.shape
    axis = draw.axis(rank, False)
    other = draw.give(draw.laid_out(np.zeros(shape, draw.last.dtype)))
    generator = "g = np.random.default_rng(3)"
    return draw.pick(
        f"{generator}; g.shuffle({x}, axis={axis}); ({x}, g.random())",
        f"{generator}; t = g.permuted({x}{draw.pick('', f', axis={axis}')}); (t, g.random())",
        f"{generator}; t = g.permuted({x}{draw.pick('', f', axis={axis}')}, out={other}); (t, {other}, g.random())",
        f"{generator}; t = g.permutation({x}, axis={axis}); (t, g.random())",
        f"{generator}; t = g.choice({x}, {draw.pick('4', '(2, 2)')}, axis={axis}); (t, g.random())",
    )


def strided(draw):
    x = draw.array(1, 2, special=0)
    rank = draw.last.ndim
    by = ", ".join(draw.pick("s[0]", "s[-1]", "0", "-s[0]", "2 * s[-1]") for _ in range(draw.pick(1, 2)))
    size = ", ".join(str(draw.pick(1, 2, 3)) for _ in by.split(", "))
    axis = draw.random.randrange(rank)
    return draw.pick(
        f"s = {x}.strides; np.lib.stride_tricks.as_strided({x}, ({size},), ({by},))  # inside",
        f"{x}.strides" if draw.last.size else f"{x}.shape",
        f"np.lib.stride_tricks.sliding_window_view({x}, {draw.pick(1, 2, 5)}, axis={axis})",
        f"np.lib.stride_tricks.sliding_window_view({x}, {tuple(draw.pick(1, 2) for _ in range(rank))}).sum(axis=-1)",
    )


def series(draw):
    module, prefix = draw.pick(*KINDS)
    place = f"np.polynomial.{module}.{prefix}"
    kind = draw.pick("f8", "f8", "i8", "c16")
    a, b = (draw.array(shape=(draw.pick(1, 2, 3, 5, 8),), dtype=kind, special=0) for _ in range(2))
    x = draw.array(0, 2, dtype=draw.pick("f8", "f8", "i8", "c16"), special=0.02)
    options = draw.keywords(m=["2", "0", "-1"], scl=["2.0"])
    return draw.pick(
        *(f"{place}{name}({a}, {b})" for name in ("add", "sub", "mul", "div")), f"{place}pow({a}, {draw.pick(0, 1, 2, 3)})", f"{place}val({x}, {a})",
        f"{place}int({a}{options}{draw.keywords(lbnd=['0.5'], k=['[1.0]'])})", f"{place}der({a}{options})", f"{place}vander({x}, {draw.pick(0, 1, 4)})",
        f"{place}fromroots({a})", f"{place}companion({a})", f"{place}trim({a}, {draw.pick('0', '1.0')})",
        *(f"np.{name}({a}, {b})" for name in ("polyadd", "polysub", "polymul", "polydiv")), f"np.polyval({a}, {x})", f"np.polyder({a})", f"np.polyint({a})",
    )


def scipy_functions(draw):
    x = draw.array(0, 2, dtype=draw.pick("f8", "f8", "f4", "i8"), special=0.05)
    line, other = (draw.array(shape=(draw.pick(1, 2, 5, 9, 30),), dtype=draw.pick("f8", "f8", "f4", "i8"), special=0) for _ in range(2))
    image = draw.array(shape=(draw.pick(3, 5, 8), draw.pick(2, 4, 7)), dtype=draw.pick("f8", "f4"), special=0)
    square = draw.array(shape=(4, 4), dtype="f8", special=0)
    points, others = (draw.array(shape=(draw.pick(1, 3, 6), 3), dtype="f8", special=0) for _ in range(2))
    modes = ["'reflect'", "'constant'", "'nearest'", "'mirror'", "'wrap'"]
    names = "erf erfc ndtr expit logit log_ndtr entr gamma gammaln psi i0 exp10 log1p expm1".split()
    call = draw.pick(
        *(f"special.{draw.pick(*names)}({x})" for _ in range(3)), f"special.{draw.pick('xlogy', 'xlog1py', 'rel_entr', 'kl_div', 'huber', 'beta', 'betaln')}({x}, 1.5)",
        f"special.{draw.pick('logsumexp', 'softmax', 'log_softmax')}({image}{draw.keywords(axis=['0', '1', 'None'])})",
        f"signal.{draw.pick('convolve', 'correlate', 'fftconvolve')}({line}, {other}{draw.keywords(mode=[repr('same'), repr('valid'), repr('full')])})",
        f"signal.convolve2d({image}, {square}{draw.keywords(mode=[repr('same'), repr('full')], boundary=[repr('wrap'), repr('symm')])})",
        f"ndimage.{draw.pick('gaussian_filter', 'uniform_filter', 'maximum_filter', 'minimum_filter', 'median_filter')}({image}, {draw.pick('2', '3')}{draw.keywords(mode=modes)})",
        f"ndimage.{draw.pick('sobel', 'prewitt', 'laplace')}({image}{draw.keywords(mode=modes)})", f"ndimage.convolve({image}, {square}[:3, :3]{draw.keywords(mode=modes)})",
        f"distance.cdist({points}, {others}{draw.keywords(metric=[repr(m) for m in ('euclidean', 'cityblock', 'sqeuclidean', 'cosine', 'chebyshev')])})", f"distance.pdist({points})",
        f"stats.{draw.pick('zscore', 'skew', 'kurtosis')}({image}{draw.keywords(axis=['0', '1'])})", f"stats.norm.{draw.pick('pdf', 'cdf', 'logpdf', 'sf', 'ppf')}({x})",
        f"integrate.{draw.pick('trapezoid', 'simpson', 'cumulative_trapezoid')}({image}{draw.keywords(dx=['0.5'], axis=['0'])})",
        f"linalg.{draw.pick('inv', 'det', 'pinv', 'svdvals', 'norm')}({square})", f"linalg.solve({square}, {square}[0])",
        f"linalg.{draw.pick('toeplitz', 'circulant')}({line})", f"linalg.block_diag({image}, {square})",
        f"fft.{draw.pick('fft', 'rfft', 'dct', 'ifft')}({image}{draw.keywords(axis=['0'], norm=[repr('ortho')])})",
    )
    module = call.partition(".")[0]
    return f"{'spatial.' if module == 'distance' else ''}{call}".replace(f"{module}.", f"scipy.{'spatial.' if module == 'distance' else ''}{module}.", 1).replace("spatial.scipy.", "scipy.")


def numbers(draw):
    """numpy.emath of numbers, and of arrays: the values say the type."""
    x = draw.array(0, 2, dtype=draw.pick("f8", "f8", "f4", "i8", "c16", "f2"), special=0.05)
    place = "(0,) * 0" if not draw.last.ndim else str(tuple(draw.random.randrange(n) for n in draw.last.shape)) if draw.last.size else "..."
    of = draw.pick(x, f"{x}[{place}]") if draw.last.size else x
    if draw.last.dtype == np.float64 and draw.last.size and "[" in of:
        of = draw.pick(of, f"float({of})")
    return draw.pick(*(f"np.emath.{name}({of})" for name in ("sqrt", "log", "log10", "log2", "arccos", "arcsin", "arctanh")), f"np.emath.power({of}, {draw.pick('2', '-1', '0.5')})",
                     f"np.emath.logn(2, {of})")


FORMS = {family.__name__: family for family in (elementwise, reductions, distributions, legacy, arrangements, strided, series, scipy_functions, numbers)}
