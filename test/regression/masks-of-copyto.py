# RUN: %python %s
"""np.copyto() took masks that are arrays of numbers; NumPy casts none of them to bool, but lists of numbers."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def copied(a, where):
    np.copyto(a, 5.0, where=where)
    return a.tolist()


@npcc.jit(target="cpu")
def copied_by_list(a):
    np.copyto(a, 5.0, where=[1, 0, 1])
    return a.tolist()


assert copied(np.zeros(3), np.array([True, False, True])) == copied_by_list(np.zeros(3)) == [5, 0, 5]
for mask, what in ((np.array([1, 0, 1]), "array data"), (np.array(1), "scalar")):
    try:
        copied(np.zeros(3), mask)
        assert False, "no error"
    except TypeError as error:
        assert str(error) == f"Cannot cast {what} from dtype('int64') to dtype('bool') according to the rule 'safe'", error


# A Python number takes the array's dtype, under a mask too; it was int64.
@npcc.jit(target="cpu")
def numbers(a, where):
    np.copyto(a, 7, where=where)
    return a.tolist()


for dtype in (np.uint8, np.uint32, np.int8, np.float32, np.complex64):
    assert numbers(np.zeros(3, dtype), np.array([True, False, True])) == [7, 0, 7]
try:
    npcc.jit(target="cpu")(lambda a, where: np.copyto(a, 300, where=where))(np.zeros(3, np.uint8), np.array([True, False, True]))
    assert False, "no error"
except OverflowError as error:
    assert str(error) == "Python integer 300 out of bounds for uint8", error
