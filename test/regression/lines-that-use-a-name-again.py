"""Each line computes a name from itself, used several times. Twice the lines must make about twice the program, after every pass, and nobody may go
through all the ways from the last line to the first: with three uses a line there are 3 to the 40th of them, so that who goes through them ends at
the limit of the processor's time."""
# RUN: %python %s cpu | FileCheck %s
# RUN: %python %s cuda | FileCheck %s
# CHECK: grows with its lines: 37 forms
import os
import re
import resource
import subprocess
import sys
import tempfile

LINES = (20, 40)
SECONDS = 30  # of the processor, for one form: no measure, but the end of what would not end
ROW, SQUARE, POSITIONS = "np.linspace(0, 0.0001, 50)", "np.linspace(0, 0.0001, 25).reshape(5, 5)", "np.arange(5)"

# The parameters, a line (or lines), the result, the arguments.
FORMS = {
    "arrays": ("c", "c = c * c + c", "c", ROW),
    "floats": ("c", "c = c * c + c", "c", "0.001"),
    "ints": ("c", "c = (c * c + c) % 7", "c", "3"),
    "extents": ("c", "c = (c * c + c) % 7 + 1", "np.zeros(c + 3)", "3"),
    "bounds of a selection": ("c", "c = (c * c + c) % 7 + 1", "np.arange(100)[c:] * 2", "3"),
    "a position": ("c", "c = (c * c + c) % 7 + 1", "np.arange(100)[c] * 2", "3"),
    "extremes": ("c", "c = (min(c, c * 2) + max(c, 3) - c) % 100", "c", "3"),
    "complex numbers": ("c", "c = c * c + c", "c", f"1j * {ROW}"),
    "elements at positions": ("c, x", "c = x[c] + c * 0 + c * 0", "c", f"{POSITIONS}, {POSITIONS}"),
    "an element at a position": ("c, x", "c = x[c] + x[c] - c", "c", f"3, {POSITIONS} % 2 + 1"),
    "choices": ("c", "c = np.where(c > 0.00005, c, -c) * c + c", "c", ROW),
    "a sum": ("c", "c = c * c.sum() + c", "c", ROW),
    "sums of rows": ("c", "c = c * c.sum(axis=1, keepdims=True) + c", "c", SQUARE),
    "a mean and a deviation": ("c", "c = (c - c.mean()) * c / (1 + c.std())", "c", ROW),
    "an extremum": ("c", "c = c * c[c.argmax()] + c", "c", ROW),
    "transposed": ("c", "c = c.T * c + c", "c", SQUARE),
    "reversed": ("c", "c = c[::-1] * c + c", "c", ROW),
    "rolled": ("c", "c = np.roll(c, 1) * c + c", "c", ROW),
    "neighbours": ("c", "c = c[1:] * c[:-1] + c[1:]", "c", "np.linspace(0, 0.0001, 90)"),
    "columns": ("c", "c = c[:, None] * c + c[:, None]\nc = c[0]", "c", ROW),
    "reshaped": ("c", "c = (c.reshape(-1) * c.reshape(-1) + c.reshape(-1)).reshape(c.shape)", "c", SQUARE),
    "joined": ("c", "c = np.concatenate((c[:2] * c[:2], c[2:] + c[2:]))", "c", ROW),
    "stacked": ("c", "c = np.stack((c[0] * c[1], c[1] + c[0]))", "c", "np.linspace(0, 0.0001, 24).reshape(2, 12)"),
    "products": ("c", "c = c @ c + c", "c", SQUARE),
    "running sums": ("c", "c = np.cumsum(c) * c + c", "c", ROW),
    "masks": ("c, d", "c = (c & d) | (c ^ d)", "c", f"{POSITIONS} > 2, {POSITIONS} > 3"),
    "conditions": ("c, d", "c = (c and d) or (c and not d)", "c", "True, False"),
    "branches": ("c", "if c > 2: c = c * c - c\nelse: c = c + c", "c", "3.0"),
    "branches of arrays": ("c, n", "if n > 2: c = c * c - c\nelse: c = c + c", "c", f"{ROW}, 3"),
    "powers": ("c", "c = c ** 2 + c ** 3 - c", "c", ROW),
    "remainders": ("c", "c = (c * c + c) % 1.5", "c", ROW),
    "dtypes": ("c", "c = c.astype(np.float32) * c + c", "c", ROW),
    "loops": ("c", "for i in range(c.shape[0]):\n    c[i] = c[i] * c[i] + c[i]", "c", ROW),
    "stores": ("c", "c[1:] = c[1:] * c[:-1] + c[1:]", "c", ROW),
    "lists": ("c", "c = [c[0] * c[1] + c[0], c[1] + c[0]]", "c[0]", "[0.1, 0.2]"),
    "two names": ("c, d", "c, d = d * c + d, c * c", "c + d", f"{ROW}, {ROW}"),
    "calls": ("c", "c = h(c) * c + h(c)", "c", ROW),
}
# Each position is computed from the first line on, so that such lines grow with their square.
SQUARES = ("an element at a position",)
HEAD = "import numpy as np\n\n\ndef h(c):\n    return c * c + c\n\n\n"


