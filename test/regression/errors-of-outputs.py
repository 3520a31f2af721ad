# RUN: %python %s
"""What is wrong with an output, a mask or an operand is said in NumPy's words and in NumPy's order: dtypes first, then the shapes of operands, outputs and
masks together, then the shape of an output alone; one that fits may be read-only."""
import numpy as np

import npcc


def run(function, arguments):
    arguments = [given.copy() if given.flags.writeable else given for given in arguments]
    try:
        return function(*arguments), arguments
    except Exception as error:
        # NumPy's UFuncTypeError is a private class, of which npcc raises the public one.
        kind = TypeError if "UFuncTypeError" in type(error).__name__ else type(error)
        return kind.__name__, str(error)


def added_in_place(a, b, out):
    a += b
    return a


CASES = {
    "sum_into": (lambda a, b, out: np.add(a, b, out=out),
        [((2, 3), (3, 3), (2, 3)), ((3,), (3, 3), (3,)), ((3,), (3,), (1, 3)), ((2, 3), (2, 3), (1, 3)), ((1, 3), (1, 3), (2, 3))]),
    "clipped_into": (lambda a, b, out: np.clip(a, b, 3, out=out), [((3, 3), (2, 2, 3), (3, 3)), ((3,), (3,), (2, 3)), ((2, 3), (3,), (3,))]),
    "parts_into": (lambda a, first, second: np.divmod(a, 2, out=(first, second)), [((3,), (3,), (2,)), ((2, 3), (2, 3), (3,)), ((3,), (3,), (3,))]),
    "applied_into": (lambda a, b, out: np.matvec(a, b, out=out),
        [((1, 3), (1, 3), (1, 3)), ((2, 2, 3), (3, 3), (2, 2)), ((2, 2, 3), (3,), (2,)), ((2, 2, 3), (3,), (1, 2))]),
    "multiplied_into": (lambda a, b, out: np.matmul(a, b, out=out),
        [((2, 2, 3), (3, 3, 2), (2, 2, 2)), ((2, 3), (3, 2), (2, 3)), ((2, 3), (3, 2), (4, 2, 2)), ((2, 2, 3), (3, 2), (2, 2))]),
    "folded_into": (lambda a, b, out: np.add.reduceat(a, [0, 1], out=out),
        [((3, 2), (1,), (3, 2)), ((3, 2), (1,), (2,)), ((3, 3), (1,), (1, 3)), ((3, 2), (1,), (2, 2))]),
    "totals_into": (lambda a, b, out: np.cumsum(a, axis=0, out=out), [((3, 2), (1,), (2, 2)), ((3, 2), (1,), (3, 1)), ((3, 2), (1,), (2,))]),
    "least_into": (lambda a, b, out: np.min(a, axis=0, out=out), [((0, 3), (1,), (1, 3)), ((0, 3), (1,), (3,)), ((2, 3), (1,), (2,))]),
    "kept_into": (lambda a, b, out: np.max(a, axis=None, keepdims=True, out=out), [((3, 2), (1,), (3, 3)), ((3, 2), (1,), (3, 2)), ((3, 2), (1,), (1, 1))]),
    "medians_into": (lambda a, b, out: np.median(a, axis=1, keepdims=True, out=out), [((3, 4), (1,), (3, 3)), ((3, 4), (1,), (3, 1))]),
    "quantiles_into": (lambda a, b, out: np.quantile(a, 0.5, axis=0, out=out), [((3, 4), (1,), (3,)), ((3, 4), (1,), (4,)), ((3, 4), (1,), (2, 4))]),
    "taken_into": (lambda a, b, out: np.take(a, [0, 9], axis=0, out=out), [((3, 4), (1,), (3, 4)), ((3, 4), (1,), (2, 4)), ((0, 4), (1,), (1, 4))]),
    "traced_into": (lambda a, b, out: np.einsum("ij,jk->ik", a, b, out=out), [((2, 3), (3, 4), (2, 3)), ((2, 3), (3, 4), (2,)), ((2, 3), (3, 4), (2, 4))]),
    "rounded_into": (lambda a, b, out: np.round(a, 1, out=out), [((2, 3), (3, 4), (2, 4)), ((2, 3), (3, 4), (2, 3))]),
    "added_in_place": (added_in_place, [((3,), (3, 2), (1,))]),
    "chosen_sum": (lambda a, mask, out: np.sum(a, axis=0, where=mask > 1), [((2, 3), (4, 3), (3,)), ((1, 3), (2, 3), (3,))]),
    "numbers_into": (lambda a, b, out: np.nanmax(a, axis=0, out=out), [((3, 3), (1,), (2,)), ((3, 3), (1,), (3,))]),
    "stored_where": (lambda a, b, out: np.copyto(out, a, where=b > 0),
        [((3, 3), (3, 3), (3,)), ((2, 2, 3), (2, 1), (3, 3)), ((2, 1), (2,), (2, 3)), ((3,), (2, 1), (2, 3))]),
}


def where_it_holds(a, b, out, mask):
    return np.less(a, b, out=out, where=mask)


def heavy(a, b, out, mask):
    return np.heaviside(a, b, out=out, where=mask)


def array(shape, dtype=float, step=1):
    return (np.arange(int(np.prod(shape))).reshape(shape) * step % 5 + 1).astype(dtype)


for name, (function, shapes) in CASES.items():
    compiled = npcc.jit(target="cpu")(function)
    for first, second, third in shapes:
        for dtype in (float, np.int64):
            given = [array(first), array(second), array(third, dtype)]
            expected, found = run(function, given), run(compiled, given)
            assert type(expected[0]) is type(found[0]) and str(expected) == str(found), (name, first, second, third, dtype, expected, found)
        if isinstance(run(function, [array(first), array(second), array(third)])[0], np.ndarray):
            fixed = array(third)
            fixed.flags.writeable = False
            given = [array(first), array(second), fixed]
            assert str(run(function, given)) == str(run(compiled, given)), (name, "read-only", run(function, given), run(compiled, given))

for function in (where_it_holds, heavy):
    compiled = npcc.jit(target="cpu")(function)
    for shapes in (((3, 3), (3, 3), (3, 3), (2, 1)), ((2,), (2,), (1,), (2, 2, 3)), ((3, 3), (0, 3), (3, 3), (3, 3)), ((2, 3), (3,), (2, 3), (3,)),
                   ((3,), (3,), (1, 3), (2, 3))):
        given = [array(shape) for shape in shapes[:3]] + [array(shapes[3]) > 2]
        assert str(run(function, given)) == str(run(compiled, given)), (function.__name__, shapes, run(function, given), run(compiled, given))
    given = [array(3), array(3), array(3), array(3)]
    assert run(function, given) == run(compiled, given)
