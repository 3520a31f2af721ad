# RUN: %python %s
# pow() of three ints was an OverflowError where the square of the modulus does not fit into 64 bits.
import npcc


def power(base, exponent, modulus):
    return pow(base, exponent, modulus)


compiled = npcc.jit(power, target="cpu")
for each in [(7, 123456789, 10**18 + 9), (-5, 3, 2**62 + 1), (2**62, 2**62, 2**63 - 1), (3, -1, 10**18 + 9), (2, 100, -(10**17) - 3), (9, 0, 2**40), (7, 5, 11)]:
    assert compiled(*each) == power(*each), each
try:
    compiled(6, -1, 2**40)
except ValueError as error:
    assert str(error) == "base is not invertible for the given modulus"
else:
    raise AssertionError("no error")
