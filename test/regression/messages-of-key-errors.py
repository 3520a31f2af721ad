# RUN: %python %s
"""A KeyError whose message is made when the program runs could not be asked for it."""
import npcc


def look_up(table, names):
    found = []
    for name in names:
        try:
            if name not in table:
                raise KeyError(f"no {name}")
            found.append(str(table[name]))
        except KeyError as error:
            found.append(f"{error} {error!r} {error.args[0]} {len(error.args)}")
    return found


arguments = {"a": 1}, ["a", "b", "it's"]
assert npcc.jit(look_up)(*arguments) == look_up(*arguments)
