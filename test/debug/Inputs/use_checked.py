import sys
import traceback

sys.path.insert(0, sys.argv[1])
import checked  # noqa: E402
import numpy as np  # noqa: E402

assert checked.roots(np.array([4.0, 9.0])).tolist() == [2.0, 3.0]
try:
    checked.roots(np.array([4.0, -9.0]))
except FloatingPointError as error:
    place = traceback.extract_tb(error.__traceback__)[-1]
    assert (place.lineno, place.name) == (14, "compiled code"), place
else:
    raise AssertionError("no error")
