# RUN: %python %s
"""A helper with *args or **kwargs that is compiled itself was taken for the function that calls it, which cannot be compiled."""
import npcc


@npcc.jit(target="cpu")
def total(*numbers, **options):
    return sum(numbers) * options.get("scale", 1)


@npcc.jit(target="cpu")
def doubled(x):
    return total(x, 2.0, scale=2) + total(x)


assert doubled(1.5) == 8.5
assert total(1, 2) == 3
