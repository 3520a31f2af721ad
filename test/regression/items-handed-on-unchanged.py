# RUN: %python %s
"""Lists that a set or dict takes from a display were taken apart on the way into it."""
import npcc


@npcc.jit(target="cpu")
def both(n):
    first, second = [n], [n, n]
    kept = {"a": first}
    kept.update([("b", second), ("c", first)])
    first.append(7)
    kept["b"].append(8)
    return kept["c"], kept["b"], second, sum(len(one) for one in kept.values())


assert both(3) == both.py_func(3), both(3)
