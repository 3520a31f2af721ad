"""The NumPy functions that programs are made of, as rows of text: {0}, {1} are operands.

Domains are met in the text (`np.sqrt(np.abs(x))`), because an argument outside ends in NaN, which hides differences.
`kinds` are NumPy's dtype kinds: b boolean, i signed, u unsigned, f float, c complex.
"""

UNARY = [  # template, kinds it is drawn for
    ("-{0}", "iufc"), ("abs({0})", "iufc"), ("~{0}", "biu"), ("+{0}", "iufc"),
    ("np.abs({0})", "biufc"), ("np.negative({0})", "iufc"), ("np.square({0})", "iufc"), ("np.sign({0})", "iuf"),
    ("np.sin({0})", "biufc"), ("np.cos({0})", "biufc"), ("np.tanh({0})", "iuf"), ("np.arctan({0})", "iuf"),
    ("np.exp(-np.abs({0}))", "iufc"), ("np.expm1(-np.abs({0}))", "f"), ("np.exp2(-np.abs({0}))", "f"),
    ("np.log(np.abs({0}) + 1)", "biufc"), ("np.log1p(np.abs({0}))", "iuf"), ("np.log2(np.abs({0}) + 2)", "f"),
    ("np.log10(np.abs({0}) + 2)", "f"), ("np.sqrt(np.abs({0}))", "biufc"), ("np.sqrt({0} + 0j)", "f"), ("np.cbrt({0})", "f"),
    ("np.sinh(np.clip({0}, -2, 2))", "f"), ("np.cosh(np.clip({0}, -2, 2))", "f"), ("np.tan(np.clip({0}, -1, 1))", "f"),
    ("np.arcsin(np.clip({0}, -0.9, 0.9))", "f"), ("np.arccos(np.clip({0}, -0.9, 0.9))", "f"), ("np.arcsinh({0})", "f"),
    ("np.arccosh(np.abs({0}) + 1)", "f"), ("np.arctanh(np.clip({0}, -0.9, 0.9))", "f"),
    ("np.floor({0})", "iuf"), ("np.ceil({0})", "iuf"), ("np.trunc({0})", "iuf"), ("np.rint({0})", "f"),
    ("np.round({0}, 1)", "f"), ("np.reciprocal({0})", "f"), ("np.deg2rad({0})", "f"), ("np.fabs({0})", "f"),
    ("np.isnan({0})", "fc"), ("np.isfinite({0})", "f"), ("np.signbit({0})", "f"), ("np.logical_not({0})", "biuf"),
    ("np.invert({0})", "biu"), ("np.conj({0})", "c"), ("{0}.real", "fc"), ("{0}.imag", "c"), ("np.angle({0})", "c"),
    ("{0}.conjugate()", "c"), ("np.nan_to_num({0})", "f"), ("np.ascontiguousarray({0})", "biufc"), ("{0}.copy()", "biufc"),
    ("np.arcsin({0})", "c"), ("np.arccos({0})", "c"), ("np.arctan({0} * 0.2)", "c"), ("np.arcsinh({0})", "c"), ("np.arccosh({0} + 7)", "c"),
    ("np.arctanh({0} * 0.1)", "c"), ("np.sinh({0} * 0.5)", "c"), ("np.cosh({0} * 0.5)", "c"), ("np.tanh({0} * 0.2)", "c"), ("np.log10({0} + 9)", "c"),
    ("np.log1p({0} + 9)", "c"), ("np.expm1({0} * 0.3)", "c"), ("np.reciprocal({0} + 9)", "c"),
    ("np.zeros_like({0})", "biufc"), ("np.ones_like({0})", "biufc"), ("np.full_like({0}, 2)", "iufc"),
]

