# RUN: %python %s
"""A recursive function that gave an int on one path and a float on another gave floats alone (4.0 for 4); a loop over one of two lists was not taken in
one; and a recursive function whose body could not be compiled counted as compiled when its error had been met before: it gave 0."""
import npcc

EVEN, ODD = [0, 2, 4, 6, 8], [1, 3, 5, 7, 9]


def of_the_middle(a, low, middle):
    best, total = float("-inf"), 0
    for k in range(middle, low - 1, -1):
        total += a[k]
        if total > best:
            best = total
    return best


def largest(a, low, high):
    if low == high:
        return a[low]
    middle = (low + high) // 2
    left, right, both = largest(a, low, middle), largest(a, middle + 1, high), of_the_middle(a, low, middle)
    if left >= right and left >= both:
        return left
    return right if right >= both else both


def largest_and_where(a, low, high):
    if low == high:
        return low, a[low]
    middle = (low + high) // 2
    (i, left), (j, right), both = largest_and_where(a, low, middle), largest_and_where(a, middle + 1, high), of_the_middle(a, low, middle)
    if left >= right and left >= both:
        return i, left
    return (j, right) if right >= both else (middle, both)


def maybe(k):
    if k == 0:
        return None
    if k == 1:
        return 3
    below = maybe(k - 1)
    return 0.5 if below is None else below


def reversible(left, remainder, digits, length):
    if left == 0:
        if digits[0] == 0 or digits[-1] == 0:
            return 0
        for k in range(length // 2 - 1, -1, -1):
            remainder += digits[k] + digits[length - k - 1]
            if remainder % 2 == 0:
                return 0
            remainder //= 10
        return 1
    if left == 1:
        if remainder % 2 == 0:
            return 0
        found = 0
        for digit in range(10):
            digits[length // 2] = digit
            found += reversible(0, (remainder + 2 * digit) // 10, digits, length)
        return found
    found = 0
    for first in range(10):
        digits[(length + left) // 2 - 1] = first
        other = ODD if (remainder + first) % 2 == 0 else EVEN
        for second in other:
            digits[(length - left) // 2] = second
            found += reversible(left - 2, (remainder + first + second) // 10, digits, length)
    return found


def all_reversible(n):
    return [reversible(length, 0, [0] * length, length) for length in range(1, n + 1)]


for function, *arguments in (
    (largest, [1, -2, 3, 4], 0, 3),
    (largest, [1.5, -2.0, 3.0], 0, 2),
    (largest_and_where, [1, -2, 3, 4], 0, 3),
    (maybe, 0),
    (maybe, 3),
    (all_reversible, 3),
):
    result, expected = npcc.jit(function, target="cpu", cache=False)(*arguments), function(*arguments)
    assert repr(result) == repr(expected), (function.__name__, arguments, result, expected)
