"""The compiler that cannot be wrong: plain Python and NumPy. A difference found with it is a defect of the fuzzer."""


def jit(function=None, **options):
    return function if function is not None else lambda f: f
