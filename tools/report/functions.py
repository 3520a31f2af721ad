"""Elementwise functions whose rounding is measured: NumPy's name, mpmath's, the domain, and where errors like to hide."""

# name: (mpmath expression of mp and x, low, high, adversarial inputs beside the special values)
PI = 3.141592653589793
REAL = {
    "sin": ("mp.sin(x)", -100, 100, [PI, 2 * PI, PI / 2, 1e5, 1e15, 1e22, 355.0, 710 * PI]),
    "cos": ("mp.cos(x)", -100, 100, [PI, PI / 2, 3 * PI / 2, 1e5, 1e15, 1e22, 11.0]),
    "tan": ("mp.tan(x)", -100, 100, [PI, PI / 2, 3 * PI / 2, 1e5, 1e22, 11.0]),
    "arcsin": ("mp.asin(x)", -1, 1, [1.0, -1.0, 0.999999999999, 0.5, 1e-10]),
    "arccos": ("mp.acos(x)", -1, 1, [1.0, -1.0, 0.999999999999, 0.5, 1e-10]),
    "arctan": ("mp.atan(x)", -50, 50, [1e-10, 1e10, 1e300, 0.4375, 2.4375]),
    "sinh": ("mp.sinh(x)", -30, 30, [1e-8, 0.3, 22.0, 709.0, 710.4]),
    "cosh": ("mp.cosh(x)", -30, 30, [1e-8, 0.3, 22.0, 709.0, 710.4]),
    "tanh": ("mp.tanh(x)", -20, 20, [1e-8, 0.5, 0.55, 22.0]),
    "arcsinh": ("mp.asinh(x)", -100, 100, [1e-8, 0.1, 1e150, 1e300]),
    "arccosh": ("mp.acosh(x)", 1, 100, [1.0, 1.0000000001, 1e150, 1e300]),
    "arctanh": ("mp.atanh(x)", -1, 1, [1e-8, 0.999999999, -0.999999999, 0.5]),
    "exp": ("mp.exp(x)", -80, 80, [1e-10, 0.34657, 709.7, -708.3, -740.0, 88.7, -87.3, 11.0, -16.6]),
    "exp2": ("mp.mpf(2)**x", -100, 100, [0.5, 1023.9, -1022.5, -1070.0, 127.9, -140.5]),
    "expm1": ("mp.expm1(x)", -30, 30, [1e-10, -1e-10, 0.25, -0.25, 709.7]),
    "log": ("mp.log(x)", 1e-6, 1e6, [1.0000001, 0.9999999, 0.7071, 1.4142, 1e-310, 1e308]),
    "log2": ("mp.log(x, 2)", 1e-6, 1e6, [1.0000001, 0.9999999, 8.0, 1e-310, 1e308]),
    "log10": ("mp.log10(x)", 1e-6, 1e6, [1.0000001, 0.9999999, 1000.0, 1e-310, 1e308]),
    "log1p": ("mp.log1p(x)", -0.999, 1e3, [1e-10, -1e-10, -0.5, 0.4142, -0.2928]),
    "sqrt": ("mp.sqrt(x)", 0, 1e6, [1e-310, 4.0, 2.0, 1e308]),
    "cbrt": ("mp.sign(x)*mp.cbrt(abs(x))", -1e6, 1e6, [27.0, -27.0, 1e-310, 1e308]),
    "square": ("x*x", -1e3, 1e3, [1e-160, 1e150]),
    "reciprocal": ("1/x", -1e3, 1e3, [1e-308, 3.0, 1e308]),
}
COMPLEX = {
    "sin": "mp.sin(x)", "cos": "mp.cos(x)", "tan": "mp.tan(x)", "exp": "mp.exp(x)", "log": "mp.log(x)", "sqrt": "mp.sqrt(x)",
    "sinh": "mp.sinh(x)", "cosh": "mp.cosh(x)", "tanh": "mp.tanh(x)", "absolute": "abs(x)", "square": "x*x", "reciprocal": "1/x",
    "arcsin": "mp.asin(x)", "arctan": "mp.atan(x)", "arcsinh": "mp.asinh(x)",
}
BINARY = {  # name: (expression of x and y, low, high)
    "power": ("x**y", 0.1, 20), "hypot": ("mp.hypot(x, y)", -1e3, 1e3), "arctan2": ("mp.atan2(x, y)", -1e3, 1e3),
    "logaddexp": ("mp.log(mp.exp(x) + mp.exp(y))", -50, 50), "divide": ("x/y", -1e3, 1e3), "multiply": ("x*y", -1e3, 1e3),
    "add": ("x+y", -1e3, 1e3), "fmod": ("x - y*mp.sign(x/y)*mp.floor(abs(x/y))", -1e3, 1e3), "remainder": ("x - y*mp.floor(x/y)", 0.1, 1e3),
}
FLOATS = ["float16", "float32", "float64"]
COMPLEXES = ["complex64", "complex128"]
