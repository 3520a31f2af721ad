"""What a run came to: a line for each module, a summary, and the page docs/kernel-conformance.md."""

from __future__ import annotations

import collections
import re

VERDICTS = ("passed", "failed", "crashed", "skipped")
# Tests of how Numba is made, not of what kernels do. A reason for each, which the page gives.
INTERNALS = {
    "cudadrv.test_cuda_driver": "Numba's binding of the driver",
    "cudadrv.test_cuda_libraries": "where Numba finds NVVM",
    "cudadrv.test_cuda_memory": "Numba's classes of pointers",
    "cudadrv.test_context_stack": "Numba's stack of driver contexts",
    "cudadrv.test_deallocations": "Numba's queue of memory to free",
    "cudadrv.test_emm_plugins": "plugins in the place of Numba's allocator",
    "cudadrv.test_init": "how Numba starts the driver",
    "cudadrv.test_inline_ptx": "LLVM IR by llvmlite",
    "cudadrv.test_is_fp16": "Numba's types of intrinsics",
    "cudadrv.test_linker": "Numba's linker, and foreign code in a kernel",
    "cudadrv.test_mvc": "versions of the toolkit that Numba takes",
    "cudadrv.test_nvvm_driver": "Numba's binding of NVVM",
    "cudadrv.test_runtime": "Numba's binding of the CUDA runtime",
    "cudadrv.test_ptds": "switches of Numba's driver",
    "cudapy.test_caching": "the files of Numba's cache",
    "cudapy.test_cffi": "foreign code in a kernel",
    "cudapy.test_debuginfo": "Numba's debug information, as text",
    "cudapy.test_extending": "Numba's extension interface: types and lowering by llvmlite",
    "cudapy.test_gufunc_scheduling": "a class inside of Numba's gufuncs",
    "cudapy.test_ipc": "memory shared by processes",
    "cudapy.test_lineinfo": "Numba's line tables, as text",
    "cudapy.test_overload": "Numba's extension interface: @overload",
    "cudapy.test_serialize": "pickles of kernels",
    "cudapy.test_warning": "Numba's warnings of performance",
    "doc_examples.test_ffi": "foreign code in a kernel",
    "nocuda.test_dummyarray": "a class inside of Numba",
    "nocuda.test_function_resolution": "Numba's tables of types",
    "nocuda.test_import": "what an import of Numba loads",
    "nocuda.test_library_lookup": "where Numba finds the toolkit",
    "nocuda.test_nvvm": "Numba's binding of NVVM",
}


def counts_of(results):
    return collections.Counter(record["outcome"] for result in results for record in result["tests"])


def line(result):
    counts = counts_of([result])
    return f"{result['module']}: {', '.join(f'{counts[v]} {v}' for v in VERDICTS if counts[v])}"


def groups(results):
    """(of kernels, of internals)"""
    return [r for r in results if r["module"] not in INTERNALS], [r for r in results if r["module"] in INTERNALS]


def share(counts):
    judged = counts["passed"] + counts["failed"] + counts["crashed"]
    return f"{100 * counts['passed'] / judged:.1f} %" if judged else ""


def general(words):
    """A reason without what is of one test alone: the line that names the error, without names and numbers."""
    lines = [line for line in words.splitlines() if line.strip()]
    named = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Warning|Exit|Timeout)\w*: ", line)]
    text = named[-1] if named else lines[-1] if lines else ""
    text = re.sub(r"(/[\w.-]+)+/", "", text)  # paths are of one machine
    text = re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", text.rpartition("npcc.errors.")[2])
    return re.sub(r"-?\b\d[\d.e+-]*\b", "N", text)[:200]


def reasons_of(results):
    counts, modules = collections.Counter(), collections.defaultdict(collections.Counter)
    for result in results:
        for record in result["tests"]:
            if record["outcome"] in ("failed", "crashed"):
                words = general(record["words"])
                counts[words] += 1
                modules[words][result["module"]] += 1
    return [(words, count, modules[words]) for words, count in counts.most_common()]


def summary(results):
    lines = []
    for name, group in zip(("kernels", "internals"), groups(results)):
        counts = counts_of(group)
        lines.append(f"{name}: {dict(counts)} {share(counts)}")
    for words, count, modules in reasons_of(groups(results)[0])[:60]:
        lines.append(f"{count:5}  {words}  ({', '.join(f'{m} {n}' for m, n in modules.most_common(3))})")
    return "\n".join(lines)


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def page(results, options):
    from importlib.metadata import distributions

    version = next((d.version for d in distributions(path=[options.numba]) if d.metadata["Name"].lower() == "numba"), "")
    kernels, internals = groups(results)
    lines = [
        "# Numba's own tests of kernels through npcc.cuda",
        "",
        "Written by `./dev kernel-conformance`; do not edit.",
        "",
        f"The tests of `numba/cuda/tests` of Numba {version}, as they are installed with it, with `npcc.cuda` in the place of `numba.cuda` (`test/conformance/threads`).",
        f"The target is {'a GPU' if options.gpu else 'the CPU'}. Errors of Numba's that say that something cannot be compiled are npcc's CompileError. A test is *skipped* where it says so itself.",
        "Functions that tests make of texts by `exec()` are compiled from these texts, where Numba reads their bytecode.",
        "",
        "## Kernels, types, atomics, shared memory, warps, streams, device arrays, ufuncs",
        "",
        "| tests of | passed | failed | crashed | skipped |",
        "|---|---|---|---|---|",
    ]

    def rows(group):
        for name, counts in [("all", counts_of(group)), *((r["module"].replace("test_", ""), counts_of([r])) for r in group)]:
            yield f"| {name} | {' | '.join(str(counts[v] or '') for v in VERDICTS)} |"

    lines += rows(kernels)
    lines += ["", f"Of those that were not skipped {share(counts_of(kernels))} pass.", "", "## Why tests fail", "", "| tests | reason | most in |", "|---|---|---|"]
    for words, count, modules in reasons_of(kernels):
        lines.append(f"| {count} | {cell(words)} | {', '.join(f'{m} {n}' for m, n in modules.most_common(3))} |")
    lines += ["", "## How Numba is made", "", "Tests that look at parts of Numba which npcc has no counterpart of.", "", "| tests of | what | passed | failed | crashed | skipped |"]
    lines += ["|---|---|---|---|---|---|"]
    for result in internals:
        counts = counts_of([result])
        lines.append(f"| {result['module'].replace('test_', '')} | {INTERNALS[result['module']]} | {' | '.join(str(counts[v] or '') for v in VERDICTS)} |")
    return "\n".join(lines) + "\n"
