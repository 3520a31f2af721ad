"""Draws one program from a seed. The same seed, level and NumPy version give the same text on every machine."""
from __future__ import annotations

import random as random_module
import warnings

from .control import Control, body_text
from .inputs import Inputs
from .growing import generate_growing
from .iterations import generate_iterations
from .later import draw_later
from .loops import generate_loops
from .program import IMPORT, Program
from .scalars import generate_scalars
from .searches import generate_searches
from .structures import generate_structures
from .scope import Scope, Unfit

# What grows with the level: expression depth, statements, nesting of blocks, arrays, whether there are helpers.
LEVELS = {
    1: dict(depth=2, statements=(0, 0), nesting=0, arrays=(1, 2), helpers=False),
    2: dict(depth=2, statements=(1, 4), nesting=0, arrays=(1, 3), helpers=False),
    3: dict(depth=2, statements=(2, 6), nesting=1, arrays=(1, 3), helpers=False),
    4: dict(depth=3, statements=(3, 9), nesting=2, arrays=(2, 4), helpers=True),
    5: dict(depth=3, statements=(10, 28), nesting=2, arrays=(2, 5), helpers=True),
    6: dict(),  # control flow over scalars
    7: dict(),  # loops over arrays
    8: dict(),  # names that hold several types, objects, lists, exceptions
    9: dict(),  # iterations over whole arrays; asked for by its number only, so that the other seeds stay what they are
    10: dict(),  # loops that search; asked for by its number, too
    11: dict(),  # loops in which arrays grow and shrink; likewise
}
FEATURES = ("complex", "float16", "uint", "int8", "empty", "layouts", "large", "special", "aliasing", "errors", "later")


def start(bases, arguments):
    """A function that builds the arguments afresh, shared memory and layouts included."""
    program = Program("", bases, arguments)
    code = compile(IMPORT + "\n".join(program.argument_lines()), "<arguments>", "exec")
    names = [name for name, _ in arguments]

    def make():
        env = {}
        exec(code, env)
        return {name: env[name] for name in names}
    return make


def can_start(bases, arguments):
    """Whether arguments can be made of these texts."""
    try:
        start(bases, arguments)()
    except Exception:
        return False
    return True


def generate(seed, level=None, without=()):
    """The program of this seed (any printable object). `without` names FEATURES to leave out."""
    random = random_module.Random(f"npcc fuzz {seed}")
    program = _first(random, seed, level, without)
    # Drawn last: the programs are those that the seeds gave before.
    return draw_later(random, program, can_start, "empty" not in without) if "later" not in without and random.random() < 0.4 else program


def _first(random, seed, level, without):
    level = level or random.choices([1, 2, 3, 4, 5, 6, 7, 8], [11, 20, 17, 14, 8, 10, 10, 10])[0]
    if level == 6:
        return generate_scalars(random, seed)
    if level == 7:
        return generate_loops(random, seed)
    if level == 8:
        return generate_structures(random, seed)
    if level == 9:
        return generate_iterations(random, seed)
    if level == 10:
        return generate_searches(random, seed)
    if level == 11:
        return generate_growing(random, seed)
    shape = LEVELS[level]
    while True:  # rarely the drawn inputs admit no program at all
        special = "special" not in without and random.random() < 0.05
        inputs = Inputs(random, without, special)
        aliasing = 0.2 if level >= 3 and "aliasing" not in without and random.random() < 0.4 else 0.0
        bases, arguments = inputs.draw(random.randint(*shape["arrays"]), random.choice([0, 0, 1, 2]), aliasing)
        try:
            functions = _functions(random, inputs, shape, bases, arguments, special, "errors" not in without)
        except Unfit:  # the arguments themselves
            continue
        if functions:
            return Program(functions, bases, arguments, seed=str(seed))


def _functions(random, inputs, shape, bases, arguments, special, errors):
    constants = "ALPHA = 0.25\nSTEPS = 3\n\n\n" if random.random() < 0.15 else ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scope = Scope(constants, start(bases, arguments), random, special)
        helpers = [] if shape["helpers"] else None
        control = Control(random, scope, inputs, shape["depth"], helpers)
        control.body(random.randint(*shape["statements"]), shape["nesting"])
        mistake = control.statements.mistake() if errors and random.random() < 0.05 else None
        results = _results(random, scope, control)
    if results is None:
        return None
    body = body_text(scope.body) + (f"    {mistake}\n" if mistake else "")
    names = ", ".join(name for name, _ in arguments)
    texts = "".join(text for _, text in helpers or [])
    return f"{constants}{texts}def program({names}):\n{body}    return {results}\n"


def _results(random, scope, control):
    """What the program returns: an expression, and at times names of its body, so that views and late stores are seen."""
    found = control.result()
    if control.returned and found:
        return found.text
    names = [n for n in scope.names(lambda v: not callable(v)) if n not in dict.fromkeys(scope.start())]
    keep = random.sample(names, min(len(names), random.choice([0, 1, 2, 3])))
    parts = keep + ([found.text] if found and (not keep or random.random() < 0.6) else [])
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else "(" + ", ".join(parts) + ")"
