"""One explicit step of a two-dimensional flow, repeated: advection by gradients, diffusion, walls set to zero."""
import numpy as np

SIZES = {"tiny": dict(n=16, steps=2), "quick": dict(n=128, steps=5), "cpu": dict(n=1000, steps=10), "gpu": dict(n=8192, steps=20)}
TOLERANCE = 1e-8


def run(u, v, steps):
    dt, nu = 0.01, 0.01
    for _ in range(steps):
        un = u - dt * (u * np.gradient(u, axis=1) + v * np.gradient(u, axis=0))
        vn = v - dt * (u * np.gradient(v, axis=1) + v * np.gradient(v, axis=0))
        un[1:-1, 1:-1] += nu * dt * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1])
        vn[1:-1, 1:-1] += nu * dt * (v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] - 4 * v[1:-1, 1:-1])
        for w in (un, vn):
            w[0, :] = 0.0
            w[-1, :] = 0.0
            w[:, 0] = 0.0
            w[:, -1] = 0.0
        u, v = un, vn
    return u, v


def inputs(size, fill):
    return [fill((size["n"], size["n"])), fill((size["n"], size["n"])), size["steps"]]


def floor(size):
    cells = size["n"] ** 2 * size["steps"]
    return 32 * cells, 36 * cells


def pick(size, result):
    n = size["n"]
    return [w[:6, :6] for w in result] + [w[n // 2, -6:] for w in result]


def expected(size, arguments):
    u, v, steps = arguments
    n, reach = size["n"], size["steps"] + 8
    corner = run(u[:reach, :reach].copy(), v[:reach, :reach].copy(), steps)
    rows = slice(max(n // 2 - reach, 0), n // 2 + reach)
    edge = run(u[rows, -reach:].copy(), v[rows, -reach:].copy(), steps)
    return [w[:6, :6] for w in corner] + [w[n // 2 - rows.start, -6:] for w in edge]


def jax_run(jax):
    jnp = jax.numpy

    def laplace(w):
        return w[:-2, 1:-1] + w[2:, 1:-1] + w[1:-1, :-2] + w[1:-1, 2:] - 4 * w[1:-1, 1:-1]

    def step(_, state):
        dt, nu = 0.01, 0.01
        u, v = state
        new = []
        for w in (u, v):
            moved = w - dt * (u * jnp.gradient(w, axis=1) + v * jnp.gradient(w, axis=0))
            moved = moved.at[1:-1, 1:-1].add(nu * dt * laplace(w))
            new.append(jnp.pad(moved[1:-1, 1:-1], 1))
        return tuple(new)
    return jax.jit(lambda u, v, steps: jax.lax.fori_loop(0, steps, step, (u, v)))


def torch_run(torch):
    def step(u, v):
        dt, nu = 0.01, 0.01
        new = []
        for w in (u, v):
            moved = w - dt * (u * torch.gradient(w, dim=1)[0] + v * torch.gradient(w, dim=0)[0])
            moved[1:-1, 1:-1] += nu * dt * (w[:-2, 1:-1] + w[2:, 1:-1] + w[1:-1, :-2] + w[1:-1, 2:] - 4 * w[1:-1, 1:-1])
            moved[0, :] = 0.0
            moved[-1, :] = 0.0
            moved[:, 0] = 0.0
            moved[:, -1] = 0.0
            new.append(moved)
        return new
    compiled = torch.compile(step)

    def run_torch(u, v, steps):
        for _ in range(steps):
            u, v = compiled(u, v)
        return u, v
    return run_torch
