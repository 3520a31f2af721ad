"""Formats that are made at run time, strings of arrays with options, and text as numbers: compiled, against Python and NumPy."""
import contextlib
import io
import unittest

import numpy as np

import executed
import harness
from everything import Everything

x = np.linspace(-1.0, 2.0, 7)


class RuntimeFormats(Everything):
    def test_specs(self):
        def shown(v, n):
            spec = f"{n + 5}.{n}f"
            return f"{v[0]:{n + 5}.{n}f}|{n:0{n}d}", format(v[1], spec), format(n, ">" + str(n)), f"{str(n):>{n * 2}}", f"{n > 2!r:>{n + 4}}"
        self.check(shown, x, 3)
        self.check(shown, x.astype(np.float32), 4)

    def test_templates(self):
        def shown(v, n):
            template = "{:" + str(n + 4) + "d} {} {:.1f}"
            percent = "%" + str(n) + "d and %s"
            return template.format(n, v[0] > 0, v[1]), percent % (n, "end"), "%*d|%.*f" % (n, n, 2, v[2]), ("<%" + str(n) + "s>") % str(n)
        self.check(shown, x, 3)
        self.check(shown, x, 5)

    def test_errors(self):
        def wrong(n):
            return f"{n:{n}q}"
        self.check(wrong, 3)

        def missing(n):
            return ("%d %d" + str(n)) % n
        self.check(missing, 3)

    def test_known_values(self):
        def shown(n):
            return "%i, %f and %s" % (1, 0.1, "text"), "%s" % (None,), n
        self.check(shown, 1)


class ArrayTexts(Everything):
    def test_options(self):
        def shown(v):
            return (np.array2string(v, precision=2), np.array2string(v, separator=", ", max_line_width=30, prefix="v = ", suffix=";"),
                    np.array2string(v, threshold=3, edgeitems=1), np.array2string(v, sign="+", floatmode="fixed", suppress_small=True),
                    np.array_str(v, precision=1), np.array_repr(v, max_line_width=20), np.array_repr(v > 0), np.array_str(v.reshape(1, -1)[:, ::2], suppress_small=True))
        self.check(shown, x)
        self.check(shown, x.astype(np.float32) * 1e-9)

    def test_numbers(self):
        def shown(v):
            return (np.format_float_positional(v[2]), np.format_float_positional(v[1], precision=3, trim="-", sign=True, pad_left=4), np.format_float_scientific(v[2] * 1e9),
                    np.format_float_scientific(v[1], precision=2, unique=False, exp_digits=3))
        self.check(shown, x / 3)

    def test_print_options(self):
        def printed(v):
            print(v)
            np.set_printoptions(precision=2, suppress=True)
            print(v)
            np.set_printoptions(precision=8, suppress=False, linewidth=20)
            print(v)
            np.set_printoptions(linewidth=75)
        texts = []
        for one in (printed, harness.jit(printed)):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                one(x / 3)
            texts.append(out.getvalue())
        self.assertEqual(texts[1], texts[0])
        executed.note(__file__, printed)


class Digits(Everything):
    def test_digits(self):
        def written(n, w):
            return np.base_repr(n), np.base_repr(n, 16), np.base_repr(n, base=3, padding=2), np.binary_repr(n), np.binary_repr(n, width=w), np.base_repr(13, 36)
        for n in (0, 1, 5, -1, -4, -5, 127, -128):
            self.check(written, n, 9)

        def narrow(n, w):
            return np.binary_repr(n, w)
        self.check(narrow, 9, 3)
        self.check(narrow, -9, 4)

        def wrong(n):
            return np.base_repr(n, 37)
        self.check(wrong, 3)

    def test_numbers_of_text(self):
        def read(text, n):
            return np.fromstring(text, sep=","), np.fromstring(text, dtype=np.float32, count=n, sep=","), np.fromstring(str(n) + " 2 3", np.int64, sep=" "), np.fromstring("", sep=",")
        self.check(read, "1, 2.5,-3e2", 2)
        self.check(read, "7,", 1)

        def wrong(text):
            return np.fromstring(text, sep=",")
        self.check(wrong, "1,x")
        self.check(wrong, "1,,2")

        def binary(text):
            return np.fromstring(text)
        self.check(binary, "12345678")


if __name__ == "__main__":
    unittest.main()
