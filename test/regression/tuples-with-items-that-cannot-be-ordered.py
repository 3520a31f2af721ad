# RUN: %python %s
"""Tuples were refused whose first items tell them apart, because others behind these cannot be ordered."""
import npcc


def in_order(words):
    groups = {}
    for word in words:
        groups.setdefault(word[0], []).append({"word": word, "length": str(len(word))})
    return [(first, len(group)) for first, group in sorted(groups.items())]


words = ["pear", "apple", "plum", "fig", "avocado"]
assert npcc.jit(in_order)(words) == in_order(words)


def smallest(numbers):
    return min((n % 3, None if n > 1 else 1.5) for n in numbers)[0]


assert npcc.jit(smallest)([5, 7, 9]) == 0
