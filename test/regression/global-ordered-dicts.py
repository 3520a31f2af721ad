# RUN: %python %s
# keys(), values() and items() of a global OrderedDict were refused.
from collections import OrderedDict

import npcc

ASSETS = OrderedDict([("bonds", (0.02, 0.05)), ("stocks", (0.07, 0.18))])


def shown(n):
    return [mean for mean, _ in ASSETS.values()], list(ASSETS), {name: pair[0] * n for name, pair in ASSETS.items()}, ASSETS["bonds"], len(ASSETS)


assert npcc.jit(target="cpu")(shown)(2) == shown(2)