BINARY = [
    ("{0} + {1}", "biufc", 8), ("{0} - {1}", "iufc", 7), ("{0} * {1}", "biufc", 8), ("{0} / {1}", "iufc", 4),
    ("{0} // {1}", "iuf", 3), ("{0} % {1}", "iuf", 3), ("{0} ** 2", "iufc", 2), ("{0} ** {1}", "iuf", 1),
    ("{0} < {1}", "biuf", 2), ("{0} <= {1}", "biuf", 1), ("{0} > {1}", "biuf", 2), ("{0} >= {1}", "biuf", 1),
    ("{0} == {1}", "biufc", 1), ("{0} != {1}", "biufc", 1), ("{0} & {1}", "biu", 2), ("{0} | {1}", "biu", 2),
    ("{0} ^ {1}", "biu", 1), ("{0} << (abs({1}) % 5)", "iu", 1), ("{0} >> (abs({1}) % 5)", "iu", 1),
    ("np.add({0}, {1})", "biufc", 2), ("np.subtract({0}, {1})", "iufc", 1), ("np.multiply({0}, {1})", "biufc", 1),
    ("np.divide({0}, {1})", "iufc", 1), ("np.floor_divide({0}, {1})", "iuf", 1), ("np.remainder({0}, {1})", "iuf", 1),
    ("np.fmod({0}, {1})", "iuf", 1), ("np.maximum({0}, {1})", "biuf", 3), ("np.minimum({0}, {1})", "biuf", 3),
    ("np.fmax({0}, {1})", "f", 1), ("np.fmin({0}, {1})", "f", 1), ("np.hypot({0}, {1})", "f", 1),
    ("np.arctan2({0}, {1})", "f", 1), ("np.copysign({0}, {1})", "f", 1), ("np.power(np.abs({0}), {1})", "f", 1),
    ("np.logaddexp({0}, {1})", "f", 1), ("np.logical_and({0}, {1})", "biuf", 1), ("np.logical_or({0}, {1})", "biuf", 1),
    ("np.logical_xor({0}, {1})", "biu", 1), ("np.bitwise_and({0}, {1})", "biu", 1), ("np.less({0}, {1})", "biuf", 1),
    ("np.equal({0}, {1})", "biuf", 1), ("np.greater_equal({0}, {1})", "biuf", 1), ("np.heaviside({0}, {1})", "f", 1),
    ("np.where({0} > {1}, {0}, {1})", "biuf", 2), ("np.clip({0}, -2, {1})", "if", 1),
]

REDUCE = [  # name, kinds, whether an empty axis has a value, spelled as a method too
    ("sum", "biufc", True, True), ("prod", "biuf", True, True), ("mean", "iufc", False, True), ("max", "biuf", False, True),
    ("min", "biuf", False, True), ("any", "biuf", True, True), ("all", "biuf", True, True), ("var", "iuf", False, True),
    ("std", "f", False, True), ("argmax", "iuf", False, True), ("argmin", "iuf", False, True), ("ptp", "if", False, False),
    ("count_nonzero", "biuf", True, False), ("median", "f", False, False), ("nansum", "f", True, False),
    ("nanmax", "f", False, False), ("amax", "if", False, False), ("average", "f", False, False),
]
NO_TUPLE_AXIS = {"argmax", "argmin"}

ACCUMULATE = [("np.cumsum({0}, axis={1})", "biufc"), ("np.cumprod(np.clip({0}, -1, 1), axis={1})", "if"),
              ("np.add.accumulate({0}, axis={1})", "iuf"), ("np.maximum.accumulate({0}, axis={1})", "iuf"),
              ("np.diff({0}, axis={1})", "iufc"), ("np.sort({0}, axis={1})", "biuf"),
              ("np.argsort({0}, axis={1}, kind='stable')", "iuf"), ("np.flip({0}, axis={1})", "biufc"),
              ("np.roll({0}, 1, axis={1})", "biufc"), ("np.roll({0}, -2, axis={1})", "biufc"),
              ("np.repeat({0}, 2, axis={1})", "biufc"), ("np.gradient({0}, axis={1})", "f"),
              ("np.add.reduce({0}, axis={1})", "iufc"), ("np.expand_dims({0}, axis={1})", "biufc"),
              ("np.take({0}, [0, -1], axis={1})", "biufc"), ("np.concatenate([{0}, {0}], axis={1})", "biufc"),
              ("np.stack([{0}, {0}], axis={1})", "biufc"), ("np.delete({0}, 0, axis={1})", "biufc")]

