# RUN: %python %s
# What is a list or None, or a tuple of one length or another, was refused or had npcc's own words in comprehensions, enumerate(), zip(), sum() and set().
import npcc


def found(n):
    steps = []
    while len(steps) < n:
        steps.append(len(steps) * 2)
        if len(steps) == 7:
            return None, 7
    return steps, n


def numbers(n):
    steps, _ = found(n)
    return len(set(steps)), sum(steps), [a + b for a, b in zip(steps, steps[1:])], [k * s for k, s in enumerate(steps)]


def collected(n):
    return sum(found(n)[0])


def listed(n):
    return [step for step in found(n)[0]]


def joined(n):
    return list(zip(found(n)[0], range(n)))


def counted(n):
    return list(enumerate(found(n)[0]))


def looped(n):
    for step in found(n)[0]:
        n += step
    return n


def outcome(function, n):
    try:
        return function(n)
    except TypeError as error:
        return str(error)


for function in numbers, collected, listed, joined, counted, looped:
    for n in 3, 7:
        assert outcome(npcc.jit(function), n) == outcome(function, n), (function, n, outcome(npcc.jit(function), n))
assert outcome(looped, 7) == "'NoneType' object is not iterable"


class Task:
    def __init__(self, name, after):
        self.name = name
        self.after = after


def waiting(rows):
    tasks = {name: Task(name, tuple(after)) for name, after in rows}
    return {name: [before + "!" for before in tasks[name].after] for name in sorted(tasks)}, [
        (name, before) for name in tasks for before in tasks[name].after
    ]


rows = [("a", []), ("b", ["a"]), ("c", ["a", "b"])]
assert npcc.jit(waiting)(rows) == waiting(rows)
