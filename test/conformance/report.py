"""What a run came to: a line for each module, a summary, and the page docs/conformance.md."""

from __future__ import annotations

import collections
import re

VERDICTS = ("different", "crash", "closer", "passed", "refused", "no calls", "unfit", "skipped")


def verdict_of(record, ended):
    """A test's verdict, from the worst on."""
    calls = record["calls"]
    if record["test"] in ended:
        return "crash"
    if record["outcome"] in ("unfit", "skipped"):
        return record["outcome"]
    if calls.get("different") or calls.get("internal"):
        return "different"
    if record["outcome"] == "closer":
        return "closer"
    if calls.get("passed") or calls.get("raises"):
        return "passed"
    return "refused" if calls.get("refused") or calls.get("early") else "no calls"


def tests_of(result):
    ended = {end["test"] for end in result["ends"]}
    counts = collections.Counter(verdict_of(record, ended) for record in result["tests"])
    counts["crash"] += len(ended - {record["test"] for record in result["tests"]})
    return counts


def forms_of(result):
    """Of each call form and combination of types the first verdict, over a module."""
    found = {}
    for record in result["tests"]:
        for text, types, verdict in record["forms"]:
            found.setdefault((text, *types), verdict)
    return collections.Counter(found.values())


def line(result):
    tests, forms = tests_of(result), forms_of(result)
    words = [f"{tests[v]} {v}" for v in VERDICTS if tests[v]]
    return f"{result['module']}: tests {', '.join(words)}; call forms {dict(forms)}{'' if result['complete'] else ' (incomplete)'}"


def is_bad(results):
    return any(tests_of(r)["different"] or tests_of(r)["crash"] or not r["complete"] for r in results)


def summary(results):
    tests, forms = sum(map(tests_of, results), collections.Counter()), sum(map(forms_of, results), collections.Counter())
    lines = [f"tests {dict(tests)}", f"call forms {dict(forms)}"]
    for result in results:
        for end in result["ends"]:
            lines.append(f"{end['how']}: {end['test']}: {end.get('call', '')}")
        for record in result["tests"]:
            for found in record["failures"]:
                lines.append(f"{found['verdict']}, {found['kind']}: {found['call']} {found['arguments']}: {found['detail']}\n  in {record['test']}")
            if record["outcome"] == "closer":
                lines.append(f"closer: {record['test']}: {record['words'][:300]}")
    return "\n".join(lines)


def general(words):
    """The words of a reason without what is of one call."""
    words = re.sub(r"'[^']*'", "'...'", words)
    words = re.sub(r"dtype\('...'\)|dtype \S+", "dtype ...", words)
    return re.sub(r"-?\b\d[\d.e+-]*\b", "N", words)


def reasons_of(results):
    """[(what NumPy raises or "", says, words, count, functions)], the most frequent first."""
    counts, functions = collections.Counter(), collections.defaultdict(collections.Counter)
    for result in results:
        for record in result["tests"]:
            for text, number in record["reasons"].items():
                function, error, says, words = text.split("\t", 3)
                key = error, says, general(words)
                counts[key] += number
                functions[key][function] += number
    return [(*key, number, functions[key]) for key, number in counts.most_common()]


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def page(results, sample):
    import numpy as np

    tests, forms = sum(map(tests_of, results), collections.Counter()), sum(map(forms_of, results), collections.Counter())
    lines = [
        "# NumPy's own tests with every call compiled",
        "",
        "Written by `./dev conformance`; do not edit.",
        "",
        f"The tests of NumPy {np.__version__}, as they are installed with it. Each call of a NumPy function, each method, operator, subscript and attribute of an array in them is",
        "compiled for the CPU, as one function for each form of call, and compared with NumPy's own of the same arguments: value, dtype, shape, the type of the result,",
        "what became of the arguments, shared memory, and the errors. `test/conformance/run.py` says how, `comparison.py` by which rules results may differ.",
        "" if sample == 1 else f"Of the call forms a part of {sample} was compiled.",
        "",
        "A test *passed* where a call in it was compiled, and it passes; it is *refused* where npcc says that it cannot take any of its calls; *unfit* where it fails",
        "without any compiled call too, because it looks at its own code or at how many references an array has. It looks *closer* where every compiled call gave what",
        "NumPy gives by those rules, and it fails: it asks for the last bit of a rounded result, or for strides. A call form is *early* where NumPy raises and npcc refuses.",
        "",
        "## Modules",
        "",
        "| tests of | passed | closer | refused | different | crash | no calls | unfit, skipped | call forms passed | raise as NumPy does | early | refused | different |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, t, f in [("all", tests, forms), *((r["module"].replace("numpy.", "").replace(".tests.test_", "/"), tests_of(r), forms_of(r)) for r in results)]:
        cells = [t["passed"], t["closer"], t["refused"], t["different"], t["crash"], t["no calls"], t["unfit"] + t["skipped"]]
        cells += [f["passed"], f["raises"], f["early"], f["refused"], f["different"] + f["internal"]]
        lines.append(f"| {name} | {' | '.join(str(c) if c else '' for c in cells)} |")
    reasons = reasons_of(results)
    for title, chosen in (
        ("Why npcc refuses call forms", [r for r in reasons if not r[0]]),
        ("Where NumPy raises, and npcc refuses", [r for r in reasons if r[0]]),
    ):
        lines += ["", f"## {title}", "", "| call forms | reason | most in |", "|---|---|---|"]
        for error, says, words, number, functions in chosen[:80]:
            what = f"{words} ({error}, {says})" if error else words
            most = ", ".join(f"`{name}` {count}" for name, count in functions.most_common(4))
            lines.append(f"| {number} | {cell(what[:200])} | {cell(most)} |")
    bad = [(found, record["test"]) for result in results for record in result["tests"] for found in record["failures"]]
    if bad:
        lines += ["", "## Different", "", "| call | what | difference |", "|---|---|---|"]
        lines += [f"| `{cell(found['call'])[:160]}` | {found['kind']} | {cell(found['detail'])[:240]} |" for found, _ in bad[:200]]
    refused = collections.Counter()
    for error, _, _, _, functions in reasons:
        if not error:
            refused.update(functions)
    lines += ["", "## Functions most refused", "", "| function | call forms |", "|---|---|"]
    lines += [f"| `{cell(name)}` | {number} |" for name, number in refused.most_common(80)]
    return "\n".join(lines) + "\n"
