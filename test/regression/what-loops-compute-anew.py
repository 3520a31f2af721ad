# RUN: %python %s
"""A maximum that stays the same was computed in each iteration, by a kernel of its own, and kept the loop from being a kernel of rows. It is computed
before the loop now; NumPy's errors come when the loop runs, and only then."""
import numpy as np

import npcc


@npcc.jit(target="cpu")
def shrink(x, y, n):
    for _ in range(n):
        y = y * 0.5 + x.max() + (x * x).sum()
    return y


x, y = np.arange(5.0), np.ones(3)
assert np.array_equal(shrink(x, y, 3), shrink.py_func(x, y, 3))
assert np.array_equal(shrink(np.zeros(0), y, 0), y)
try:
    shrink(np.zeros(0), y, 1)
    assert False
except ValueError as error:
    assert str(error) == "zero-size array to reduction operation maximum which has no identity"


@npcc.jit(target="cpu")
def changed(x, part, n):
    """Stores to what may be a part of the array that is summed."""
    total = 0.0
    for k in range(n):
        total += x.sum()
        part[k] = total
    return total


for whole in (True, False):
    mine, theirs = np.arange(6.0), np.arange(6.0)
    found = changed(mine, mine[2:] if whole else np.zeros(4), 3)
    assert found == changed.py_func(theirs, theirs[2:] if whole else np.zeros(4), 3) and np.array_equal(mine, theirs)


@npcc.jit(target="cpu")
def search(x, limit):
    """A while loop, whose condition asks each time."""
    count = 0
    while x.sum() * 2.0 ** count < limit:
        count += 1
    return count


assert search(np.ones(3), 100.0) == search.py_func(np.ones(3), 100.0)


@npcc.jit(target="cuda")
def agents(rewards, noise):
    value = np.zeros((noise.shape[1], rewards.shape[0]))
    regret = np.zeros(noise.shape[1])
    for t in range(noise.shape[0]):
        arm = (value + noise[t][:, None]).argmax(axis=1)
        value = value + (np.arange(rewards.shape[0])[None, :] == arm[:, None]) * rewards[arm][:, None]
        regret = regret + rewards.max() - rewards[arm]
    return regret


text = str(agents.explain(np.ones(4), np.ones((20, 1000))))
assert "a loop of the host run by rows: each team of threads has its own" in text, text
