"""What the methods of generators ask of the runtime. In compiled code these are operations of the np dialect; they do not run in Python."""


def draw(generator, distribution, out, scalars, arrays):
    """Fills `out`, a new array, with numbers of a row of runtime/random/Distributions.def; `scalars` and `arrays` are its parameters."""
    raise NotImplementedError("random numbers are drawn in compiled code only")


def draw_scalar(generator, distribution, dtype, scalars, arrays):
    """One such number, as Python's."""
    raise NotImplementedError("random numbers are drawn in compiled code only")


def new_generator(kind, bits, seeding, parent=None, seed=None):
    """np.new_generator: a generator of the class `kind`."""
    raise NotImplementedError("generators are made in compiled code only")


def seed_generator(generator, seeding, seed=None):
    """np.seed_generator."""
    raise NotImplementedError("generators are seeded in compiled code only")


def class_of(value):
    """The name of a generator's class; None for what is no generator. Known at compile time."""
    name = type(value).__name__
    return name if name in ("Generator", "RandomState", "BitGenerator", "SeedSequence") else None
