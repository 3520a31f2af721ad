"""What is probed of texts: what is printed, and the words of what is raised; probe_table.py says what a row is."""

# Printed, one line each.
TEXT_ROWS = [
    "x",
    "str(x)",
    "repr(x)",
    "f'{x}'",
    "f'{x!r}'",
    "f'{x!s}'",
    "f'{x:.3f}'",
    "f'{x:8.2e}'",
    "f'{x:g}'",
    "f'{x:5}'",
    "f'{x:d}'",
    "(x, 1)",
    "[x]",
    "x + 1",
    "x * 0.1",
    "x / 3  # rounded",
]
# Raised: the message is compared.
RAISE_ROWS = [
    "assert x != x, f'{x}'",
    "assert x != x, f'{x:.2f} and {x!r}'",
    "assert x != x, x",
    "raise ValueError(f'bad {x}')",
    "raise ValueError(x)",
    "raise ValueError('bad', x)",
    "raise TypeError(str(x))",
]
