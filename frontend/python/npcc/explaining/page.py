"""An explanation as one HTML page: the source, and beside each line what it became."""
import html
import linecache

from . import text

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #1c1c28; background: #fff }
h2 { font-size: 1.15em; margin: 2em 0 .3em } h2 code { font-size: 1em } .for { color: #667; margin: 0 0 1em }
table.source { border-collapse: collapse; width: 100%; font: 13px/1.5 ui-monospace, monospace }
table.source td { padding: 0 .6em; vertical-align: top; white-space: pre } td.number { color: #99a; text-align: right; user-select: none }
td.marks { white-space: normal; font: 12px/1.6 system-ui, sans-serif; min-width: 24em } tr.has td { background: #f6f7fb }
a.kernel { display: inline-block; border-radius: 3px; padding: 0 .5em; margin-right: .4em; color: #fff; text-decoration: none }
.why { color: #8a4b00 } .loop { color: #225 } .kernel-card { border-left: 5px solid; padding: .3em 1em; margin: .8em 0 } .kernel-card h3 { font-size: 1em; margin: .2em 0 }
dl { display: grid; grid-template-columns: 8em 1fr; margin: 0; font-size: 13px } dd { margin: 0 } dt { color: #667 }
.bar { background: #e4e6ef; height: .7em; max-width: 30em } .bar i { display: block; height: 100%; background: #3b7 }
:target { background: #fffbe0 }
"""
COLORS = ("#3566b0", "#b0562f", "#2f8a57", "#8a3f8f", "#9a7b1c", "#2b8a9a", "#a83252", "#5a6b2a")


def color(kernel):
    return COLORS[(kernel.number - 1) % len(COLORS)]


def of(explanation):
    body = "".join(_function(number, function, explanation.device) for number, function in enumerate(explanation.functions))
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/><title>npcc explain</title><style>{STYLE}</style></head>'
            f"<body><h1>What it became</h1>{body or '<p>Nothing has been compiled yet.</p>'}</body></html>\n")


def _function(number, function, device):
    known = ", ".join(f"{name}: {' × '.join(map(str, value.shape)) if hasattr(value, 'shape') else value}" for name, value in function.numbers.values.items())
    shown = [kernel for kernel in function.kernels if kernel.is_taken]
    return (f"<section><h2><code>{html.escape(function.signature)}</code> {html.escape(function.target)}</h2>"
            f'<p class="for">{html.escape("for " + known if known else "extents of the call are not known")}</p>'
            f"{_source(number, function, shown)}{''.join(_card(number, kernel, function, device) for kernel in shown)}</section>")


def _notes(function):
    """line -> notes, of the function's file."""
    notes = {}
    for node in text._loops(function.body):
        notes.setdefault(node["line"], []).append(("loop", "; ".join([text.loop_title(node, function), *text.decisions(node, function)])))
    for line, said in sorted(set(text.reasons(function))):
        notes.setdefault(line, []).append(("why", said))
    return notes


def _source(number, function, kernels):
    marked, notes = {}, _notes(function)
    for kernel in kernels:
        for line in kernel.lines:
            marked.setdefault(line, []).append(kernel)
    lines = set(marked) | set(notes)
    if not lines:
        return ""
    first, last = _extent(function.file, min(lines), max(lines))
    rows = []
    for line in range(first, last + 1):
        marks = "".join(f'<a class="kernel" style="background:{color(kernel)}" href="#f{number}k{kernel.number}">{kernel.number} {html.escape(kernel.kind)}</a>'
                        for kernel in marked.get(line, ()))
        marks += "".join(f'<div class="{kind}">{html.escape(said)}</div>' for kind, said in notes.get(line, ()))
        rows.append(f'<tr{" class=" + chr(34) + "has" + chr(34) if line in lines else ""}><td class="number">{line}</td>'
                    f"<td>{html.escape(linecache.getline(function.file, line).rstrip())}</td><td class=\"marks\">{marks}</td></tr>")
    return f'<table class="source">{"".join(rows)}</table>'


def _extent(file, first, last):
    """From the `def` above to the end of its block."""
    while first > 1 and not linecache.getline(file, first).lstrip().startswith("def "):
        first -= 1
    total = len(linecache.getlines(file))
    while last < total and linecache.getline(file, last + 1).startswith((" ", "\t")):
        last += 1
    return first, last


def _card(number, kernel, function, device):
    rows = "".join(f"<dt>{what}</dt><dd>{html.escape(said)}</dd>" for what, said in text.facts(kernel, function, device))
    floor, bar = kernel.floor(device), ""
    if floor and kernel.measured and kernel.launches:
        share = min(1.0, floor / kernel.launches / (kernel.measured[0] / kernel.measured[1]))
        bar = f'<dt>of the floor</dt><dd><div class="bar"><i style="width:{share:.0%}"></i></div>{share:.0%}</dd>'
    return (f'<div class="kernel-card" id="f{number}k{kernel.number}" style="border-color:{color(kernel)}"><h3>kernel {kernel.number}: '
            f"{html.escape(text.title(kernel, function))}</h3><dl>{rows}{bar}</dl></div>")
