"""Random subscripts: integers, every form of slice, newaxis, ellipsis, masks and gathers, and their mixtures."""
from __future__ import annotations




def slice_text(random, extent, same_length=None):
    """A slice of an axis; with `same_length` one that keeps this many elements, as stencils do."""
    if same_length is not None:
        start = random.randint(0, extent - same_length)
        stop = start + same_length
        first = "" if start == 0 and random.random() < 0.8 else str(start)
        if stop == extent:
            last = "" if random.random() < 0.8 else str(stop)
        else:
            last = str(stop - extent) if random.random() < 0.6 else str(stop)
        return f"{first}:{last}"
    form = random.choice(["all", "from", "to", "inner", "step", "reverse", "reverse step", "negative", "beyond", "empty"])
    n = max(extent, 1)
    start, stop = sorted((random.randint(0, n), random.randint(0, n)))
    return {"all": ":", "from": f"{start}:", "to": f":{stop}", "inner": "1:-1", "step": f"{random.randint(0, 1)}::{random.choice([2, 3])}",
            "reverse": "::-1", "reverse step": f"{stop}::-2", "negative": f"-{stop}:" if stop else ":-1",
            "beyond": f"{start}:{extent + 3}", "empty": f"{stop}:{start}"}[form]


def index_text(random, extent, counters=()):
    """An in-range integer: a literal, a negative one, or a loop counter when one is in range."""
    fitting = [name for name, value in counters if isinstance(value, int) and 0 <= value < extent]
    if fitting and random.random() < 0.6:
        name = random.choice(fitting)
        return random.choice([name, name, f"{name} - 1", f"-1 - {name}", f"({name} + 1) % {extent}"])
    return str(random.randint(-extent, extent - 1))


def basic(random, shape, counters=()):
    """A subscript of integers, slices, newaxis and ellipsis that fits the shape; the result is a view."""
    parts = []
    for extent in shape[: random.randint(1, len(shape)) if shape else 0]:
        if extent and random.random() < 0.3:
            parts.append(index_text(random, extent, counters))
        else:
            parts.append(slice_text(random, extent))
    if random.random() < 0.12 or not parts:
        parts.insert(random.randint(0, len(parts)), "...")
    if random.random() < 0.12:
        parts.insert(random.randint(0, len(parts)), random.choice(["None", "np.newaxis"]))
    return ", ".join(parts)


def mask(random, name, array, scope):
    """A boolean index: a comparison of the array itself, or an array at hand that fits its leading axes."""
    fitting = scope.arrays(lambda v: v.dtype == bool and v.ndim and v.shape == array.shape[: v.ndim])
    if fitting and random.random() < 0.5:
        return random.choice(fitting)
    if array.dtype.kind == "c":
        return f"np.abs({name}) > 1.2345"
    if array.dtype.kind == "b":
        return name
    return random.choice([f"{name} > 0.4567", f"{name} < 1", f"({name} > -1.2345) & ({name} < 2.3456)", f"~({name} > 0.1234)"])


def gather(random, array, scope):
    """An integer array index for the leading axes: a literal list, an array at hand, or several that broadcast."""
    extent = array.shape[0]
    if extent == 0:
        return "[]" if random.random() < 0.1 else ":"
    literal = lambda n: "[" + ", ".join(str(random.randint(-n, n - 1)) for _ in range(random.randint(1, 4))) + "]"
    forms = [literal(extent), f"np.array({literal(extent)})", f"np.arange({extent})[::-1]"]
    named = scope.arrays(lambda v: v.dtype.kind in "iu" and v.size and 0 < v.ndim <= 2)
    if named:
        name = random.choice(named)
        forms += [f"{name} % {extent}"] * 2 + ([name] if scope.env[name].max() < extent and scope.env[name].min() >= -extent else [])
    if array.ndim > 1 and array.shape[1]:
        pair = [random.randint(0, array.shape[1] - 1) for _ in range(2)]
        forms += [f"[0, -1], {pair}", f":, {literal(array.shape[1])}", f"{literal(extent)}, 0", f"{literal(extent)}, ::-1",
                  f"np.arange({extent})[:, None], {pair}", f"np.ix_([0], {pair})"]
    return random.choice(forms)


def subscript(random, name, scope, counters=(), views_only=False):
    """Text of a subscript of the array called `name`, without the brackets."""
    array = scope.env[name]
    form = random.random()
    if views_only or form < 0.7 or array.ndim == 0:
        return basic(random, array.shape, counters)
    if form < 0.87:
        return mask(random, name, array, scope)
    return gather(random, array, scope)


def stencil(random, name, array, shape):
    """A view of the array with exactly this shape, cut out by slices, or None."""
    if array.ndim != len(shape) or any(have < want for have, want in zip(array.shape, shape)) or not shape:
        return None
    return f"{name}[{', '.join(slice_text(random, have, want) for have, want in zip(array.shape, shape))}]"
