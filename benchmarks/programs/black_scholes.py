"""Option prices: a long elementwise chain, three reads and two writes an element, much arithmetic.

NumPy has no error function: the normal distribution is the polynomial 26.2.17 of Abramowitz and Stegun.
"""
import numpy as np

SIZES = {"tiny": dict(n=100), "quick": dict(n=10**5), "cpu": dict(n=10**6), "gpu": dict(n=5 * 10**7)}
TOLERANCE = 1e-7  # prices near zero are differences of large terms


def normal(x):
    k = 1.0 / (1.0 + 0.2316419 * np.abs(x))
    tail = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    p = 1.0 - 0.3989422804014327 * np.exp(-0.5 * x * x) * tail
    return np.where(x < 0, 1.0 - p, p)


def run(price, strike, years):
    rate, volatility = 0.1, 0.2
    root = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / root
    d2 = d1 - root
    later = strike * np.exp(-rate * years)
    call = price * normal(d1) - later * normal(d2)
    return call, call - price + later


def inputs(size, fill):
    return [fill((size["n"],), 10.0, 50.0), fill((size["n"],), 10.0, 50.0), fill((size["n"],), 1.0, 2.0)]


def floor(size):
    return 40 * size["n"], 90 * size["n"]


def pick(size, result):
    return [w[:50] for w in result] + [w[-50:] for w in result]


def expected(size, arguments):
    head, tail = run(*(a[:50] for a in arguments)), run(*(a[-50:] for a in arguments))
    return [*head, *tail]


def torch_run(torch):
    def normal_torch(x):
        k = 1.0 / (1.0 + 0.2316419 * torch.abs(x))
        tail = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
        p = 1.0 - 0.3989422804014327 * torch.exp(-0.5 * x * x) * tail
        return torch.where(x < 0, 1.0 - p, p)

    def run_torch(price, strike, years):
        rate, volatility = 0.1, 0.2
        root = volatility * torch.sqrt(years)
        d1 = (torch.log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / root
        later = strike * torch.exp(-rate * years)
        call = price * normal_torch(d1) - later * normal_torch(d1 - root)
        return call, call - price + later
    return torch.compile(run_torch)
