"""Ahead of time: a script to a Python extension that needs NumPy and libnpcc_rt only."""
import shutil
import traceback
from pathlib import Path

from . import _npcc
from .errors import CompileError, add_note, compile_error
from .constants import Constant
from .parameters import MISSING, describe_parameters
from .script import Script
from .targets import Target

PACKAGE = Path(__file__).parent


def read(path, declarations=()):
    """The script with its signatures: those given ("--sig"), or else those that it declares itself."""
    script = Script(path)
    for text in declarations:
        script.declare(_npcc.parse_signatures(text), f"--sig '{text}'")
    if not declarations:
        script.declare_exports()
    return script


def phase_text(script, phase, options):
    """The text of a phase of every declared function."""
    if phase == "ast":
        import ast
        return "\n".join(ast.dump(f.node, indent=2) for f in script.functions.values() if f.signatures)
    texts = []
    for function in script.functions.values():
        for types in function.signatures:
            types = with_defaults(function.function, types)
            text, diagnostics, *_ = _npcc.emit(function.function, types, options, phase)
            if text is None:
                raise compile_error(diagnostics)
            texts.append(text)
    return "\n".join(texts)


def with_defaults(function, types):
    """The types of a signature, and the defaults of the parameters that it leaves out. One without a default stays out, which the compiler tells."""
    defaults = describe_parameters(function)[3][len(types):]
    return types if MISSING in defaults else types + tuple(Constant(default) for default in defaults)


class Compiler:
    """Machine code of the functions of a script."""

    def __init__(self, script, targets, options):
        self.script, self.targets, self.options = script, targets, options
        self.codes = []  # GPUs before the CPU, fast versions before general ones
        self.called = []  # (function, types): helpers that were compiled in place, and with which types

    def declared(self):
        """Compiles what is declared. All errors of all functions come as one CompileError."""
        errors = []
        for function in self.script.functions.values():
            for number in range(len(function.signatures)):
                try:
                    self.codes += self._compile(function, number)
                except CompileError as error:
                    errors.append(error)
        if errors:
            first, *others = _distinct(errors)
            for error in others:
                add_note(first, "".join(traceback.format_exception_only(error)).rstrip())
            raise first

    def inferred(self):
        """Compiles the other functions for the types that compiled ones call them with. One that cannot stand alone stays Python."""
        for function in self.script.functions.values():
            if function.signatures:
                continue
            function.signatures = list(dict.fromkeys(types for called, types in self.called if called is function.function))
            if not function.signatures:
                function.reason = "no signature is declared for it, and no compiled function calls it with arrays and numbers alone"
                continue
            try:
                self.codes += [code for number in range(len(function.signatures)) for code in self._compile(function, number)]
            except CompileError as error:
                function.signatures = []
                function.reason = f"{error.filename}:{error.lineno}: {error.msg}"

    def _compile(self, function, number):
        codes, types = [], with_defaults(function.function, function.signatures[number])
        for target in sorted(self.targets, key=Target.needs_gpu, reverse=True):  # a GPU's code before the host's
            for general in (False, True):
                symbol = f"{function.name}_{number}_{target.name}" + ("_general" if general else "")
                options = dict(self.options, target=target.name, general=general, symbol=symbol)
                code, diagnostics, called, *_ = _npcc.compile(function.function, types, options)
                if code is None:
                    raise compile_error(diagnostics)
                codes.append(code)
                if not general:
                    self.called += called
        return codes


def _distinct(errors):
    """The same mistake is found for each signature."""
    seen = {}
    for error in errors:
        seen.setdefault((error.filename, error.lineno, error.offset, error.msg), error)
    return list(seen.values())


def build(script, output, targets, options, header=None):
    """Writes the module, its header, and what it needs beside it: libnpcc_rt.so and npcc_rt.h."""
    output = Path(output)
    compiler = Compiler(script, targets, options)
    compiler.declared()
    compiler.inferred()
    compiled = {f.name for f in script.functions.values() if f.signatures}
    header = Path(header) if header else output.with_name(module_name(output) + ".h")
    text = _npcc.link(str(output), module_name(output), str(script.path), script.remaining_source(compiled), compiler.codes, options)
    header.write_text(text)
    _copy(PACKAGE / "libnpcc_rt.so", output.parent)
    _copy(PACKAGE / "include" / "npcc_rt.h", header.parent)


def module_name(output):
    """The name that the file is imported by: heat.so and heat.abi3.so are `heat`."""
    return Path(output).name.partition(".")[0]


def _copy(source, folder):
    destination = folder / source.name
    if not destination.exists() or destination.read_bytes() != source.read_bytes():
        temporary = destination.with_name(destination.name + ".part")
        shutil.copyfile(source, temporary)
        temporary.replace(destination)  # a process may have the old one open
