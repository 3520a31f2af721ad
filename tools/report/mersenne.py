"""The characteristic polynomial of MT19937, whose powers of x runtime/random/MersenneJump.cpp has: found from the generator's own words by the
algorithm of Berlekamp and Massey, and compared with the file.

    python3 tools/report/mersenne.py
"""
import os
import re
import sys

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEGREE, STATE, MIDDLE = 19937, 624, 397


def highest_bits(count):
    """Of the words that the recurrence makes of NumPy's state."""
    words = [int(word) for word in np.random.MT19937(12345).state["state"]["key"]]
    for k in range(count):
        joined = (words[k] & 0x80000000) | (words[k + 1] & 0x7FFFFFFF)
        words.append(words[k + MIDDLE] ^ joined >> 1 ^ (0x9908B0DF if joined & 1 else 0))
    return [word >> 31 for word in words[STATE:]]


def shortest_recurrence(bits):
    """The length L, and the coefficients c of bit n = sum of c_i * bit n - i for i from 1 to L, as an integer with c_0 = 1."""
    current, earlier, length, shift, window = 1, 1, 0, 1, 0
    for n, bit in enumerate(bits):
        window = (window << 1 | bit) & ((1 << (DEGREE + 64)) - 1)
        if not (current & window).bit_count() & 1:
            shift += 1
            continue
        before = current
        current ^= earlier << shift
        if 2 * length <= n:
            length, earlier, shift = n + 1 - length, before, 1
        else:
            shift += 1
    return length, current


def powers():
    length, coefficients = shortest_recurrence(highest_bits(2 * DEGREE + 200))
    assert length == DEGREE
    return [length - i for i in range(length, -1, -1) if coefficients >> i & 1]


def main():
    with open(os.path.join(ROOT, "runtime", "random", "MersenneJump.cpp"), encoding="utf-8") as file:
        table = re.search(r"powers\[\] = \{(.*?)\}", file.read(), re.DOTALL).group(1)
    written = [int(word) for word in table.replace("\n", " ").split(",")]
    found = powers()
    if written + [DEGREE] != found:
        sys.exit(f"runtime/random/MersenneJump.cpp has other powers than {found}")
    print(f"{len(found)} powers, as written")


if __name__ == "__main__":
    main()
