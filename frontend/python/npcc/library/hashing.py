"""Python's own hashes of numbers and tuples of them, which say in which order a set gives its keys."""
import numpy as np

MODULUS = 2**61 - 1
LOWEST_59 = 2**59 - 1
# The 64-bit constants of xxHash as it is used for tuples, as signed numbers.
FIRST = np.int64(-7046029288634856825)
SECOND = np.int64(-4417276706812531889)
THIRD = np.int64(2870177450012600261)
LENGTH = np.int64(3527539)


def hash_of_int(number):
    if number >= 0:
        return np.int64(number % MODULUS)
    result = -np.int64(-number % MODULUS)
    return np.int64(-2) if result == -1 else result


def hash_of_float(number):
    if not np.isfinite(number):
        return np.int64(0 if number != number else 314159 if number > 0 else -314159)
    fraction, exponent = np.frexp(number)
    rest, place = abs(float(fraction)), int(exponent)
    result = np.int64(0)
    while rest != 0.0:  # 28 bits at a time
        result = ((result << np.int64(28)) & np.int64(MODULUS)) | (result >> np.int64(33))
        rest *= 268435456.0
        place -= 28
        whole = int(rest)
        rest -= whole
        result += np.int64(whole)
        if result >= MODULUS:
            result -= np.int64(MODULUS)
    turn = place % 61 if place >= 0 else 60 - (-1 - place) % 61
    result = ((result << np.int64(turn)) & np.int64(MODULUS)) | (result >> np.int64(61 - turn))
    return -np.int64(2 if result == 1 else result) if number < 0 else result


def hash_of_complex(number):
    result = hash_of_float(number.real) + np.int64(1000003) * hash_of_float(number.imag)
    return np.int64(-2) if result == -1 else result


def hash_of_tuple(parts, text):
    result = THIRD
    for part in parts:
        result = result + python_hash(part, text) * SECOND
        result = (result << np.int64(31)) | ((result >> np.int64(33)) & np.int64(2**31 - 1))
        result = result * FIRST
    result = result + (np.int64(len(parts)) ^ (THIRD ^ LENGTH))
    return np.int64(1546275796) if result == -1 else result


def python_hash(key, text):
    """hash(key); of a string, whose hash differs from process to process, text(key)."""
    if isinstance(key, tuple):
        return hash_of_tuple(key, text)
    if isinstance(key, str):
        return text(key)
    if isinstance(key, (float, np.floating)):
        return hash_of_float(float(key))
    if isinstance(key, (complex, np.complexfloating)):
        return hash_of_complex(complex(key))
    if isinstance(key, (int, np.integer, np.bool_)):
        return hash_of_int(int(key))
    return hash(key)


def holds_text(key):
    """Whether the hash of a key differs from process to process."""
    if isinstance(key, (tuple, frozenset)):
        found = False
        for part in key:
            found = found or holds_text(part)
        return found
    return isinstance(key, str)
