#!/usr/bin/env bash
# Runs on a machine with an NVIDIA GPU and a pack made by tools/gpu/pack.py: the runtime's conformance suite, the programs against
# NumPy on the device, then the benchmarks; a table last. Arguments choose parts: info runtime run bench kernels sanitize accuracy multi
# (default: the first four); program runs NPCC_PROGRAM ("benchmarks/npbench.py --checkout DIR --target cuda").
# sanitize looks for faults in the memory of devices, with NPCC_SANITIZE ("--tool racecheck test_thread_kernels_shared") or all of test/run.
# accuracy writes accuracy-cuda.json, which belongs in benchmarks/data, and which docs/accuracy.md is made from.
set -u
cd "$(dirname "$0")/../.."
out=${OUT:-/tmp/npcc-out}
mkdir -p "$out"
root=/tmp/npcc-root
mkdir -p $root
tar -xJf .pack/libraries.tar.xz -C $root
tar -xJf .pack/files.tar.xz -C $root
export LD_LIBRARY_PATH=$root/usr/lib/llvm-22/lib:$root/usr/lib/x86_64-linux-gnu:$root/python/npcc${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PYTHONPATH=$root/python PATH=$root/bin:$PATH PYTHONUNBUFFERED=1
parts=${*:-info runtime run bench}
declare -A verdict
for part in $parts; do
  echo "===== $part"
  case $part in
    info) npcc-info; nvidia-smi --query-gpu=name,driver_version --format=csv,noheader ;;
    runtime) timeout 120 npcc-rt-test ;;
    run) timeout 560 python3 test/run/run_all.py --target cuda --jobs 12 ;;
    bench) timeout "${NPCC_BENCH_SECONDS:-300}" python3 benchmarks/run.py --target cuda --no-compile ${NPCC_BENCH_ARGUMENTS:-} --json "$out/bench.json" ;;
    accuracy) timeout 500 python3 tools/report/accuracy.py measure --target cuda --json "$out/accuracy-cuda.json" ;;
    sanitize) timeout "${NPCC_SANITIZE_SECONDS:-1800}" python3 tools/gpu/sanitize.py --logs "$out/sanitizer" ${NPCC_SANITIZE:-} ;;
    program) timeout 500 python3 ${NPCC_PROGRAM:?} ;;
    kernels)
      timeout 400 python3 test/run/run_all.py --target cuda test_raw_kernels test_elementwise_kernels test_reduction_kernels test_source_module \
        test_cuda_module test_streams test_documented_kernels test_interoperation && timeout 100 python3 benchmarks/launches.py ;;
    multi) timeout 200 python3 test/run/run_all.py --target cuda test_devices ;;
    *) echo "unknown part $part"; false ;;
  esac
  verdict[$part]=$?
done
echo "===== summary"
for part in $parts; do printf '%-10s %s\n' "$part" "$([ "${verdict[$part]}" = 0 ] && echo passed || echo "failed (${verdict[$part]})")"; done
