#ifndef NPCC_COMPILER_TARGETS_H
#define NPCC_COMPILER_TARGETS_H
namespace npcc {
/// Makes all targets known to findTarget (compiler/target/Target.h). May be called any number of times.
void registerTargets();
} // namespace npcc
#endif
