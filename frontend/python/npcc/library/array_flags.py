"""How an array lies in memory, and whether it may be stored into: what `a.flags` gives, as a class that is compiled with the functions that use it."""

import numpy as np

from . import implements
from .containers import SEEN_AS
from .routines import is_contiguous, is_read_only

# NumPy's names of the flags, as indices: the first in full, the second short.
NAMES = {
    "C_CONTIGUOUS": "c_contiguous", "C": "c_contiguous", "CONTIGUOUS": "c_contiguous",
    "F_CONTIGUOUS": "f_contiguous", "F": "f_contiguous", "FORTRAN": "f_contiguous",
    "WRITEABLE": "writeable", "W": "writeable", "ALIGNED": "aligned", "A": "aligned",
    "WRITEBACKIFCOPY": "writebackifcopy", "X": "writebackifcopy", "OWNDATA": "owndata", "O": "owndata",
    "FNC": "fnc", "FORC": "forc", "BEHAVED": "behaved", "B": "behaved", "CARRAY": "carray", "CA": "carray", "FARRAY": "farray", "FA": "farray",
}


class Flags:
    def __init__(self, array):
        self.array = array

    @property
    def c_contiguous(self):
        return is_contiguous(self.array, "C")

    @property
    def f_contiguous(self):
        return is_contiguous(self.array, "F")

    @property
    def contiguous(self):
        return is_contiguous(self.array, "C")

    @property
    def fortran(self):
        return is_contiguous(self.array, "F")

    @property
    def fnc(self):
        return is_contiguous(self.array, "F") and not is_contiguous(self.array, "C")

    @property
    def forc(self):
        return is_contiguous(self.array, "F") or is_contiguous(self.array, "C")

    @property
    def writeable(self):
        return not is_read_only(self.array)

    @writeable.setter
    def writeable(self, value):
        raise NotImplementedError("whether an array may be stored into is set outside of compiled code")

    @property
    def aligned(self):
        return True

    @property
    def writebackifcopy(self):
        return False

    @property
    def owndata(self):
        raise NotImplementedError("whose the memory of an array is cannot be asked in compiled code")

    @property
    def behaved(self):
        return self.writeable

    @property
    def carray(self):
        return is_contiguous(self.array, "C") and self.writeable

    @property
    def farray(self):
        return not is_contiguous(self.array, "C")  # and aligned, which is enough for NumPy

    def __getitem__(self, name):
        if not isinstance(name, str) or name not in NAMES:
            raise KeyError("Unknown flag")
        return getattr(self, NAMES[name])


SEEN_AS[Flags] = type(np.zeros(0).flags)


def flags_of(array):
    return Flags(array)


@implements(np.isfortran)
def isfortran(a):
    return a.flags.fnc
