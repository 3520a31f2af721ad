"""Mixed precision: npcc.autocast and npcc.GradScaler. docs/mixed-precision.md has the rules, frontend/numpy/Autocast.def the table of functions."""
import contextlib
import math

import numpy as np

from . import _npcc
from .jit import jit

NARROW = ("float16", "bfloat16")  # by the extension's numbers, from 1 on


def narrow_name(dtype):
    """The name of a dtype that products can be computed in: "float16" or "bfloat16", npcc.bf16, numpy.float16, ml_dtypes.bfloat16 ..."""
    name = {"fp16": "float16", "f16": "float16", "f2": "float16", "half": "float16", "bf16": "bfloat16"}.get(dtype, dtype) if isinstance(dtype, str) else None
    name = name or getattr(dtype, "text", None) or getattr(dtype, "__name__", None) or getattr(dtype, "name", None)
    if name not in NARROW:
        raise ValueError(f"autocast computes in float16 or bfloat16, not {dtype!r}")
    if name == "bfloat16":
        try:
            import ml_dtypes  # noqa: F401
        except ImportError as error:
            raise ImportError("autocast to bfloat16 needs the package ml_dtypes (pip install ml_dtypes)") from error
    return name


class autocast(contextlib.ContextDecorator):
    """Calls of compiled functions in the `with` statement compute products of float32 in a narrow float with sums in float32, and sums and steep
    functions of narrow floats in float32. Around calls, inside compiled functions, and as a decorator.

    dtype: "bfloat16" (which needs ml_dtypes) or "float16". enabled: False switches off what an outer statement switched on. ValueError for another
    dtype; ImportError where ml_dtypes is missing.
    """

    def __init__(self, dtype="bfloat16", enabled=True):
        self.compiled_dtype = narrow_name(dtype) if enabled else None
        self.number = NARROW.index(self.compiled_dtype) + 1 if enabled else 0
        self.outer = []

    def __enter__(self):
        self.outer.append(_npcc.autocast())
        _npcc.set_autocast(self.number)
        return self

    def __exit__(self, *exception):
        _npcc.set_autocast(self.outer.pop())
        return False


def _unscale(gradient, inverse):
    gradient *= inverse
    return np.isfinite(gradient).all()


class GradScaler:
    """Scales a loss so that its small gradients do not vanish in float16, and skips steps whose gradients became infinite or NaN.

        scaled = scaler.scale(loss)                      # or the gradient that the backward pass begins with
        gradients = backward(..., scaled)
        if scaler.unscale(gradients):                    # in place; whether all are finite
            update(weights, gradients)
        scaler.update()

    init_scale, growth_factor, backoff_factor, growth_interval: the scale begins with the first, is multiplied by the third after a step that was skipped,
    and by the second after so many steps in a row that were not. enabled=False: the scale is 1 and no step is skipped. ValueError for factors that would
    not grow or shrink.
    """

    def __init__(self, init_scale=2.0**16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True, target=None):
        if growth_factor <= 1:
            raise ValueError(f"growth_factor is more than 1, not {growth_factor!r}")
        if not 0 < backoff_factor < 1:
            raise ValueError(f"backoff_factor is between 0 and 1, not {backoff_factor!r}")
        self.enabled = enabled
        self.growth_factor, self.backoff_factor, self.growth_interval = growth_factor, backoff_factor, growth_interval
        self._scale = float(init_scale)
        self._good_steps = 0
        self._found_inf = None  # None: nothing was unscaled since the last update
        self._unscale = jit(_unscale, target=target)

    def get_scale(self):
        return self._scale if self.enabled else 1.0

    def scale(self, value):
        """A number or array times the scale; of a tuple or list, each."""
        if isinstance(value, (tuple, list)):
            return type(value)(map(self.scale, value))
        return value * self.get_scale() if not isinstance(value, np.generic) else value * value.dtype.type(self.get_scale())

    def unscale(self, gradients):
        """Divides arrays by the scale, in place; True if all elements are finite. `gradients` is an array, a tuple, list or dict of arrays (also nested).
        Gradients in float16 should be converted to float32 first: what is small would vanish again."""
        if not self.enabled:
            return True
        finite = True
        inverse = 1.0 / self._scale
        with autocast(enabled=False):
            for gradient in _arrays(gradients):
                finite &= bool(self._unscale(gradient, inverse))
        self._found_inf = bool(self._found_inf) or not finite
        return finite

    def step(self, update, *args, gradients=None):
        """update(*args) unless a gradient was not finite; what it gives, None if it was skipped. gradients: to be unscaled first."""
        if gradients is not None:
            self.unscale(gradients)
        return None if self._found_inf else update(*args)

    def update(self, new_scale=None):
        """The scale for the next step."""
        found, self._found_inf = self._found_inf, None
        if not self.enabled:
            return
        if new_scale is not None:
            self._scale = float(new_scale)
        elif found:
            self._scale *= self.backoff_factor
            self._good_steps = 0
        else:
            self._good_steps += 1
            if self._good_steps == self.growth_interval:
                self._good_steps = 0
                if math.isfinite(self._scale * self.growth_factor):
                    self._scale *= self.growth_factor

    def state_dict(self):
        return dict(scale=self._scale, growth_factor=self.growth_factor, backoff_factor=self.backoff_factor, growth_interval=self.growth_interval,
                    good_steps=self._good_steps)

    def load_state_dict(self, state):
        self._scale, self._good_steps = state["scale"], state["good_steps"]
        self.growth_factor, self.backoff_factor, self.growth_interval = (state[k] for k in ("growth_factor", "backoff_factor", "growth_interval"))


def _arrays(gradients):
    if isinstance(gradients, dict):
        gradients = gradients.values()
    if isinstance(gradients, (tuple, list)) or not hasattr(gradients, "dtype"):
        for gradient in gradients:
            yield from _arrays(gradient)
    else:
        yield gradients
