# RUN: npcc run --target cpu --after 0.05 %s | FileCheck %s
"""A function whose arguments are compiled for in one way, then in another, and in none in the end: the script goes on in Python."""
import time


class Place:
    def __init__(self, x, y):
        self.x, self.y = x, y


def distance(p, q):
    return abs(p.x - q.x) + abs(p.y - q.y)


def nearest(places, p):
    best = places[0]
    for q in places:
        if distance(p, q) < distance(p, best):
            best = q
    return best


if __name__ == "__main__":
    places = [Place(k * 7 % 31, k * 11 % 37) for k in range(40)]
    found, end = set(), time.monotonic() + 1.5
    while time.monotonic() < end:
        found.add(nearest(places, Place(3, 5)).x)
    print(found)

# CHECK: {5}
