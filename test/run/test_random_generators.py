"""Where generators come from and what becomes of their states: arguments, globals, closures, numpy.random itself, and those that the function makes."""
import threading
import unittest

import numpy as np

import executed
import lines
import npcc
from draws import GENERATOR, LEGACY, Draws, classes_of, fresh
from harness import jit

rng = np.random.default_rng(5)
legacy = np.random.RandomState(4)
method = rng.random

SEEDS = ["5", "0", "2**40", "2**70", "2**200 + 17", "[1, 2, 3]", "(7,)", "[]", "[2**40, 5]", "np.array([3, 4])", "np.uint32(7)", "np.int64(9)", "True",
         "n", "i", "u", "q", "k", "(n, 3)", "[n, n]"]


def takes_nested_seeds():
    """NumPy 2.5 refuses them."""
    try:
        np.random.SeedSequence([[1]])
    except TypeError:
        return False
    return True


NESTED = ["[2**70, [1, 2]]", "[[1], 2]", "(1, (n, 2))", "np.array([[1, 2], [3, 4]])"]
STATES = """
x | r = np.random.RandomState(5); return r.random(3), r.randn(3)
n | r = np.random.RandomState(n); s = np.random.RandomState(np.uint32(7)); return r.random(3), r.randn(3), s.rand(), np.random.RandomState([1, 2, 3]).randn(3)
i | r = np.random.RandomState(i); s = np.random.RandomState(i[:1]); return r.random(3), s.randn(3), np.random.RandomState(i[None]).rand(), np.random.RandomState([5]).rand()
n | r = np.random.RandomState(3); r.randn(); r.seed(7); a = r.rand(2); r.seed(n); b = r.randn(3); r.seed([1, 2]); return a, b, r.rand()
"""
MADE = """
x | h = np.random.default_rng(3); return h.bit_generator.random_raw(2), np.random.default_rng(h).random(), h.random(), g.bit_generator.random_raw((2, 2))
x | s = np.random.SeedSequence([1, 2]).spawn(3); return np.random.default_rng(s[2]).random(), np.random.default_rng(s[1].spawn(2)[1]).random()
"""
BAD = """
n | np.random.default_rng(-1).random()
n | np.random.default_rng(-n).random()
n | np.random.default_rng([-n]).random()
x | np.random.default_rng(1.5).random()
x | np.random.default_rng(x).random()
a | np.random.default_rng(a).random()
x | np.random.default_rng([1.5]).random()
x | np.random.default_rng('a').random()
x | np.random.RandomState(-1).rand()
n | np.random.RandomState(-n).rand()
x | np.random.RandomState(2**32).rand()
x | np.random.RandomState([]).rand()
x | np.random.RandomState(1.5).rand()
a | np.random.RandomState(a).rand()
x | np.random.RandomState([[1, 2], [3, 4]]).rand()
x | r = np.random.RandomState(3); r.seed(-5); return r.rand()
"""
# What is no use of a generator, or cannot be compiled: the words of the error.
REFUSED = """
g + 1 | TypeError: unsupported operand type(s): a numpy.random.Generator and 'int'
-g | TypeError: bad operand type: a numpy.random.Generator
g < 1 | comparisons of a numpy.random.Generator cannot be compiled
np.sum(g) | numpy.sum() of a numpy.random.Generator cannot be compiled
np.add(g, 1) | add() of a numpy.random.Generator cannot be compiled
np.float64(g) | float64() of a numpy.random.Generator cannot be compiled
np.median(g) | median() of a numpy.random.Generator cannot be compiled
np.array([g, 1]) | TypeError: a number or an array is needed, not a numpy.random.Generator
print(g) | builtins.print() of a numpy.random.Generator cannot be compiled
g | a compiled function cannot return a numpy.random.Generator
g.foo() | AttributeError: 'numpy.random.Generator' object has no attribute 'foo'
g.bytes(3) | numpy.random.Generator.bytes cannot be compiled
np.random.get_state() | numpy.random.RandomState.get_state cannot be compiled
g.bit_generator.state | numpy.random.BitGenerator.state cannot be compiled
g.bit_generator.random_raw() | NotImplementedError: random_raw() is an int that 64 bits with a sign do not hold: take random_raw(1)[0]
g.shuffle((1, 2)) | NotImplementedError: shuffle of what is no array and no list cannot be compiled: shuffle list() of it
np.random.Philox(key=3).random_raw(2) | NotImplementedError: Philox(counter=, key=) cannot be compiled: make it outside the compiled function
np.random.default_rng(np.random.SeedSequence(1, spawn_key=(2,))).random() | NotImplementedError: SeedSequence of more than its entropy cannot be compiled: make the generator outside the compiled function
np.random.default_rng([[1, [2]]]).random() | NotImplementedError: a seed of sequences inside a sequence that hold more than integers cannot be compiled
np.random.default_rng([g]).random() | NotImplementedError: a seed that has arrays beside integers cannot be compiled: join them outside
np.random.Generator(5).random() | TypeError: numpy.random.Generator takes a bit generator
"""
BITS = ["PCG64", "PCG64DXSM", "Philox", "MT19937", "SFC64"]


