"""The command line: npcc script.py -o script.so, npcc run script.py, npcc profile script.py, npcc explain script.py."""
import argparse
import sys
import traceback
from pathlib import Path

from . import __version__, _npcc, aot, targets
from .jit import MATMUL
from .profiling import profile
from .runner import AFTER, run
from .script import ScriptError

PHASES = ("ast", "import", "np", "kernels", "linalg", "loops", "explain", "gpu", "llvm", "ptx", "asm")

NAN_ELSEWHERE = "--nan is for --target debug"


def make_parser():
    parser = argparse.ArgumentParser(prog="npcc", description="Compiles NumPy-style Python to CPUs and GPUs.",
                                     epilog="npcc run script.py [arguments]: run a script with its functions compiled; npcc profile script.py -o trace.json: and record it; "
                                            "npcc explain script.py: and show what it became")
    parser.add_argument("script", help="a Python file; functions with declared signatures are compiled")
    parser.add_argument("-o", "--output", help="the module to write (script.so)")
    parser.add_argument("--sig", action="append", default=[], metavar="SIGNATURE",
                        help="'step(float64[:,:], float)': compile this function for these types; instead of what the script declares")
    parser.add_argument("--target", help="cpu, cuda, or both (cpu,cuda: the default); debug: with checks of all accesses, on the host")
    parser.add_argument("--nan", action="store_true", help="debug: report where a NaN is made")
    parser.add_argument("--arch", default="sm_90", help="GPU architectures to make machine code for; later ones use PTX")
    parser.add_argument("--cpu", default="native", help="the CPU to compile for, by LLVM's name; x86-64-v3 for modules that travel")
    parser.add_argument("--matmul", choices=MATMUL, default="exact", help="how products of float32 are computed")
    parser.add_argument("--cuda-path", default="", help="folder of the CUDA toolkit")
    parser.add_argument("--emit", choices=PHASES, help="print a phase instead of writing a module")
    parser.add_argument("--header", help="the C header to write (script.h)")
    parser.add_argument("--version", action="version", version=f"npcc {__version__}")
    return parser


def make_run_parser():
    parser = argparse.ArgumentParser(prog="npcc run", description="Runs a script with its functions compiled; lists what ran in Python.")
    parser.add_argument("--target", choices=tuple(targets.TARGETS))
    parser.add_argument("--nan", action="store_true", help="debug: report where a NaN is made")
    parser.add_argument("--after", type=float, metavar="SECONDS",
                        help=f"compile a function when it has run in Python for so long (default: {AFTER}, with --target debug 0); 0: at its first call")
    parser.add_argument("--report", action="store_true", help="list all functions: what was compiled, what stayed in Python and why, and the time in each")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    return parser


def run_command(parser, argv):
    options = parser.parse_args(argv)
    if options.nan and (options.target is None or "nan" not in targets.find(options.target).options):
        parser.error(NAN_ELSEWHERE)
    after = options.after if options.after is not None else 0 if options.target == "debug" else AFTER
    return run(options.script, options.arguments, options.target, options.nan, after, options.report)


def make_profile_parser():
    parser = argparse.ArgumentParser(prog="npcc profile", description="Runs a script with its functions compiled, and writes what ran when as a trace for Perfetto.")
    parser.add_argument("-o", "--output", default="trace.json", help="the trace to write (trace.json), for https://ui.perfetto.dev or chrome://tracing")
    parser.add_argument("--target", choices=tuple(targets.TARGETS))
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="of the script; -o FILE may stand among them")
    return parser


def among_arguments(options, value, *flags):
    """What follows the script is its own, but for one option: `npcc profile script.py -o trace.json`. The script's arguments, and that option's value."""
    arguments = list(options.arguments)
    for flag in flags:
        if flag in arguments[:-1]:
            at = arguments.index(flag)
            value = arguments[at + 1]
            del arguments[at:at + 2]
    return arguments, value


