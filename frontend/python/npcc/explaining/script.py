"""`npcc explain script.py`: the script runs with its functions compiled, and what they became is shown."""
from .. import _npcc, aot, targets
from ..errors import compile_error
from ..jit import specialisers
from ..profiling import profile
from ..runner import run
from . import explanation


def explain_script(path, arguments=(), target=None, device=None, declarations=(), options=None):
    """(the status that the script ended with, an Explanation). With declared types (--sig) nothing runs: extents are unknown then."""
    chosen = targets.find(target) if target is not None else targets.default()
    limits = explanation.of_target(chosen, device)
    if declarations:
        return 0, explanation.read(list(_declared(path, declarations, dict(options or {}, target=chosen.name))), limits)
    recording = profile(None)
    with recording:
        status = run(path, list(arguments), target, after=0)
    texts = [said for specialiser in list(specialisers) for said in specialiser.said()]
    return status, explanation.read(texts, limits).attach(recording.events)


def _declared(path, declarations, options):
    script = aot.read(path, declarations)
    for function in script.functions.values():
        for signature in function.signatures:
            signature = aot.with_defaults(function.function, signature)
            text, diagnostics, *_ = _npcc.emit(function.function, signature, options, "explain")
            if text is None:
                raise compile_error(diagnostics)
            yield text, (), ()