def globals_of_all_kinds(n):
    return rng.random(n), legacy.randn(n), np.random.rand(2), rng.integers(5), np.random.normal(), method(2)


def module_functions(n):
    np.random.seed(n)
    return (np.random.rand(n), np.random.randn(), np.random.randint(0, 5, n), np.random.uniform(1, 2), np.random.normal(0, 1, 3), np.random.choice(n, 2),
            np.random.permutation(n), np.random.random(2), np.random.random_sample(), np.random.ranf(2), np.random.sample(), np.random.beta(1.0, 2.0), np.random.poisson(3, 2))


def two_names(g, h):
    return g.random(), h.random(), g.normal(), h.standard_normal(3)


def loops_and_branches(g, n):
    a, k = np.zeros(n), 0
    for i in range(n):
        x = g.normal()
        if x > 0:
            a[i] = x + g.random()
        else:
            k += g.integers(3)
    while g.random() < 0.9:
        k += 1
    if k > 3:
        h = np.random.default_rng(k)
    else:
        h = np.random.default_rng(k + 1)
    return a, k, h.random(2)


def helper(g, n):
    return g.standard_normal(n) * 2


def helpers(g, n):
    return helper(g, n), helper(g, (n, 2)).max(axis=0)


def unused_numbers(g):
    g.random(5)
    g.normal()
    return 3


def fails_later(g, n):
    x = g.random(3)
    if n > 2:
        raise ValueError("too many")
    return x


def bad_parameter(g, n):
    return g.random(3), g.normal(0, n, 3)


def total(g, n):
    s = 0.0
    for _ in range(n):
        s += g.random()
    return s


def children(g):
    first, second = g.spawn(2)
    third = second.spawn(1)[0]
    fourth = np.random.Generator(g.bit_generator.spawn(1)[0])
    return first.random(2), second.normal(), third.integers(0, 9, 3), fourth.random(), g.random()


def long_stream(g, n):
    return g.random(3), g.random(n), g.random(2)


# So many that a GPU draws them itself.
MANY = """
x | h = g.integers(0, 5, dtype=np.int32); return h, g.random(33000), g.random(33001, np.float32), g.uniform(-x, 3.0, (3, 11000)), g.random()
x | g.normal(x, 2.0, 33000), g.standard_normal(33001, dtype=np.float32), g.integers(0, 5, dtype=np.int32), g.normal()
x | g.exponential(x, 33000), g.standard_exponential(33000, np.float32), g.integers(0, 2**40, 33000), g.integers(0, 100, 33000, np.uint8), g.random()
x | o = np.empty(33000); g.standard_normal(out=o); g.random(out=o[:32768]); return o
"""
MANY_LEGACY = """
x | g.rand(66000), g.uniform(-x, 3.0, 66000), g.randint(0, 11, 66000), g.randint(0, 100, 66000, dtype=np.int8), g.randn(), g.choice(7, 66000)
"""


