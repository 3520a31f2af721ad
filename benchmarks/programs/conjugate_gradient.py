"""Conjugate gradients on the five-point Laplacian of a grid, without a matrix: stencil, two dots and three updates a round."""
import numpy as np

SIZES = {"tiny": dict(n=8, rounds=3), "quick": dict(n=64, rounds=10), "cpu": dict(n=700, rounds=20), "gpu": dict(n=4096, rounds=20)}
TOLERANCE = 1e-6


def laplacian(p):
    q = 4.0 * p
    q[1:, :] -= p[:-1, :]
    q[:-1, :] -= p[1:, :]
    q[:, 1:] -= p[:, :-1]
    q[:, :-1] -= p[:, 1:]
    return q


def run(b, rounds):
    x = np.zeros_like(b)
    r = b.copy()
    p = b.copy()
    rr = np.sum(r * r)
    for _ in range(rounds):
        q = laplacian(p)
        alpha = rr / np.sum(p * q)
        x += alpha * p
        r -= alpha * q
        old, rr = rr, np.sum(r * r)
        p = r + (rr / old) * p
    return x


def inputs(size, fill):
    return [fill((size["n"], size["n"])), size["rounds"]]


def floor(size):
    # A round reads p, x, r and writes p, x, r; the two dots each end a pass, so p is read twice.
    cells = size["n"] ** 2 * size["rounds"]
    return 56 * cells, 15 * cells


def pick(size, result):
    return [result[:8, :8], result[-8:, -8:]]


def expected(size, arguments):
    return pick(size, run(*arguments))


def jax_run(jax):
    jnp = jax.numpy

    def multiply(p):
        q = 4.0 * p
        q = q.at[1:, :].add(-p[:-1, :]).at[:-1, :].add(-p[1:, :])
        return q.at[:, 1:].add(-p[:, :-1]).at[:, :-1].add(-p[:, 1:])

    def run_jax(b, rounds):
        def step(_, state):
            x, r, p, rr = state
            q = multiply(p)
            alpha = rr / jnp.sum(p * q)
            x, r = x + alpha * p, r - alpha * q
            new = jnp.sum(r * r)
            return x, r, r + (new / rr) * p, new
        return jax.lax.fori_loop(0, rounds, step, (jnp.zeros_like(b), b, b, jnp.sum(b * b)))[0]
    return jax.jit(run_jax)
