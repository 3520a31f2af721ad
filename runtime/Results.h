// The slots of a call, and what becomes of the results.
#ifndef NPCC_RUNTIME_RESULTS_H
#define NPCC_RUNTIME_RESULTS_H

#include "runtime/Arguments.h"
#include "runtime/abi/values.h"

namespace npcc::rt {

/// slots[] of one run of an entry: scalars and memref descriptors, and room for the results. Each rank of a group has its
/// own.
class Slots {
public:
  explicit Slots(const Arguments &arguments);

  void **data() { return pointers.data(); }
  const int64_t *result(int32_t k) const {
    return static_cast<const int64_t *>(pointers[arguments.function.param_count + k]);
  }
  /// Drops the references that the array results own: of a run whose results nobody takes.
  void discardResults() const;

private:
  const Arguments &arguments;
  InlineArray<void *, 24> pointers;
  InlineArray<int64_t, 256> words;
};

/// Gives the results of a successful run to the caller. `device` is where it ran. On failure no result is owned.
/// `overlaps`: arrays may come to the host later (Overlap.h).
Status giveResults(const Arguments &arguments, const Slots &slots, Device &device, bool overlaps, npcc_value *results);

} // namespace npcc::rt

#endif