def source(form, lines):
    parameters, line, result, _ = FORMS[form]
    return f"def f({parameters}):\n" + "".join(f"    {part}\n" for part in line.splitlines() * lines) + f"    return {result}\n"


def compile_all(target):
    """In a process of its own, which says on the stream that the passes print to what it compiles."""
    import importlib.util

    import numpy as np

    import npcc
    with tempfile.TemporaryDirectory() as folder:
        for number, form in enumerate(FORMS):
            spent = int(resource.getrusage(resource.RUSAGE_SELF).ru_utime)
            resource.setrlimit(resource.RLIMIT_CPU, (spent + SECONDS, resource.RLIM_INFINITY))
            for lines in LINES:
                path = os.path.join(folder, f"form_{number}_{lines}.py")
                with open(path, "w") as file:
                    file.write(HEAD + source(form, lines))
                print(f"\n//// {form} {lines}", file=sys.stderr, flush=True)
                spec = importlib.util.spec_from_file_location(f"form_{number}_{lines}", path)
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
                arguments = eval(f"({FORMS[form][3]},)", {"np": np})
                npcc.jit(target=target, cache=False)(module.f).explain(*arguments, **({"device": "H200"} if target == "cuda" else {}))


def sizes(text):
    """The most lines that a program has after each pass, by form, pass and lines of source."""
    found = {}
    for part in re.split(r"^//// ", text, flags=re.M)[1:]:
        form, lines = part.split("\n", 1)[0].rsplit(" ", 1)
        for dump in re.split(r"^// -----// IR Dump After ", part, flags=re.M)[1:]:
            size = found.setdefault((form, dump.split(" ", 1)[0]), {})
            size[int(lines)] = max(size.get(int(lines), 0), dump.count("\n"))
    return found


def main(target):
    environment = dict(os.environ, NPCC_PRINT_PASSES="1", NPCC_CACHE="0")
    done = subprocess.run([sys.executable, __file__, target, "compile"], env=environment, capture_output=True, text=True)
    last = re.findall(r"^//// (.*)$", done.stderr, re.M)[-1:]
    assert done.returncode == 0, f"at {last}: status {done.returncode}\n{done.stderr[-2000:]}"
    found = sizes(done.stderr)
    faster = []
    for (form, name), size in found.items():
        few, many = (size.get(lines) for lines in LINES)
        if few and many and many > (5 if form in SQUARES else 3) * few + 60:
            faster.append(f"{form}: {few} and {many} lines after {name}")
    assert not faster, "\n".join(faster)
    print(f"grows with its lines: {len(FORMS)} forms")


if __name__ == "__main__":
    compile_all(sys.argv[1]) if "compile" in sys.argv else main(sys.argv[1])
