"""numpy.random: generators and their methods.

`METHODS` maps the class of a generator and a method's name to the function here that compiled code imports for it; functions such as
numpy.random.normal are methods of numpy.random's own RandomState. The numbers are NumPy's: what is drawn is drawn by the runtime
(`primitives.draw`), in the order in which NumPy draws it.
"""

METHODS = {"Generator": {}, "RandomState": {}, "BitGenerator": {}, "SeedSequence": {}, "Random": {}}


def method(*classes):
    """Registers the decorated function as a method of these classes. Its name is the method's, but for underscores at its end."""

    def register(function):
        for name in classes:
            METHODS[name][function.__name__.rstrip("_")] = function
        return function

    return register


from . import choices, continuous, discrete, integers, legacy, lines, of_python, seeding, standard  # noqa: E402,F401