def profile_command(options):
    arguments, output = among_arguments(options, options.output, "-o", "--output")
    recording = profile(output)
    try:
        with recording:
            status = run(options.script, arguments, options.target, after=0)
    finally:
        print(f"{recording.summary()}\nnpcc: the trace is in {output}", file=sys.stderr)
    return status


def make_explain_parser():
    parser = argparse.ArgumentParser(prog="npcc explain", description="Runs a script with its functions compiled, and shows what they became: kernels, "
                                     "what they read and write and the least time for that, where loops run, and why.")
    parser.add_argument("--html", metavar="PAGE.html", help="write a page with the source beside it, instead of text")
    parser.add_argument("--device", help="whose least times: H100, A100, ...; default: the device that runs the code")
    parser.add_argument("--target", choices=tuple(targets.TARGETS))
    parser.add_argument("--sig", action="append", default=[], metavar="SIGNATURE", help="'step(float64[:,:], float)': explain this function for these types, "
                        "without running the script's main part; extents stay names")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="of the script; --html PAGE.html may stand among them")
    return parser


def explain_command(options):
    from .explaining.script import explain_script
    arguments, page = among_arguments(options, options.html, "--html")
    try:
        status, explanation = explain_script(options.script, arguments, options.target, options.device, options.sig)
        if page:
            explanation.save(page)
            print(f"npcc: the page is {page}", file=sys.stderr)
        else:
            print(explanation)
        return status
    except SyntaxError as error:
        print("".join(traceback.format_exception_only(error)), end="", file=sys.stderr)
    except (OSError, ValueError, RuntimeError, ScriptError) as error:
        print(f"npcc: {error}", file=sys.stderr)
    return 1


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    if argv[:1] == ["run"]:
        return run_command(make_run_parser(), argv[1:])
    if argv[:1] == ["profile"]:
        return profile_command(make_profile_parser().parse_args(argv[1:]))
    if argv[:1] == ["explain"]:
        return explain_command(make_explain_parser().parse_args(argv[1:]))
    return compile_command(make_parser().parse_args(argv))


def compile_command(options):
    try:
        chosen = targets.of_list(options.target or ",".join(t.name for t in targets.TARGETS.values() if t.is_default))
        if options.nan and not any("nan" in target.options for target in chosen):
            raise ValueError(NAN_ELSEWHERE)
    except ValueError as error:
        print(f"npcc: {error}", file=sys.stderr)
        return 2
    try:
        script = aot.read(options.script, options.sig)
        if not any(f.signatures for f in script.functions.values()):
            print(f"npcc: {script.path} declares no signatures: annotate parameters (def f(x: npcc.f64[:, :])), write '# npcc export "
                  f"f(float64[:,:])', or give --sig", file=sys.stderr)
            return 1
        compiler_options = dict(arch=options.arch, cpu=options.cpu, cuda_path=options.cuda_path, check_nans=options.nan, matmul=options.matmul)
        if options.emit:
            target = targets.of_phase(options.emit, chosen[0])
            print(aot.phase_text(script, options.emit, dict(compiler_options, target=target.name)))
            return 0
        return write_module(script, options, chosen, compiler_options)
    except SyntaxError as error:  # a CompileError too: file, line, source, caret, notes
        print("".join(traceback.format_exception_only(error)), end="", file=sys.stderr)
    except ScriptError as error:
        print(f"{error}npcc: {options.script} cannot be imported", file=sys.stderr)
    except (OSError, ValueError, RuntimeError) as error:
        print(f"npcc: {error}", file=sys.stderr)
    return 1


def write_module(script, options, chosen, compiler_options):
    output = Path(options.output or script.path.with_suffix(".so").name)
    aot.build(script, output, chosen, compiler_options, options.header)
    for function in script.functions.values():
        if function.reason:
            print(f"npcc: {script.path}:{function.node.lineno}: {function.name} stays Python: {function.reason}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
