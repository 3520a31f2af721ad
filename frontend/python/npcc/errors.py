"""What the compiler says about a program, as Python's own kind of error."""
import linecache
import traceback


class CompileError(SyntaxError):
    """What npcc cannot compile: file, line, columns and the source line, as for a syntax error. Further errors are notes."""


def make_error(diagnostic):
    """A CompileError of one diagnostic: a dict as the extension gives it."""
    file, line = diagnostic["file"], diagnostic["line"]
    text = linecache.getline(file, line) or None
    column, end_line, end_column = diagnostic["column"] or None, diagnostic["end_line"] or None, diagnostic["end_column"] or None
    error = CompileError(diagnostic["message"], (file, line, column, text, end_line, end_column))
    for note in diagnostic["notes"]:
        error.add_note(note)
    return error


def compile_error(diagnostics):
    """One exception for all errors of a compilation."""
    errors = [d for d in diagnostics if d["is_error"]] or diagnostics
    if not errors:
        return RuntimeError("npcc: the compilation failed without a message (a bug in npcc)")
    located = [d for d in errors if d["line"]]
    if not located:
        return RuntimeError("npcc: " + "; ".join("\n".join([d["message"], *d["notes"]]) for d in errors))
    first, *others = [make_error(d) for d in located]
    for error in others:
        first.add_note("".join(traceback.format_exception_only(error)).rstrip())
    return first
