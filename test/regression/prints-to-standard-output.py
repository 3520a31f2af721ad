# RUN: %python %s
"""print(file=sys.stdout) writes where print() does, also where sys.stdout is another stream when the function is called."""
import contextlib
import io
import sys

import npcc


def show(n):
    print("a", n, sep="-", file=sys.stdout, flush=True)
    print("b", n, file=None)


compiled = npcc.jit(show)
for n in (1, 2):
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        compiled(n)
    assert stream.getvalue() == f"a-{n}\nb {n}\n", stream.getvalue()
