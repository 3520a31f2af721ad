#ifndef NPCC_COMPILER_GPU_IMAGE_COUNTERCOMPARISONS_H
#define NPCC_COMPILER_GPU_IMAGE_COUNTERCOMPARISONS_H

namespace llvm {
class Function;
}

namespace npcc {

/// A loop that compares its counter with a constant after it has computed the next one keeps both in registers, and
/// copies one to the other in each iteration:
///
///   %next = add nuw %counter, 1                   %next = add nuw %counter, 1
///   %goes_on = icmp ult %counter, 255       ->    %goes_on = icmp ult %next, 256
///
/// LLVM canonicalizes to the form on the left, also where the counter has no other use.
void compareNextCounters(llvm::Function &function);

} // namespace npcc
#endif
