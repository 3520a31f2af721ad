# RUN: %python %s
# Exceptions of one class that come from many places to one clause were as many types: a name that kept one of them was refused.
import npcc


def last_problem(words):
    last, found = None, []
    for word in words:
        try:
            if word == "x":
                raise ValueError("an x")
            if word == "y":
                raise ValueError(f"a {word}")
            found.append(int(word))
        except ValueError as error:
            last = error
            found.append(-1)
    return found, str(last)


def shown(words):
    found = []
    for word in words:
        try:
            if word == "x":
                raise ValueError("an x")
            if word == "y":
                raise KeyError(3)
            if word == "z":
                raise KeyError("zz")
            if word == "k":
                raise IndexError("zz")
            found.append(str(int(word)))
        except (ValueError, KeyError) as error:
            found.append(f"{error!r} {error} {error.args} {type(error).__name__}")
        except LookupError as error:
            found.append(repr(error))
    return found


for function in (last_problem, shown):
    words = ["1", "x", "y", "q", "5"] + (["z", "k"] if function is shown else [])
    assert npcc.jit(target="cpu")(function)(words) == function(words), function
