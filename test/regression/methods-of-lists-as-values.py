# RUN: %python %s
"""A list's method that has a name (`push = stack.append`) went on with the list as it was when it got the name: what loops appended was not there."""
import npcc


@npcc.jit(target="cpu")
def evaluated(texts):
    stack = []
    push, pop = stack.append, stack.pop
    for word in texts.split():
        if word == "+":
            push(pop() + pop())
        else:
            push(float(word))
    return stack


def each(function, items):
    for item in items:
        function(item)


@npcc.jit(target="cpu")
def appended(n):
    found, counts = [], {"all": 0}
    look_up = counts.get
    each(found.append, range(n))
    found.append(-1)
    counts["more"] = n
    return found, found.index(-1), look_up("more"), look_up("none")


assert evaluated("1 2 + 4 5 + 7") == [3.0, 9.0, 7.0]
assert appended(3) == appended.py_func(3)
