# RUN: %python %s
"""Functions of exec(), eval(), `python -c`, a script on the standard input and the prompt compile: their text is found near, and shown in errors."""
import functools
import os
import pty
import select
import subprocess
import sys
import tempfile
import time
import traceback

import numpy as np

import npcc

names = {"np": np, "npcc": npcc}
exec("@npcc.jit\ndef doubled(a):\n    return helper(a) * 2\n\ndef helper(a):\n    return a.sum() + 1\n", names)
assert names["doubled"](np.arange(3.0)) == 8.0

scale = 3.0
text = "lambda a: a * scale"
assert npcc.jit(eval(text))(2.0) == 6.0

for number in (1, 2):  # the same names, other code
    made, text = {}, f"def power(x):\n    return x ** {number}\n"
    exec(text, made)
    assert npcc.jit(made["power"])(3.0) == 3.0**number

made = {"np": np}
exec("def bad(a):\n    return np.random.set_state('x') + a\n", made)
try:
    npcc.jit(made["bad"])(1.0)
except npcc.CompileError as error:
    assert "return np.random.set_state('x') + a" in "".join(traceback.format_exception_only(error))
else:
    raise AssertionError

assert npcc.jit(functools.partial(lambda a, b: a * b, b=3))(2.0) == 6.0

SCRIPT = """import numpy as np, npcc
@npcc.jit
def f(a):
    return a.sum() * 2

print(f(np.arange(4.0)), npcc.jit(lambda x: x - 1)(3.0))
"""
assert subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True).stdout == "12.0 2.0\n"
with tempfile.TemporaryFile("w+") as file:
    file.write(SCRIPT)
    file.seek(0)
    assert subprocess.run([sys.executable], stdin=file, capture_output=True, text=True, check=True).stdout == "12.0 2.0\n"

# The prompt: its history has what was typed.
try:
    import readline  # noqa: F401
except ImportError:
    sys.exit()
child, terminal = pty.fork()
if child == 0:
    os.environ["TERM"] = "dumb"
    os.execv(sys.executable, [sys.executable, "-q"])
os.write(terminal, (SCRIPT + "exit()\n").encode())
shown, end = b"", time.monotonic() + 60
while time.monotonic() < end:
    try:
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 4096)
    except OSError:  # the prompt is gone
        break
os.waitpid(child, 0)
assert b"12.0 2.0" in shown, shown.decode()
