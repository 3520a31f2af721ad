"""Five-point heat diffusion with fixed borders: two arrays swapped every step."""
import numpy as np

SIZES = {"tiny": dict(n=16, steps=2), "quick": dict(n=256, steps=10), "cpu": dict(n=2000, steps=20), "gpu": dict(n=16384, steps=20)}


def run(grid, steps):
    grid = grid.copy()
    new = np.zeros_like(grid)
    for _ in range(steps):
        new[1:-1, 1:-1] = 0.25 * (grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:])
        new[0, :] = grid[0, :]
        new[-1, :] = grid[-1, :]
        new[:, 0] = grid[:, 0]
        new[:, -1] = grid[:, -1]
        grid, new = new, grid
    return grid


def inputs(size, fill):
    return [fill((size["n"], size["n"])), size["steps"]]


def floor(size):
    # One read and one write of the grid a step. Blocking in time can go below it; the ratio then exceeds one.
    cells = size["n"] ** 2
    return 16 * cells * size["steps"], 4 * cells * size["steps"]


def pick(size, result):
    return [result[:8, :8], result[-1:, -8:], result[size["n"] // 2, :8], result[3:11, -8:]]


def expected(size, arguments):
    """Only the cells that the picked ones depend on: a border of `steps` cells around each."""
    grid, steps = arguments
    n, reach = size["n"], size["steps"] + 11
    rows = (slice(0, reach), slice(max(n - reach, 0), n), slice(max(n // 2 - reach, 0), n // 2 + reach), slice(0, reach))
    columns = (slice(0, reach), slice(max(n - reach, 0), n), slice(0, reach), slice(max(n - reach, 0), n))
    whole = [_window(grid, r, c, steps) for r, c in zip(rows, columns)]
    return [whole[0][:8, :8], whole[1][-1:, -8:], whole[2][n // 2 - rows[2].start, :8], whole[3][3:11, -8:]]


def _window(grid, rows, columns, steps):
    return run(np.ascontiguousarray(grid[rows, columns]), steps)


def jax_run(jax):
    def run_jax(grid, steps):
        def step(_, g):
            return g.at[1:-1, 1:-1].set(0.25 * (g[:-2, 1:-1] + g[2:, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:]))
        return jax.lax.fori_loop(0, steps, step, grid)
    return jax.jit(run_jax)


def torch_run(torch):
    def step(grid, new):
        new[1:-1, 1:-1] = 0.25 * (grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:])
        new[0, :] = grid[0, :]
        new[-1, :] = grid[-1, :]
        new[:, 0] = grid[:, 0]
        new[:, -1] = grid[:, -1]
    compiled = torch.compile(step)

    def run_torch(grid, steps):
        grid = grid.clone()
        new = torch.zeros_like(grid)
        for _ in range(steps):
            compiled(grid, new)
            grid, new = new, grid
        return grid
    return run_torch
