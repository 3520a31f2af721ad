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
# Single tests of the same kind in modules about kernels, by what they look at: (module, the names of its tests).
COMPILER, TYPING, DRIVER, PTX, EXTENSION = (
    "objects and dumps of Numba's compiler", "what Numba's type inference says, as objects and as text", "Numba's objects for the driver",
    "instructions that Numba's compiler chooses, as text of PTX", "types that are declared by Numba's extension interface")
SINGLE = {
    COMPILER: {
        "cudapy.test_debug": "test_dump_bytecode test_dump_ir test_dump_cfg test_dump_llvm test_dump_assembly",
        "cudapy.test_device_func": "test_inspect_llvm test_inspect_asm",
        "cudapy.test_inspect": "test_monotyped test_polytyped",
        "cudapy.test_cooperative_groups": "test_false_cooperative_doesnt_link_cudadevrt",
        "cudapy.test_const_string": "test_const_string",
        "cudapy.test_optimization": "test_eager_noopt test_lazy_noopt test_device_noopt",
        "cudapy.test_compiler": "test_compile_ptx_for_current_device test_compile_for_current_device",
    },
    TYPING: {
        "cudapy.test_localmem": "test_numba_dtype test_numpy_dtype test_string_dtype test_invalid_string_dtype",
        "cudapy.test_sm_creation": "test_numba_dtype test_numpy_dtype test_string_dtype test_invalid_string_dtype test_global_build_list test_invalid_1 "
                                   "test_invalid_2 test_invalid_3 test_invalid_4",
        "cudapy.test_sm": "test_invalid_array_type",
        "cudapy.test_errors": "test_typing_error",
        "cudapy.test_intrinsics": "test_nonliteral_grid_error test_nonliteral_gridsize_error",
        "cudapy.test_dispatcher": "test_explicit_signatures_ambiguous_resolution",
        "cudapy.test_device_func": "test_cpu_dispatcher_invalid",
        "cudapy.test_gufunc": "test_not_supported_call_from_jit",
        "cudapy.test_recursion": "test_runaway test_growing_return_tuple",
        "cudapy.test_vector_type": "test_creation_readout",
    },
    DRIVER: {
        "cudapy.test_cuda_array_interface": "test_ownership test_produce_stream test_consume_sync test_launch_sync test_launch_sync_two_streams",
        "cudapy.test_vectorize": "test_no_transfer_for_device_data",
        "cudadrv.test_host_alloc": "test_host_alloc_driver",
    },
    PTX: {
        "cudapy.test_minmax": "test_max_f8f8 test_max_f4f8 test_max_f8f4 test_max_f4f4 test_min_f8f8 test_min_f4f8 test_min_f8f4 test_min_f4f4",
        "cudapy.test_atomics": "test_atomic_add_double_global test_atomic_add_double_global_2 test_atomic_add_double_global_3",
        "cudapy.test_constmem": "test_const_array test_const_array_2d test_const_array_3d",
        "cudapy.test_casting": "test_float16_to_int_ptx test_float16_to_uint_ptx test_int_to_float16_ptx test_uint_to_float16_ptx test_float16_to_float_ptx "
                               "test_native_cast",
        "cudapy.test_intrinsics": "test_habs_ptx test_hadd_ptx test_hfma_ptx test_hmul_ptx test_hneg_ptx test_hsub_ptx",
        "cudapy.test_operator": "test_fp16_abs_ptx test_fp16_binary_ptx test_fp16_comparison_ptx test_fp16_inplace_binary_ptx test_fp16_int8_comparison_ptx "
                                "test_fp16_neg_ptx test_mixed_fp16_comparison_promotion_ptx",
    },
    EXTENSION: {
        "cudapy.test_localmem": "test_type_with_struct_data_model test_struct_model_type_arr",
        "cudapy.test_sm_creation": "test_type_with_struct_data_model",
        "cudapy.test_sm": "test_struct_model_type_static",
    },
}


def apart(module, test):
    """Why a test is of how Numba is made; None for one of kernels."""
    if module in INTERNALS:
        return INTERNALS[module]
    return next((why for why, modules in SINGLE.items() if test.rpartition(".")[2] in modules.get(module, "").split()), None)


def counts_of(results):
    return collections.Counter(record["outcome"] for result in results for record in result["tests"])


def line(result):
    counts = counts_of([result])
    return f"{result['module']}: {', '.join(f'{counts[v]} {v}' for v in VERDICTS if counts[v])}"


