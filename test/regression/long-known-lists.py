# RUN: %python %s
"""Lists of a known length were values item by item at any length: a sieve of 10,000 numbers took 6 s to compile, of 1,000,000 minutes."""
import npcc


def sieve():
    n = 1_000_000
    is_prime = [True] * n
    is_prime[0] = is_prime[1] = False
    for i in range(2, 1001):
        if is_prime[i]:
            for j in range(i * i, n, i):
                is_prime[j] = False
    return sum(is_prime)


def products():
    table = [[0] * 300 for _ in range(300)]
    for i in range(300):
        for j in range(300):
            table[i][j] = i * j
    return table[299][299], sum(table[17])


def squares():
    found = {i: i * i for i in range(1000)}
    return found[31], len(found)


for function in sieve, products, squares:
    assert npcc.jit(function, target="cpu", cache=False)() == function(), function.__name__
