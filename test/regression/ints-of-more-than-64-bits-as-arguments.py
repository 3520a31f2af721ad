# RUN: %python %s
"""An int argument that 64 bits do not hold was an OverflowError; it is an object of Python's own."""
import npcc


@npcc.jit(target="cpu")
def successor(x):
    return x + 1, x % 10


@npcc.jit(target="cpu")
def power(base, exponent, modulus):
    result = 1
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent //= 2
    return result


@npcc.jit(target="cpu")
def total(numbers):
    return sum(numbers)


assert successor(2**70) == (2**70 + 1, 4)
assert successor(3) == (4, 3)
assert power(3, 12345, 2**89 - 1) == pow(3, 12345, 2**89 - 1)
assert total([2**65, 1]) == 2**65 + 1
