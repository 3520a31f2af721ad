#ifndef NPCC_COMPILER_GPU_IMAGE_KEPTLOOPS_H
#define NPCC_COMPILER_GPU_IMAGE_KEPTLOOPS_H

namespace llvm {
class Function;
}

namespace npcc {

/// The assembler copies the bodies of innermost loops four times. Where an iteration has several loads, the emitters
/// have put so many of them together already that more of it is the assembler's time and nothing else: such loops say
/// that they stay as they are.
void keepUnrolledLoops(llvm::Function &function);

} // namespace npcc
#endif
