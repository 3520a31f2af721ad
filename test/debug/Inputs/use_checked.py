import sys

sys.path.insert(0, sys.argv[1])
import checked  # noqa: E402
import numpy as np  # noqa: E402

assert checked.roots(np.array([4.0, 9.0])).tolist() == [2.0, 3.0]
try:
    checked.roots(np.array([4.0, -9.0]))
except FloatingPointError as error:
    assert "line 14, in compiled code" in error.__notes__[0], error.__notes__
else:
    raise AssertionError("no error")
