#ifndef NPCC_COMPILER_OPTIONS_H
#define NPCC_COMPILER_OPTIONS_H
#include <cstdint>
#include <string>
#include <vector>

namespace npcc {

/// What the command line, the keywords of @npcc.jit and the pass options all say: one name for one thing.
struct Options {
  /// The name of a target (compiler/target/Target.h).
  std::string target = "cpu";
  /// CUDA: compute capabilities to make cubins for ("sm_90"); PTX of the lowest is kept for later ones.
  std::string arch = "sm_90";
  /// CPU: name as LLVM knows it; "native" is this machine, "x86-64-v3" and so on are for modules to be shipped.
  std::string cpu = "native";
  /// CUDA toolkit folder for libdevice and ptxas; empty: CUDA_HOME, CUDA_PATH, then the usual places.
  std::string cudaPath;
  /// 1: one device; more: the distribute phase cuts the program.
  int64_t devices = 1;
  /// The version that assumes nothing (see docs/design.md, Versions).
  bool general = false;
  int optLevel = 3;
  /// Kernels that the first call waits for may be made without optimisation, if the same bits come out (TwoTiers.h).
  bool tiers = false;
  /// How exact products of float32 are: "exact", or less where that is faster: "tf32", "bf16" (npcc-narrow-products).
  std::string matmul = "exact";
  /// Code for a GPU may become code for its host instead, where the host runs the first call sooner.
  bool mayMoveToHost = false;
  /// It has become that, for calls whose extents and numbers are at most so many times as large as the first call's.
  int64_t movedUpTo = 0;
  /// debug: report where a NaN is made.
  bool checkNans = false;
  /// What is known of each parameter of the call that the code is compiled for: the value of an integer; the bits of a
  /// float64; of an array the extents, then its address (0 if it will be copied to where arrays begin); nothing of
  /// others. If this is not empty, only the alternatives that this call takes are compiled (npcc-plan-alternatives).
  std::vector<std::vector<int64_t>> firstCall;
};

} // namespace npcc
#endif
