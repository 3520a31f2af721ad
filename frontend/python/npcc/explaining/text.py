"""An explanation as text."""
import linecache
import os
import re


def of(explanation):
    return "\n\n".join(_function(function, explanation.device) for function in explanation.functions) or "nothing has been compiled yet"


def source_line(file, line):
    return linecache.getline(file, line).strip()


def place(file, line):
    return f"{os.path.basename(file)}:{line}"


#---- Numbers ----

def size(number):
    """12,345 bytes; 1.23 MB"""
    for unit, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if number >= scale:
            return f"{number / scale:.3g} {unit}" if number < 999.5 * scale else f"{number / scale:.0f} {unit}"
    return f"{number:,} bytes"


def duration(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns" if seconds >= 1e-9 or not seconds else "under 1 ns"


def count(node_text, function, loops=()):
    """A count for one iteration of the loops around: a number where it is known and the same in all of them, else the expression."""
    value = function.numbers.value(node_text)
    return f"{value:,}" if value is not None else node_text


#---- Kernels ----

def space(kernel, function):
    return " x ".join(count(extent, function) for extent in kernel.node["space"])


def arrays(kernel, function, way):
    """"u 8 MB, v 8 MB": what one launch reads or writes of each array."""
    said = []
    for array in kernel.node[way]:
        value = function.numbers.value(array["bytes"])
        said.append((array["array"] or made_at(kernel.file, array["line"])) + " " + ("" if array["exact"] else "at most ")
                    + (size(value) if value is not None else f"{array['bytes']} bytes"))
    return ", ".join(said)


def made_at(file, line):
    """What the program calls the array that a line makes."""
    left, sign, _ = source_line(file, line).partition(" = ")
    return left if sign and left.isidentifier() else f"array of line {line}"


RUNNERS = {"grid": ", a loop of the host run by all blocks, which meet after each step", "rows": ", a loop of the host run by rows: each team of threads has its own"}


def title(kernel, function):
    if kernel.is_library:
        return f"{kernel.kind}, a call of a library" if kernel.kind == "product" else kernel.kind
    runner = RUNNERS.get(kernel.node["runner"], "")
    if runner and kernel.kind == "scan":
        runner = ", blocks have parts of a line and hand their totals on"
    if not runner and kernel.kind == "steps":
        runner = ", a block of threads runs one statement after the other"
    extents = space(kernel, function)
    return kernel.kind + (f" over {extents}" if kernel.kind != "steps" or extents != "1" else "") + runner


def facts(kernel, function, device):
    """(what, text) of a kernel."""
    for what, way in (("reads", "reads"), ("writes", "writes")):
        if kernel.node[way]:
            yield what, arrays(kernel, function, way)
    inner = [loop for loop in kernel.node.get("loops", ())]
    if inner:
        yield "loops in it", ", ".join(f"{loop['form']} of {count(loop['count'], function) if loop['count'] else 'as many as it takes'} (line {loop['line']})"
                                       for loop in inner)
    seconds, launches = kernel.floor(device), kernel.launches
    if seconds is not None and launches:
        once = seconds / launches
        yield "floor", f"{duration(once)} on {device.name}" + (f", {duration(seconds)} for {launches:,} launches" if launches > 1 else "")
    if kernel.measured:
        measured, times = kernel.measured
        yield "measured", f"{duration(measured / times)}" + (f", the mean of {times:,}" if times > 1 else "")


def _kernel(node, function, device, indent):
    kernel = function.kernel(node["number"])
    lines = [line for line in kernel.lines if line != kernel.line]
    more = f", line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))} in it" if lines else ""
    yield f"{indent}kernel {kernel.number}: {title(kernel, function)}  [{place(kernel.file, kernel.line)}{more}]"
    yield f"{indent}    {source_line(kernel.file, kernel.line)}"
    for what, said in facts(kernel, function, device):
        yield f"{indent}    {what:12} {said}"


#---- The program ----

def loop_title(node, function):
    times = count(node["count"], function) if node["count"] else "as many as it takes"
    return f"loop of the host, {times} iterations"


def decisions(node, function):
    """What passes have said of a loop."""
    return [remark["text"] for remark in function.reasons("loop", "loop stays") if remark["line"] == node["line"] and remark["file"] == node["file"]]


def _nodes(nodes, function, device, indent):
    for node in nodes:
        kind = node["node"]
        if kind in ("kernel", "call"):
            yield from _kernel(node, function, device, indent)
        elif kind == "wait":
            yield f"{indent}the host waits for a number  [{place(node['file'], node['line'])}]"
        elif kind == "loop":
            yield f"{indent}{loop_title(node, function)}  [{place(node['file'], node['line'])}]"
            yield f"{indent}    {source_line(node['file'], node['line'])}"
            for said in decisions(node, function):
                yield f"{indent}    why          {said}"
            yield from _nodes(node["body"], function, device, indent + "  ")
        elif kind == "once":
            yield f"{indent}in the first iteration:"
            yield from _nodes(node["body"], function, device, indent + "  ")
        elif node["holds"] is not None:
            yield from _nodes(node["then"] if node["holds"] else node["else"], function, device, indent)
        else:
            yield f"{indent}if {node['condition']}:"
            yield from _nodes(node["then"], function, device, indent + "  ")
            if node["else"]:
                yield f"{indent}else:"
                yield from _nodes(node["else"], function, device, indent + "  ")


def reasons(function):
    """(line, text) of what could have been one kernel and is not, and of loops that became something else."""
    for remark in function.reasons("call"):
        yield remark["line"], remark["text"]
    for remark in function.reasons("fusion"):
        yield remark["line"], f"not one kernel with line {remark['other']}: {remark['text']}"
    for remark in function.reasons("array"):
        yield remark["line"], f"in memory: {remark['text']}"
    of_host = {(node["file"], node["line"]) for node in _loops(function.body)}
    for remark in function.reasons("loop"):
        if (remark["file"], remark["line"]) not in of_host:
            yield remark["line"], remark["text"]


def _loops(nodes):
    for node in nodes:
        if node["node"] == "loop":
            yield node
            yield from _loops(node["body"])
        elif node["node"] == "once":
            yield from _loops(node["body"])
        elif node["node"] == "branch":
            yield from _loops(node["then"] + node["else"])


def _function(function, device):
    lines = [f"{function.signature}, {function.target}"]
    known = [f"{name}: {' x '.join(map(str, value.shape)) if hasattr(value, 'shape') else value}" for name, value in function.numbers.values.items()]
    if known:
        lines.append(f"  for {', '.join(known)}")
    lines += _nodes(function.body, function, device, "  ")
    said = sorted(set(reasons(function)))
    if said:
        lines.append("  why:")
        lines += [f"    line {line}: {text}" for line, text in said]
    shown = "\n".join(lines)
    return shown + "".join(f"\n  {name}: {number['is'] or 'a number of line ' + str(number['line'])}" for name, number in function.named.items()
                           if re.search(rf"\b{name}\b", shown))
