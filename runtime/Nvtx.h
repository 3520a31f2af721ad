// Ranges that NVIDIA's tools show (Nsight Systems), as NVTX 3 has them: a tool that wants them says by
// NVTX_INJECTION64_PATH which library takes them. Without a tool they cost nothing.
#ifndef NPCC_RUNTIME_NVTX_H
#define NPCC_RUNTIME_NVTX_H

#include <cstdint>
#include <optional>

namespace npcc::rt {

/// Begins a range of this thread; false where no tool takes it, and then there is nothing to end.
bool pushRange(const char *label);
void popRange();
/// The same of a range that any thread may end.
std::optional<uint64_t> startRange(const char *label);
void endRange(uint64_t range);

} // namespace npcc::rt

#endif
