"""Arguments that are known when a function is compiled."""


class Constant:
    """An argument that is known at compile time: None, a string, a tuple of known things, a function. Equal if the compiler could
    not tell two apart; functions are by identity."""

    def __init__(self, value):
        self.value = value
        self.key = _key(value)

    def __eq__(self, other):
        return isinstance(other, Constant) and self.key == other.key

    def __hash__(self):
        return hash(self.key)

    def __repr__(self):
        return repr(self.value)


def _key(value):
    if isinstance(value, tuple):
        return tuple(map(_key, value))
    return (type(value), id(value) if callable(value) else repr(value))
