"""Numbers as text and text as numbers."""

import numpy as np

from . import implements

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@implements(np.base_repr)
def base_repr(number, base=2, padding=0):
    if base > len(DIGITS):
        raise ValueError("Bases greater than 36 not handled in base_repr.")
    if base < 2:
        raise ValueError("Bases less than 2 not handled in base_repr.")
    rest = abs(int(number))
    text = "0" if rest == 0 and padding == 0 else ""
    while rest > 0:
        text = DIGITS[rest % base] + text
        rest = rest // base
    text = "0" * padding + text
    return "-" + text if number < 0 else text


def digits_as_wide(digits, width, filled_with):
    """The digits of a number, at least `width` of them where that is no None. ValueError if there are more."""
    if width is None:
        return digits
    if len(digits) > width:
        raise ValueError(f"Insufficient bit width={width} provided for binwidth={len(digits)}")
    return filled_with * (width - len(digits)) + digits


@implements(np.binary_repr)
def binary_repr(num, width=None):
    if num == 0:
        return "0" * (1 if width is None else max(width, 1))
    if num > 0:
        return digits_as_wide(f"{num:b}", width, "0")
    if width is None:
        return f"-{-num:b}"
    # Two's complement: as many digits as those of -num - 1, and the sign's.
    digits = len(f"{-num - 1:b}") if num < -1 else 0
    return digits_as_wide(f"{(1 << (digits + 1)) + num:b}", width, "1")


@implements(np.fromstring)
def fromstring(string, dtype=float, count=-1, *, sep=""):
    """Numbers with separators between them; blanks around a separator and the last separator mean nothing."""
    between = sep.strip()
    if sep == "":
        raise ValueError("The binary mode of fromstring is removed, use frombuffer instead")
    parts = string.split() if between == "" else string.split(between)
    # What stands behind the last separator may be nothing.
    known = len(parts) - 1 if len(parts) > 0 and parts[-1].strip() == "" else len(parts)
    size = known if count < 0 else min(known, count)
    values = np.empty(size, dtype)
    try:
        for k in range(size):
            values[k] = int(parts[k]) if values.dtype.kind in "iu" else float(parts[k])
    except ValueError:
        raise ValueError("string or file could not be read to its end due to unmatched data")
    return values
