"""Every example program against NumPy: sizes, dtypes, layouts, and arrays on the device."""
import unittest

import numpy as np

from harness import Comparison, jit, layouts
from programs import PROGRAMS


class Programs(Comparison):
    pass


def add(name, program):
    def sizes_and_dtypes(self):
        compiled = jit(program.function)
        for dtype in program.dtypes:
            for size in program.sizes:
                with self.subTest(dtype=np.dtype(dtype).name, size=size):
                    self.compare(program.function, program.inputs(size, dtype), compiled, scale=program.scale)

    def on_the_device(self):
        compiled = jit(program.function)
        for size in program.sizes:
            with self.subTest(size=size):
                self.compare(program.function, program.inputs(size, program.dtypes[0]), compiled, on_device=True, scale=program.scale)

    def every_layout(self):
        compiled = jit(program.function)
        arguments = program.inputs(program.sizes[-2], program.dtypes[0])
        for k, argument in enumerate(arguments):
            if not isinstance(argument, np.ndarray):
                continue
            for layout, array in layouts(argument):
                with self.subTest(argument=k, layout=layout):
                    self.compare(program.function, arguments[:k] + [array] + arguments[k + 1:], compiled, scale=program.scale)

    for test in (sizes_and_dtypes, on_the_device, every_layout):
        setattr(Programs, f"test_{name.replace(' ', '_').replace('-', '_')}_{test.__name__}", test)


for name, program in PROGRAMS.items():
    add(name, program)

if __name__ == "__main__":
    unittest.main()
