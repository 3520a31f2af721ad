# RUN: %python %s
"""`is_integer()` of an infinity was True."""
import npcc


def whole(x):
    return x.is_integer()


compiled = npcc.jit(whole, target="cpu")
for x in (2.0, -2.5, float("inf"), -float("inf"), float("nan"), 0.0, 1e300):
    assert compiled(x) is whole(x), x
