# RUN: %python %s
"""A SyntaxError that compiled code had caught had no attribute `msg`."""
import npcc


@npcc.jit(target="cpu")
def check(text):
    try:
        if "(" in text and ")" not in text:
            raise SyntaxError(f"'(' was never closed: {text}")
        return "fine"
    except SyntaxError as error:
        return error.msg


assert check("f(x") == "'(' was never closed: f(x" and check("f(x)") == "fine"
