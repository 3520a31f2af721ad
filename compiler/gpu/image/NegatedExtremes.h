#ifndef NPCC_COMPILER_GPU_IMAGE_NEGATEDEXTREMES_H
#define NPCC_COMPILER_GPU_IMAGE_NEGATEDEXTREMES_H

namespace llvm {
class Module;
}

namespace npcc {

/// ptxas 13.0 makes one instruction of three operands of two maxima or minima for sm_90 and sm_100, and forgets there
/// that an operand was negated: max(max(a, -b), -c) becomes max(a, b, -c). So, where a module has maxima or minima of
/// such integers, it does not see a negation:
///
///   %negated = sub i32 0, %x     ->     %less = x - 1, in an instruction that LLVM does not know
///                                       %negated = xor i32 %less, -1
void hideNegations(llvm::Module &module);

} // namespace npcc
#endif
