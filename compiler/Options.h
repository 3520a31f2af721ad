#ifndef NPCC_COMPILER_OPTIONS_H
#define NPCC_COMPILER_OPTIONS_H
#include <cstdint>
#include <string>

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
  /// debug: report where a NaN is made.
  bool checkNans = false;
};

} // namespace npcc
#endif
