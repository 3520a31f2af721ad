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
