// Arrays that compiled code knows by a number: what lists, dicts and objects hold of which a program makes any number.
// They are the thread's that runs the call, which holds them until its results are Python's. A call inside another one
// lets go of its own only.
#ifndef NPCC_RUNTIME_KEPT_H
#define NPCC_RUNTIME_KEPT_H

#include "runtime/abi/arrays.h"
#include <span>

namespace npcc::rt {

void holdKept();
/// Releases what was kept since.
void letGoKept();
/// Forgets what the present call kept: its frame failed, which has released it.
void forgetKept();
/// What the present call kept.
std::span<npcc_array> keptArrays();
/// The array of a number; null if it is none of the present call's, or of another type.
npcc_array *findKept(int64_t number);

} // namespace npcc::rt
#endif
