# RUN: %python %s
"""A function that could not be compiled for the objects that it is given was compiled once for each of their integers, as if knowing one might help, and
then anew for each call with other ones."""
import npcc


class Place:
    def __init__(self, x, y):
        self.x, self.y = x, y


@npcc.jit(target="cpu")
def nearest(places, x, y):
    best = places[0]
    for place in places:
        if abs(place.x - x) + abs(place.y - y) < abs(best.x - x) + abs(best.y - y):
            best = place
    return best


places = [Place(7 * k % 31, 11 * k % 37) for k in range(40)]
before = npcc.counters()["imports"]
for k in range(4):
    assert nearest(places, k, 2 * k) is nearest.py_func(places, k, 2 * k)
    places[k].x += 1
assert npcc.counters()["imports"] - before < 12, npcc.counters()["imports"] - before
