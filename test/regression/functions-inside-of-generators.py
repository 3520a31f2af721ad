# RUN: %python %s
"""The `yield` and `return` of a function inside of a generator were taken for the generator's own: the compiler crashed."""
import npcc


def divisors(n):
    primes = [k for k in range(2, n + 1) if n % k == 0 and all(k % m for m in range(2, k))]

    def multiples(i):
        if i >= len(primes):
            yield 1
            return
        power = 1
        while n % power == 0:
            for rest in multiples(i + 1):
                yield power * rest
            power *= primes[i]

    for divisor in multiples(0):
        yield divisor


def sum_of_divisors(n):
    return sum(divisors(n)), sorted(d for d in divisors(n))


def halves(a):
    def half(x):
        if x % 2:
            return 3 * x + 1
        return x // 2

    def twice(x):
        yield x
        yield x

    for x in a:
        yield half(x)
        yield from twice(x)


def total(a):
    found = []
    for x in halves(a):
        found.append(x)
    return found


assert npcc.jit(total, target="cpu")([1, 2, 3]) == total([1, 2, 3])
assert npcc.jit(sum_of_divisors, target="cpu")(60) == sum_of_divisors(60)
