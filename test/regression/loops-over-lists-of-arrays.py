# RUN: %python %s
"""A loop over arrays of a list is a loop where an iteration is much code, whatever shapes the arrays have. It was an iteration's code for each array:
a list of 25 took a minute to compile."""
import numpy as np

import npcc


def score(x, k):
    for _ in range(2):
        x = np.linalg.solve(np.eye(3) + 0.1 * x[:3, None], x[:3]) + np.linalg.inv(np.eye(3) * (2 + k)) @ x[:3]
        x = np.concatenate([x, np.sort(x)[:1]])
    return np.median(x) + np.linalg.det(np.outer(x[:3], x[:3]) + np.eye(3))


def scores(frames, weights):
    found = []
    for frame in frames:
        found.append(score(frame, 1.0))
        frame[0] = 7.0
    for k, frame in enumerate(frames):
        found.append(score(frame, k))
        frame[1] += k
    for frame, weight in zip(frames, weights):
        found.append(score(frame, weight))
    return found


def size_of_code(count):
    """Compiles for a list of so many arrays, compares with Python, and gives the number of operations after the import."""
    frames = [np.linspace(0.0, 1.0 + k, 4 + k % 3) for k in range(count)]
    copies, weights = [frame.copy() for frame in frames], np.linspace(0.5, 1.0, count)
    compiled = npcc.jit(target="cpu", cache=False)(scores)
    np.testing.assert_allclose(compiled(copies, weights), scores(frames, weights), rtol=1e-12)
    assert all((frame == copy).all() for frame, copy in zip(frames, copies))
    return len(str(compiled.explain(copies, weights)).splitlines())


assert size_of_code(40) <= size_of_code(20) + 5
