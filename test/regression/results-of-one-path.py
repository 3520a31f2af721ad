# RUN: %python %s
"""What Python gets of a list was made of it on the paths on which there was none."""
import npcc


def way(n, limit):
    before = {(0, n): None, (1, n): (0, n), (2, n): (1, n)}
    if n > limit:
        return None, n
    steps = []
    here = (2, n)
    while here:
        steps.append(here)
        here = before[here]
    return steps, n


for target in ("cpu", "debug"):
    compiled = npcc.jit(target=target)(way)
    for n in (3, 8):
        assert compiled(n, 5) == way(n, 5)
