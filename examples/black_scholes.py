"""European option prices by the Black-Scholes formula. Two results; erf is a helper function, compiled with its caller."""
import numpy as np


def erf(x):
    """Error function, to 1.5e-7: Abramowitz and Stegun, formula 7.1.26."""
    a = np.abs(x)
    t = 1 / (1 + 0.3275911 * a)
    series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    return np.where(x < 0, -1.0, 1.0) * (1 - series * np.exp(-a * a))


def normal_distribution(x):
    return 0.5 + 0.5 * erf(x / np.sqrt(2))


# npcc export black_scholes(float64[:], float64[:], float64[:], float, float)
def black_scholes(price, strike, years, rate, volatility):
    """Call and put values, elementwise over price, strike and years to expiry."""
    spread = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + volatility**2 / 2) * years) / spread
    d2 = d1 - spread
    present = strike * np.exp(-rate * years)
    call = price * normal_distribution(d1) - present * normal_distribution(d2)
    put = call + present - price
    return call, put


if __name__ == "__main__":
    call, put = black_scholes(np.array([90.0, 100, 110]), np.full(3, 100.0), np.array([0.5, 1, 2]), 0.05, 0.2)
    print("call", call, "put", put)
