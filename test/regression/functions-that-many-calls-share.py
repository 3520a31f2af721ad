# RUN: %python %s
# A function that many calls lead to was compiled anew for each of them: one of 60 lines, an integrator in an optimizer, took more than a minute. Where
# most of a large function is such copies, all calls share one function of the module. Where that cannot be, the copies stay.
import numpy as np

import npcc

TABLE = np.linspace(0.0, 1.0, 1000)


def rates(y, k):
    a = y[0] * k
    b = y[1] * k
    for step in range(3):
        a = a - 0.1 * b
        if a > 2.0:
            a = a / 2
        b = b + 0.1 * a
    if b > a:
        a, b = b, a
    return np.array([a, -b])


def rates_of_table(y, k):
    changed = rates(y, k)
    return changed + TABLE[int(k * 10)]


def step(f, y, k, h):
    first = f(y, k)
    second = f(y + h / 2 * first, k)
    third = f(y + h / 2 * second, k)
    return y + h / 6 * (first + 4 * second + f(y + h * third, k))


def loss(f, k, times):
    y = np.array([1.0, 0.5])
    total = 0.0
    for time in range(times):
        y = step(f, y, k, 0.1)
        y = step(f, y, k / 2, 0.05)
        if time % 2 == 0:
            total += y[0] ** 2
        else:
            total += y[1] ** 2
    return total


def smallest(f, low, high, rounds):
    best = min(loss(f, low, 2), loss(f, high, 2))
    for _ in range(rounds):
        third = (high - low) / 3
        left, right = loss(f, low + third, 3), loss(f, high - third, 3)
        if left < right:
            high = high - third
            best = min(best, loss(f, low, 4), loss(f, high, 4))
        elif left > right:
            low = low + third
            best = min(best, loss(f, low, 5), loss(f, high, 5))
        else:
            best = min(best, loss(f, (low + high) / 2, 6))
        if loss(f, low, 1) > loss(f, high, 1):
            best = best + loss(f, low, 2) - loss(f, high, 2)
    return low, high, best


def fitted(low, high):
    first = smallest(rates, low, high, 3), smallest(rates, low / 2, high, 2), smallest(rates, low, high * 2, 4)
    second = smallest(rates, low / 3, high, 3), smallest(rates, low, high / 2, 2), smallest(rates, low * 2, high, 1)
    return first + second


def fitted_to_table(low, high):
    first = smallest(rates_of_table, low, high, 3), smallest(rates_of_table, low / 2, high, 2)
    return first + (smallest(rates_of_table, low, high * 2, 4), smallest(rates_of_table, low, high / 2, 1))


for function in fitted, fitted_to_table:
    compiled = npcc.jit(function)
    assert np.allclose(compiled(0.5, 2.0), function(0.5, 2.0)), function.__name__
text = npcc.jit(fitted).inspect("np", "float, float")
assert text.count("func.func private @fitted.") == 1 and text.count("call @fitted.") > 20, text.count("call @fitted.")
