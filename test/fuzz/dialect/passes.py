"""Which passes random IR goes through, and what comes before them: every pass of the compiler is here, by itself, and in the order of the pipelines."""

# By themselves, on random IR of the dialect np as the importer might make it.
NP = """canonicalize cse loop-invariant-code-motion
    npcc-keep-checks npcc-raise-names npcc-mask-positions npcc-move-selections npcc-find-distinct npcc-expand-selections npcc-simplify-integers
    npcc-count-iterations npcc-contract-lists npcc-peel-loops npcc-unroll-loops
    npcc-compose-views npcc-copy-reshapes npcc-simplify-positions npcc-resolve-extents
    npcc-reserve-lists npcc-assume-extents npcc-stack-kept npcc-choose-elements npcc-expand-reductions npcc-simplify-checks
    npcc-rotate-loops npcc-count-rotated npcc-grow-arrays npcc-grow-in-blocks npcc-carry-masks npcc-shrink-arrays npcc-alternate-arrays
    npcc-promote-arrays npcc-ask-in-blocks npcc-split-parts npcc-expand-sorts
    npcc-copy-carried-parts npcc-hoist-invariants npcc-version-windows
    npcc-version-extents npcc-raise-products npcc-raise-draws npcc-raise-calls npcc-expand-products npcc-batch-products
    npcc-join-products npcc-stack-products npcc-narrow-products npcc-fuse-epilogues
    npcc-defer-items npcc-drop-unread-results npcc-materialize npcc-gather-items""".split()

# Behind npcc-fuse: kernels as they are made, one for each sink or group of sinks.
FUSED = ["npcc-import-to-np", "npcc-promote-arrays", "canonicalize", "cse", "npcc-materialize", "canonicalize", "cse", "npcc-gather-items", "npcc-fuse"]
KERNELS = """npcc-check-ranks npcc-clean-loops npcc-fuse-rows npcc-plan-alternatives npcc-merge-loops npcc-privatize-arrays npcc-compute-ahead
    npcc-separate-totals npcc-distribute-updates npcc-split-at-pivots npcc-parallelize-loops npcc-unroll-stacks npcc-merge-kernels
    npcc-merge-reductions npcc-merge-scans npcc-turn-operands npcc-split-axes npcc-elide-copies npcc-update-in-place npcc-skew-loops
    npcc-merge-iterations
    npcc-interchange-loops npcc-split-steps npcc-tabulate-iterations npcc-carry-elements npcc-count-references npcc-simplify-thread-positions
    npcc-classify-kernels npcc-raise-folds npcc-lower-folds""".split()

# Behind all of these, as the targets get them: one pass each.
LOOPS = ["npcc-import-to-np", "npcc-np-to-loops"]
OF_TARGETS = """npcc-leave-to-host npcc-group-updates npcc-enclose-loops npcc-sink-loads npcc-share-folds npcc-alternate-steps npcc-enclose-steps
    npcc-compute-once npcc-gather-steps npcc-place-on-host npcc-version-host-loops npcc-split-launches
    npcc-split-scans npcc-check-before-stores npcc-run-beside npcc-record-failures npcc-guard-kernels npcc-enclose-routines npcc-await-arguments
    npcc-limit-calls npcc-inline-unit-kernels npcc-split-updates npcc-private-updates npcc-call-products npcc-vectorize-columns
    npcc-column-reductions npcc-store-without-branches npcc-vectorize-rows npcc-split-reductions npcc-reduction-loops npcc-tile-transposes
    npcc-unroll-axes npcc-outline-kernels npcc-shuffle-iterations npcc-check-accesses npcc-check-undefined npcc-outline-threads npcc-lower-checks
    npcc-expand-math npcc-wrap-entries""".split()

PIPELINES = {
    "pipeline": ["npcc-raise-names", "canonicalize", "cse", "npcc-compose-views", "canonicalize", "cse", "npcc-resolve-extents",
                 "canonicalize", "cse", "npcc-promote-arrays", "canonicalize", "cse"],
    "to-loops": LOOPS,
    # What a target does to kernels as kernels.
    "gpu-kernels": [*LOOPS, "npcc-leave-to-host", "npcc-group-updates", "npcc-enclose-loops", "npcc-sink-loads", "npcc-enclose-steps",
                    "npcc-compute-once", "npcc-gather-steps", "npcc-place-on-host", "npcc-raise-folds", "npcc-classify-kernels",
                    "npcc-split-launches", "npcc-split-scans", "npcc-classify-kernels", "npcc-lower-folds=keep-scans"],
    "cpu-kernels": [*LOOPS, "npcc-compute-once", "npcc-lower-folds", "npcc-inline-unit-kernels", "npcc-split-updates", "npcc-private-updates",
                    "npcc-call-products", "npcc-vectorize-columns", "npcc-column-reductions", "npcc-vectorize-rows"],
    # To the end of each target: each pass must end well, and what the last one leaves must verify.
    "gpu-threads": [*LOOPS, "npcc-classify-kernels", "npcc-lower-folds=keep-scans", "npcc-map-kernels", "canonicalize",
                    "npcc-launch-threads", "npcc-lower-device-checks", "npcc-outline-launches", "npcc-share-kernels", "npcc-leave-settled",
                    "npcc-expand-device-math", "npcc-lower-device-views", "convert-scf-to-cf", "npcc-narrow-positions"],
    "gpu": [*LOOPS, "npcc-loops-to-kernels", "npcc-compile-kernels=ptx-only", "npcc-embed-kernels"],
    "cpu": [*LOOPS, "npcc-lower-folds", "npcc-inline-unit-kernels", "npcc-merge-axes", "npcc-call-products", "npcc-vectorize-columns",
            "npcc-vectorize-rows", "npcc-split-reductions", "npcc-plan-alternatives", "npcc-reduction-loops", "npcc-tile-transposes",
            "npcc-store-without-branches", "npcc-outline-kernels", "npcc-unswitch-loops", "npcc-split-borders", "npcc-lower-checks",
            "npcc-expand-math", "npcc-wrap-entries", "npcc-lower-branches", "npcc-convert-host-to-llvm", "reconcile-unrealized-casts", "npcc-bfloat-bits"],
    "debug": [*LOOPS, "npcc-loops-to-debug"],
    "debug-nans": [*LOOPS, "npcc-lower-folds", "npcc-check-nans"],
    "devices": ["npcc-import-to-np", "npcc-promote-arrays", "canonicalize", "cse", "npcc-distribute"],
}

# What these leave is not interpreted: calls of the runtime, threads, code of LLVM.
BEYOND = {"npcc-map-kernels", "npcc-loops-to-kernels", "npcc-loops-to-debug", "npcc-outline-kernels", "npcc-shuffle-iterations", "npcc-check-accesses",
          "npcc-check-undefined", "npcc-check-nans", "npcc-lower-checks", "npcc-expand-math", "npcc-wrap-entries", "npcc-await-arguments", "npcc-distribute"}

# Beginnings of lists that many have.
SHARED = [LOOPS, FUSED]

# {name: the passes that it stands for}
ALL = {**{name: [name] for name in NP}, **{name: [*FUSED, name] for name in KERNELS}, **{name: [*LOOPS, name] for name in OF_TARGETS}, **PIPELINES}