class Generators(Draws):
    def continues(self, function, *arguments):
        """Draws before, in and after three calls are Python's: of the arguments, the globals and numpy.random."""
        def all_of(call):
            global rng, legacy, method
            rng, legacy = np.random.default_rng(5), np.random.RandomState(4)
            method = rng.random
            np.random.seed(9)
            given = [fresh(a) if isinstance(a, str) else a for a in arguments]
            if len(given) > 1 and arguments[0] == arguments[1]:
                given[1] = given[0]
            sources = [rng, legacy, np.random, *(g for g in given if isinstance(g, (np.random.Generator, np.random.RandomState)))]
            before = [s.normal() for s in sources]
            during = [self.outcome(call, given) for _ in range(3)]
            return before, during, [(s.normal(), s.random()) for s in sources]

        self.same(all_of(jit(function)), all_of(function))
        executed.note(__file__, function, classes_of(GENERATOR))

    def outcome(self, call, arguments):
        try:
            return call(*arguments)
        except ValueError as error:
            return str(error)

    def test_globals(self):
        self.continues(globals_of_all_kinds, 3)
        self.continues(module_functions, 4)

    def test_arguments(self):
        for kind in (*BITS, LEGACY):
            self.continues(two_names, kind, kind)
        self.continues(two_names, GENERATOR, LEGACY)

    def test_control_flow(self):
        self.continues(loops_and_branches, GENERATOR, 40)
        self.continues(helpers, GENERATOR, 5)
        self.continues(unused_numbers, GENERATOR)

    def test_errors(self):
        self.continues(fails_later, GENERATOR, 5)
        self.continues(bad_parameter, LEGACY, -5.0)

    def test_children_of_arguments(self):
        """spawn() counts the children of a generator from outside, too."""
        compiled = jit(children)
        for kind in BITS:
            given, same = fresh(kind), fresh(kind)
            for _ in range(2):
                self.same(compiled(given), children(same))
            self.assertEqual(given.spawn(1)[0].random(), same.spawn(1)[0].random())
            self.assertEqual(given.random(), same.random())
        executed.note(__file__, children, classes_of(GENERATOR))
        with self.assertRaisesRegex(TypeError, "^The underlying SeedSequence does not implement spawning.$"):
            compiled(np.random.default_rng(np.random.RandomState(5)._bit_generator))

    def test_parts_of_a_stream(self):
        """So many words of MT19937 that a GPU makes parts of them side by side, from states that it jumps to."""
        given, same = fresh("MT19937"), fresh("MT19937")
        self.same(jit(long_stream)(given, 170_000), long_stream(same, 170_000))
        self.assertEqual(given.random(), same.random())

    def test_one_bit_generator(self):
        """Two generators over one state, whose lock they share."""
        results = []
        for call in (jit(two_names), two_names):
            bits = np.random.MT19937(5)
            results.append((call(np.random.Generator(bits), np.random.RandomState(bits)), bits.random_raw()))
        self.same(*results)

    def test_closures(self):
        def made():
            g = np.random.default_rng(8)
            return lambda n: g.random(n), g

        results = []
        for wrap in (jit, lambda function: function):
            function, g = made()
            function = wrap(function)
            results.append((function(2), function(3), g.random()))
        self.same(*results)

    def test_threads(self):
        """A call has the generator for itself."""
        compiled = jit(total)
        shared, alone = np.random.default_rng(1), np.random.default_rng(1)
        compiled(np.random.default_rng(1), 2)
        sums = []
        threads = [threading.Thread(target=lambda: sums.append(compiled(shared, 20000))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(sums), sorted(total(alone, 20000) for _ in range(4)))
        self.assertEqual(shared.random(), alone.random())

    def test_entropy(self):
        """Without a seed the numbers are others each time."""
        def unseeded():
            return np.random.default_rng().random(), np.random.RandomState().rand(), np.random.Generator(np.random.SFC64()).random()

        compiled = jit(unseeded)
        self.assertEqual(len({*compiled(), *compiled()}), 6)

    def test_seeds(self):
        self.rows("".join(f"n i u q k | np.random.default_rng({s}).random(2), np.random.Generator(np.random.MT19937({s})).random()\n" for s in SEEDS), GENERATOR)

    def test_nested_seeds(self):
        self.rows("".join(f"n | np.random.default_rng({s}).random(2)\n" for s in NESTED), GENERATOR, fails=not takes_nested_seeds())

    def test_bit_generators(self):
        self.rows("".join(f"x | b = np.random.{b}(123); h = np.random.Generator(b); return h.random(3), h.integers(0, 100, 5, np.uint8), h.random(2, np.float32), b.random_raw(3), h.random(700)[-1]\n"
                          f"x | h = np.random.default_rng(np.random.{b}(5)); s = h.spawn(2); t = h.spawn(1); return s[0].random(2), s[1].normal(), t[0].random(), h.random(), s[1].spawn(1)[0].random()\n"
                          f"x | r = np.random.RandomState(np.random.{b}(np.random.SeedSequence(5))); b = np.random.{b}(12).spawn(2); return r.random(2), r.randn(3), np.random.Generator(b[1]).random()\n"
                          for b in BITS), GENERATOR)

    def test_made_inside(self):
        self.rows(MADE, GENERATOR)
        self.rows(STATES, LEGACY)

    def test_refused(self):
        rows = [[part.strip() for part in line.split("|", 1)] for line in REFUSED.strip().splitlines()]
        if not takes_nested_seeds():
            rows = [row for row in rows if "sequences inside a sequence" not in row[1]]
        for (body, words), function in zip(rows, lines.functions("test_random_generators.refused", [("g", body) for body, _ in rows])):
            # What Python would raise too is raised at the call.
            error, _, rest = words.partition(": ")
            kind = {"TypeError": TypeError, "AttributeError": AttributeError}.get(error, npcc.CompileError)
            with self.subTest(body):
                with self.assertRaises(kind) as caught:
                    jit(function)(np.random.default_rng(1))
                self.assertTrue(str(caught.exception).startswith(words if kind is npcc.CompileError else rest), caught.exception)

    def test_bit_generators_from_outside(self):
        bits, seeds = np.random.PCG64(5), np.random.SeedSequence(5)

        def of_bits():
            return np.random.Generator(bits).random()

        def of_seeds():
            return np.random.default_rng(seeds).random()

        for function in (of_bits, of_seeds):
            with self.assertRaisesRegex(npcc.CompileError, "a bit generator or SeedSequence from outside cannot be used in compiled code"):
                jit(function)()

    def test_many_numbers(self):
        self.rows(MANY, *BITS)
        self.rows(MANY_LEGACY, LEGACY)

    def test_questions(self):
        self.rows("x | isinstance(g, np.random.Generator), isinstance(g, (int, np.random.RandomState)), 1 if g else 2, not g, g is None, g.random() if isinstance(g, np.random.Generator) else g.rand()",
                  GENERATOR, LEGACY)

    def test_bad_seeds(self):
        self.rows(BAD, GENERATOR, fails=True)


if __name__ == "__main__":
    unittest.main()
