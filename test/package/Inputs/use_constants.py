"""Uses the module of default-constants.py."""
import sys

sys.path.insert(0, sys.argv[1])
import numpy as np

import constants

assert constants.TWICE.tolist() == [2, 2, 2]
assert constants.scaled(np.ones(2)).tolist() == [2, 2]
assert constants.scaled(np.ones(2), k=3.0).tolist() == [3, 3]
assert constants.total(np.ones((2, 3))).tolist() == [4, 4] == constants.total(np.ones((2, 3)), axis=1).tolist()
assert type(constants.helper).__name__ == "Function" and constants.helper(np.ones(2)).tolist() == [2, 2], "inferred from the call"
for call, text in ((lambda: constants.total(np.ones((2, 3)), axis=0), "total(float64[:,:], int)"),
                   (lambda: constants.scaled(np.ones(2), mode="x"), "scaled(float64[:], float, 'x')")):
    try:
        call()
    except TypeError as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)
