#ifndef NPCC_COMPILER_TARGET_EMITTEDCODE_H
#define NPCC_COMPILER_TARGET_EMITTEDCODE_H
#include <string>
#include <vector>

namespace npcc {

/// Kernels that were made in a hurry, for the call that waits for them, and what is needed to make them with all care
/// afterwards. The code around them is the same in both cases.
struct QuickKernels {
  /// Defines the kernels. Each of them jumps to where its slot points: first to code without optimisation.
  std::string object;
  /// The kernels as they are before the optimiser: LLVM's bitcode.
  std::string bitcode;
  /// Options::cpu.
  std::string cpu;
  /// The symbols of the kernels.
  std::vector<std::string> kernels;

  bool isEmpty() const { return kernels.empty(); }
};

/// What a target makes of a module: relocatable objects, which are linked together.
struct EmittedCode {
  std::vector<std::string> objects;
  /// One object more for the time being, where Options::tiers asked for it.
  QuickKernels quick;
};

} // namespace npcc
#endif