def groups(results):
    """(of kernels, of internals): the same modules, each with its tests of one kind."""
    both = [], []
    for result in results:
        for group, is_apart in zip(both, (False, True)):
            tests = [record for record in result["tests"] if (apart(result["module"], record["test"]) is not None) == is_apart]
            if tests:
                group.append(dict(result, tests=tests))
    return both


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


def compact(results, device):
    """What a page needs of a run: reasons without what is of one test alone."""
    return dict(device=device, modules=[
        dict(module=result["module"], tests=[
            [record["test"], record["outcome"], *([general(record["words"])] if record["outcome"] in ("failed", "crashed") else [])]
            for record in result["tests"]]) for result in results])


def expand(saved):
    return [dict(module=module["module"], tests=[dict(test=test, outcome=outcome, words=words[0] if words else "")
                                                 for test, outcome, *words in module["tests"]]) for module in saved["modules"]]


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def counts_in(runs, number, module=None, why=None):
    """A cell for each verdict and run, of one group of tests."""
    cells = []
    for results in runs:
        tests = [record for result in groups(results)[number] if module in (None, result["module"]) for record in result["tests"]
                 if why is None or apart(result["module"], record["test"]) == why]
        counts = counts_of([dict(tests=tests)])
        cells += [str(counts[verdict] or "") for verdict in VERDICTS]
    return " | ".join(cells)


def modules_of(runs, number):
    return sorted({result["module"] for results in runs for result in groups(results)[number]})


def page(runs, version):
    """`runs`: the target -> its results."""
    targets, runs = list(runs), list(runs.values())
    verdicts = [f"{target}: {VERDICTS[0]}" if k == 0 and len(targets) > 1 else verdict for target in targets for k, verdict in enumerate(VERDICTS)]
    heading = " | ".join(verdicts), "|".join(["---"] * len(verdicts))
    lines = [
        "# Numba's own tests of kernels through npcc.cuda",
        "",
        "Written by `./dev kernel-conformance`; do not edit.",
        "",
        f"The tests of `numba/cuda/tests` of Numba {version}, as they are installed with it, with `npcc.cuda` in the place of `numba.cuda` (`test/conformance/threads`).",
        f"The target is {' and '.join(targets)}. Errors of Numba's that say that something cannot be compiled are npcc's CompileError. A test is *skipped* where it says so itself.",
        "Functions that tests make of texts by `exec()` are compiled from these texts, where Numba reads their bytecode.",
        "",
        "## Kernels, types, atomics, shared memory, warps, streams, device arrays, ufuncs",
        "",
        f"| tests of | {heading[0]} |",
        f"|---|{heading[1]}|",
        f"| all | {counts_in(runs, 0)} |",
    ]
    lines += [f"| {module.replace('test_', '')} | {counts_in(runs, 0, module)} |" for module in modules_of(runs, 0)]
    shares = [share(counts_of(groups(results)[0])) for results in runs]
    passing = shares[0] if len(runs) == 1 else ", ".join(f"{part} ({target})" for part, target in zip(shares, targets))
    lines += ["", f"Of those that were not skipped {passing} pass.", "", "## Why tests fail", ""]
    lines += [f"| {' | '.join(targets) if len(runs) > 1 else 'tests'} | reason | most in |", f"|{'---|' * len(runs)}---|---|"]
    reasons = [{words: (count, modules) for words, count, modules in reasons_of(groups(results)[0])} for results in runs]
    of_all = {words: sum(of_run[words][0] for of_run in reasons if words in of_run) for of_run in reasons for words in of_run}
    for words in sorted(of_all, key=lambda words: (-of_all[words], words)):
        modules = sum((of_run[words][1] for of_run in reasons if words in of_run), collections.Counter())
        counts = " | ".join(str(of_run[words][0]) if words in of_run else "" for of_run in reasons)
        lines.append(f"| {counts} | {cell(words)} | {', '.join(m for m, n in modules.most_common(3))} |")
    lines += ["", "## How Numba is made", "", "Tests that look at parts of Numba which npcc has no counterpart of, counted apart whether they pass or not.", ""]
    lines += [f"| tests of | what | {heading[0]} |", f"|---|---|{heading[1]}|"]
    for module in modules_of(runs, 1):
        tests = [record["test"] for results in runs for result in groups(results)[1] if result["module"] == module for record in result["tests"]]
        for why in dict.fromkeys(apart(module, test) for test in tests):
            name = module.replace("test_", "")
            if module not in INTERNALS:
                name += ": " + ", ".join(sorted({test.rpartition(".")[2].removeprefix("test_") for test in tests if apart(module, test) == why}))
            lines.append(f"| {name} | {why} | {counts_in(runs, 1, module, why)} |")
    return "\n".join(lines) + "\n"
