"""Uses the module of module-without-npcc.py where there is no npcc."""
import sys
import traceback

sys.path.insert(0, sys.argv[1])
import numpy as np

import shapes

assert "npcc" not in sys.modules
assert shapes.SIDE == 3 and shapes.area.__doc__ == "Areas." and shapes.describe.__doc__ == "Stays."
assert shapes.area(np.ones(2)).tolist() == [4, 4], "the default is evaluated in the module"
assert shapes.area(height=2.0, width=np.arange(3.0)).tolist() == [0, 2, 4]
assert shapes.area.signatures == ("area(float64[:], float)",)
try:
    shapes.describe(1)
except ValueError as error:
    assert str(error) == "line of the script, 1.0"
    assert traceback.extract_tb(error.__traceback__)[-1].filename.endswith("module-without-npcc.py")
header = open(sys.argv[1] + "/shapes.h").read()
assert "int32_t area(const npcc_array *width, double height, npcc_array *result);" in header, header
