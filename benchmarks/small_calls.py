"""Programs of a few numbers, with NumPy's arrays: what NumPy takes, what npcc takes where no target is said, and what its code for a GPU takes.

    python3 benchmarks/small_calls.py [--json FILE] [NAME ...]
"""
import argparse
import copy
import json
import time

import numpy as np

import machine
import npcc


def kalman(measured, step, observe, noise, error, state, spread):
    """A filter of four states and two measured numbers."""
    found = np.zeros((len(measured), 4))
    for k in range(len(measured)):
        state = step @ state
        spread = step @ spread @ step.T + noise
        innovation = measured[k] - observe @ state
        gain = spread @ observe.T @ np.linalg.inv(observe @ spread @ observe.T + error)
        state = state + gain @ innovation
        spread = (np.eye(4) - gain @ observe) @ spread
        found[k] = state
    return found


def lorenz(state, dt, steps):
    """The path of three numbers, by the method of Runge and Kutta."""
    def slope(s):
        return np.array([10.0 * (s[1] - s[0]), s[0] * (28.0 - s[2]) - s[1], s[0] * s[1] - 8.0 / 3.0 * s[2]])

    path = np.empty((steps, 3))
    for k in range(steps):
        a = slope(state)
        b = slope(state + dt / 2 * a)
        c = slope(state + dt / 2 * b)
        d = slope(state + dt * c)
        state = state + dt / 6 * (a + 2 * b + 2 * c + d)
        path[k] = state
    return path


def joint(angle, length):
    return np.array([[np.cos(angle), -np.sin(angle), length * np.cos(angle)], [np.sin(angle), np.cos(angle), length * np.sin(angle)], [0, 0, 1]])


def reach(angles, lengths):
    frame = np.eye(3)
    for k in range(len(angles)):
        frame = frame @ joint(angles[k], lengths[k])
    return frame[:2, 2]


def inverse_kinematics(target, angles, lengths, steps):
    """The angles of an arm in the plane, by the pseudo-inverse of differences."""
    for _ in range(steps):
        place = reach(angles, lengths)
        missing = target - place
        if np.linalg.norm(missing) < 1e-9:
            break
        slopes = np.zeros((2, len(angles)))
        for k in range(len(angles)):
            moved = angles.copy()
            moved[k] += 1e-6
            slopes[:, k] = (reach(moved, lengths) - place) / 1e-6
        angles = angles + 0.5 * np.linalg.pinv(slopes) @ missing
    return angles


def regression(x, y, rate, steps):
    """A line through 200 points of five features, by steepest descent."""
    weights = np.zeros(x.shape[1])
    losses = []
    for _ in range(steps):
        rest = x @ weights - y
        losses.append((rest ** 2).mean())
        slope = x.T @ rest / len(y)
        weights = weights - rate * slope
        if np.linalg.norm(slope) < 1e-8:
            break
    return weights, np.array(losses)


def simplex(start, steps):
    """The least of Rosenbrock's function, by the method of Nelder and Mead without shrinking."""
    def cost(p):
        return (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2

    corners = np.vstack([start, start + np.array([0.1, 0.0]), start + np.array([0.0, 0.1])])
    costs = np.array([cost(c) for c in corners])
    for _ in range(steps):
        order = np.argsort(costs)
        corners, costs = corners[order], costs[order]
        centre = corners[:-1].mean(axis=0)
        mirrored = centre + (centre - corners[-1])
        if cost(mirrored) < costs[0]:
            far = centre + 2 * (centre - corners[-1])
            corners[-1] = far if cost(far) < cost(mirrored) else mirrored
        elif cost(mirrored) < costs[-2]:
            corners[-1] = mirrored
        else:
            corners[-1] = centre + 0.5 * (corners[-1] - centre)
        costs[-1] = cost(corners[-1])
    return corners[0], costs[0]


def fit_decay(t, y, guess, steps):
    """Two numbers of an exponential through 50 points, by Levenberg's method."""
    damping = 1e-3
    for _ in range(steps):
        model = guess[0] * np.exp(-guess[1] * t)
        rest = y - model
        slopes = np.stack([np.exp(-guess[1] * t), -guess[0] * t * np.exp(-guess[1] * t)], axis=1)
        normal = slopes.T @ slopes
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), slopes.T @ rest)
        tried = guess + step
        if ((y - tried[0] * np.exp(-tried[1] * t)) ** 2).sum() < (rest ** 2).sum():
            guess, damping = tried, damping / 3
        else:
            damping *= 2
    return guess


def spring_chain(x, v, dt, steps):
    """The energy of 16 masses on springs, step by step."""
    energy = np.empty(steps)
    for k in range(steps):
        stretch = np.diff(x)
        force = np.zeros_like(x)
        force[:-1] += stretch
        force[1:] -= stretch
        v = v + dt * force
        x = x + dt * v
        energy[k] = 0.5 * (v ** 2).sum() + 0.5 * (stretch ** 2).sum()
    return energy


def make_arguments():
    draw = np.random.default_rng(0)
    t = np.linspace(0, 4, 50)
    return {
        kalman: (draw.random((1000, 2)), np.eye(4) + np.diag([0.1, 0.1], 2), np.eye(2, 4), 0.01 * np.eye(4), np.eye(2), np.zeros(4), np.eye(4)),
        lorenz: (np.ones(3), 0.01, 10000),
        inverse_kinematics: (np.array([1.0, 0.7]), np.full(6, 0.1), np.full(6, 0.3), 200),
        regression: (draw.random((200, 5)), draw.random(200), 0.1, 1000),
        simplex: (np.array([-1.0, 1.0]), 200),
        fit_decay: (t, 2.5 * np.exp(-1.3 * t) + 0.01 * draw.standard_normal(50), np.array([1.0, 1.0]), 100),
        spring_chain: (draw.random(16), np.zeros(16), 0.01, 1000),
    }


def measure(call, arguments, repeats=7):
    """(the result of the first call, its milliseconds, those of the fastest of the others)"""
    times, result = [], None
    for k in range(repeats):
        given = copy.deepcopy(arguments)
        start = time.perf_counter()
        answer = call(*given)
        times.append(1e3 * (time.perf_counter() - start))
        result = answer if k == 0 else result
    return result, times[0], min(times[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    rows = {}
    for function, arguments in make_arguments().items():
        if options.names and function.__name__ not in options.names:
            continue
        expected, _, numpy_ms = measure(function, arguments)
        row = rows[function.__name__] = {"numpy_ms": numpy_ms}
        for name, target in (("default", None), ("cuda", "cuda")):
            compiled = npcc.jit(function, target=target, cache=False)
            before = npcc.counters()["launches"]
            found, first, again = measure(compiled, arguments)
            for one, other in zip(*(r if isinstance(r, tuple) else (r,) for r in (found, expected))):
                np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9)
            row.update({f"{name}_first_ms": first, f"{name}_ms": again, f"{name}_launches": npcc.counters()["launches"] - before})
        print(f"{function.__name__:20}" + "".join(f"  {key} {value:.3f}" for key, value in row.items()), flush=True)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"machine": machine.describe(), "programs": rows}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