VIEWS = ["{0}.T", "np.transpose({0})", "{0}.ravel()", "{0}.reshape(-1)", "np.atleast_2d({0})", "np.flipud({0})",
         "{0}.swapaxes(0, -1)", "np.moveaxis({0}, 0, -1)", "np.squeeze({0})", "{0}.flatten()", "np.asarray({0})",
         "{0}.view()", "np.fliplr({0})", "np.rot90({0})", "np.diagonal({0})"]

WHOLE = [  # of one array: results whose extents depend on data or which do not fit the families above
    ("np.unique({0})", "biu", 1), ("np.nonzero({0})[0]", "biuf", 1), ("np.flatnonzero({0})", "biuf", 1),
    ("np.argwhere({0})", "biu", 1), ("np.unique({0}, return_counts=True)[1]", "biu", 1), ("np.unique({0}, return_inverse=True)[1]", "biu", 1),
    ("np.percentile({0}, 30)", "if", 1), ("np.quantile({0}, [0.25, 0.5], axis=0)", "f", 1), ("np.isin({0}, [1, 2])", "biu", 1),
    ("np.setdiff1d({0}, [1, 2])", "iu", 1), ("{0}.flat[-1]", "biufc", 1), ("{0}.flat[::2]", "biufc", 1), ("np.diag({0})", "iufc", 1), ("np.trace({0})", "iufc", 2), ("np.tril({0})", "iufc", 2),
    ("np.triu({0}, 1)", "iufc", 2), ("np.tile({0}, 2)", "biufc", 1), ("np.pad({0}, 1)", "iuf", 1),
    ("np.pad({0}, (1, 2), mode='edge')", "iuf", 1), ("np.bincount(np.abs({0}).ravel() % 9)", "i", 1), ("len({0})", "biufc", 1),
    ("{0}.size", "biufc", 0), ("{0}.ndim", "biufc", 0), ("{0}.shape[0]", "biufc", 1), ("{0}.shape[-1]", "biufc", 1),
    ("np.linalg.norm({0})", "fc", 1), ("np.histogram({0}, bins=4, range=(-4.05, 4.07))[0]", "f", 1),
    ("np.compress(np.arange({0}.shape[0]) % 2 == 0, {0}, axis=0)", "biufc", 1), ("np.outer({0}, {0})", "iufc", 1),
    ("np.searchsorted(np.sort({0}), 0.7777)", "f", 1), ("np.cov({0})", "f", 2), ("np.interp(0.37, np.arange(len({0})), {0})", "f", 1),
    ("sum({0})", "iuf", 1), ("max({0})", "iuf", 1), ("list({0})", "if", 1), ("np.einsum('ij->i', {0})", "if", 2),
]

PRODUCTS = ["{0} @ {1}", "np.dot({0}, {1})", "np.matmul({0}, {1})", "np.inner({0}, {1})", "np.vdot({0}, {1})",
            "np.tensordot({0}, {1}, axes=1)", "np.einsum('i,i->', {0}, {1})", "np.einsum('ij,j->i', {0}, {1})",
            "np.einsum('ij,jk->ik', {0}, {1})", "np.kron({0}, {1})", "np.outer({0}, {1})", "np.cross({0}, {1})"]

JOIN = ["np.concatenate([{0}, {1}])", "np.concatenate(({0}, {1}), axis=-1)", "np.stack([{0}, {1}])", "np.hstack([{0}, {1}])",
        "np.vstack([{0}, {1}])", "np.column_stack([{0}, {1}])", "np.append({0}, {1})", "np.array([{0}, {1}])"]

CREATE = ["np.zeros({0})", "np.ones({0})", "np.full({0}, 1.5)", "np.zeros({0}, dtype=np.{1})", "np.ones({0}, dtype=np.{1})",
          "np.full({0}, 3, dtype=np.{1})"]
CREATE_LINE = ["np.arange({0})", "np.arange({0}, dtype=np.{1})", "np.arange({0}) * 0.3", "np.linspace(0.1, 1.9, {0})",
               "np.arange(1, {0} + 1)", "np.linspace(-1, 2, {0}, endpoint=False)", "np.arange(0.1, {0}, 1.0)"]
