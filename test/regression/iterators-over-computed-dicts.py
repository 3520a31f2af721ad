# RUN: %python %s
"""iter() of a dict with computed keys asked it for the keys 0, 1, 2, ..."""
import npcc


class Cache:
    def __init__(self, size):
        self.size, self.data = size, {}

    def put(self, key, value):
        self.data.pop(key, None)
        if len(self.data) == self.size:
            del self.data[next(iter(self.data))]
        self.data[key] = value


@npcc.jit(target="cpu")
def used(keys):
    cache = Cache(2)
    for key in keys:
        cache.put(key, key * 2)
    places = iter({key % 3 for key in keys})
    return cache.data, [key for key in iter(cache.data)], next(places)


assert used([3, 1, 2, 3]) == used.py_func([3, 1, 2, 3])
