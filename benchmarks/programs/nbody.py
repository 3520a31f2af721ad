"""Gravity between all pairs, leapfrog steps: (n, n) temporaries that a compiler need never store."""
import numpy as np

SIZES = {"tiny": dict(n=8, steps=1), "quick": dict(n=100, steps=3), "cpu": dict(n=400, steps=5), "gpu": dict(n=4096, steps=10)}
TOLERANCE = 1e-8


def run(position, velocity, mass, steps):
    dt, softening = 0.001, 0.1
    for _ in range(steps):
        x, y, z = position[:, 0:1], position[:, 1:2], position[:, 2:3]
        dx, dy, dz = x.T - x, y.T - y, z.T - z
        inverse = (dx * dx + dy * dy + dz * dz + softening * softening) ** -1.5
        ax, ay, az = (dx * inverse) @ mass, (dy * inverse) @ mass, (dz * inverse) @ mass
        velocity = velocity + dt * np.stack((ax, ay, az), axis=1)
        position = position + dt * velocity
    return position, velocity


def inputs(size, fill):
    n = size["n"]
    return [fill((n, 3), -1.0, 1.0), fill((n, 3), -0.1, 0.1), fill((n,), 0.5, 1.5) / n, size["steps"]]


def floor(size):
    return 13 * 8 * size["n"], 25 * size["n"] ** 2 * size["steps"]


def pick(size, result):
    return [result[0], result[1]]


def expected(size, arguments):
    return list(run(*arguments))


def jax_run(jax):
    jnp = jax.numpy

    def run_jax(position, velocity, mass, steps):
        def step(_, state):
            position, velocity = state
            difference = position[None, :, :] - position[:, None, :]
            inverse = (jnp.sum(difference * difference, axis=2) + 0.01) ** -1.5
            velocity = velocity + 0.001 * jnp.einsum("ijk,ij,j->ik", difference, inverse, mass)
            return position + 0.001 * velocity, velocity
        return jax.lax.fori_loop(0, steps, step, (position, velocity))
    return jax.jit(run_jax)
