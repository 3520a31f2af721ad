"""Pi from random points: random numbers made, used and summed without ever being stored."""
import numpy as np

SIZES = {"tiny": dict(n=1000), "quick": dict(n=10**5), "cpu": dict(n=10**7), "gpu": dict(n=10**8)}
TOLERANCE = None  # every library has its own stream: the estimate is held against pi


def run(n, seed):
    random = np.random.default_rng(seed)
    x = random.random(n)
    y = random.random(n)
    return 4.0 * np.sum(x * x + y * y <= 1.0) / n


def inputs(size, fill):
    return [size["n"], int(fill((1,), 0, 10**6)[0])]


def floor(size):
    return 8, 4 * size["n"]


def pick(size, result):
    return [result]


def expected(size, arguments):
    return [np.pi]


def slack(size):
    """Six standard deviations of the estimate."""
    return 6 * 1.6422 / size["n"] ** 0.5


def jax_run(jax):
    def run_jax(n, key):
        first, second = jax.random.split(jax.random.key(key))
        x = jax.random.uniform(first, (n,), dtype="float64")
        y = jax.random.uniform(second, (n,), dtype="float64")
        return 4.0 * jax.numpy.sum(x * x + y * y <= 1.0) / n
    return jax.jit(run_jax, static_argnums=0)


def torch_run(torch):
    device = "cuda" if torch.cuda.is_available() else "cpu"

    def run_torch(n, seed):
        x = torch.rand(n, dtype=torch.float64, device=device)
        y = torch.rand(n, dtype=torch.float64, device=device)
        return 4.0 * torch.sum(x * x + y * y <= 1.0) / n
    return torch.compile(run_torch)
