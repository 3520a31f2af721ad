"""Generators of Python's module `random`, which compiled code draws from.

Their state cannot be shared as that of NumPy's can. So each has a numpy.random.RandomState, which is the same Mersenne Twister: it gets
the state before a call, and gives it back behind it.
"""
import contextlib
import random
import threading
import weakref

import numpy as np

_lock = threading.RLock()  # of all states that are lent
_lent = weakref.WeakKeyDictionary()  # random.Random -> RandomState


def numpys(generator):
    """The generator of NumPy's that compiled code draws from."""
    if type(generator) is not random.Random:
        return generator
    with _lock:
        if generator not in _lent:
            _lent[generator] = np.random.RandomState(np.random.MT19937(0))
        return _lent[generator]


@contextlib.contextmanager
def lent(generators):
    """While compiled code runs that may draw from them: those of Python's have lent their states."""
    with _lock:
        kept = []
        for generator in generators:
            version, state, gauss = generator.getstate()
            normal = (0, 0.0) if gauss is None else (1, gauss)
            numpys(generator).set_state(("MT19937", np.array(state[:-1], np.uint32), state[-1], *normal))
            kept.append((generator, version))
        try:
            yield
        finally:
            for generator, version in kept:
                _, key, position, has_gauss, gauss = numpys(generator).get_state(legacy=True)
                generator.setstate((version, (*key.tolist(), int(position)), gauss if has_gauss else None))
