# RUN: %python %s
"""What zip(), enumerate(), reversed(), map() and filter() give was gone over from its beginning again, wherever it was used, and next() of it was an
error."""
import npcc


def twice(a):
    pairs, numbered, back = zip(a, a), enumerate(a, 3), reversed(a)
    changed, chosen = map(abs, a), filter(lambda x: x > 1, a)
    return (list(pairs), list(pairs), list(numbered), list(numbered), list(back), list(back), list(changed), list(changed), sum(chosen), sum(chosen))


def left_and_gone_on(a):
    total = 0
    numbered = enumerate(a)
    for k, x in numbered:
        if x > 2:
            break
        total += x
    for k, x in numbered:
        total += 100 * k
    return total


def one_by_one(a):
    pairs, back, changed = zip(a, a), reversed(a), map(lambda x: x + 1, a)
    number = next(changed) * next(back)
    for x in changed:
        number = 10 * number + x
    return next(pairs), list(pairs), next(pairs, None), list(back), number


def in_a_function(a):
    def first(of):
        return next(of)

    pairs = zip(a, a)
    return first(pairs), first(pairs)


def in_a_loop(a, n):
    numbered = enumerate(a)
    found = []
    for _ in range(n):
        for k, x in numbered:
            found.append(k + x)
    return found


def past_the_end(a):
    pairs = zip(a, [1])
    next(pairs)
    return next(pairs)


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except StopIteration as error:
        return type(error), error.args


numbers = [1, 2, 3, 4]
for function in (twice, left_and_gone_on, one_by_one, in_a_function, past_the_end):
    assert outcome(npcc.jit(function, target="cpu"), numbers) == outcome(function, numbers), function.__name__
assert npcc.jit(in_a_loop, target="cpu")(numbers, 3) == in_a_loop(numbers, 3)
