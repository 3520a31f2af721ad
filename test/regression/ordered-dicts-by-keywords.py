# RUN: %python %s
# OrderedDict() with keywords was refused.
from collections import OrderedDict

import npcc


def shares(a, b):
    parts = OrderedDict([("rest", 1.0)], first=a, second=b)
    parts.move_to_end("rest")
    total = sum(parts.values())
    return parts, OrderedDict(one=a), {name: part / total for name, part in parts.items()}


assert npcc.jit(target="cpu")(shares)(2.0, 5.0) == shares(2.0, 5.0)
