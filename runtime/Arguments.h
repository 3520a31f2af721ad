// The arguments of one call: checked, brought to the device where the function runs, and brought back.
#ifndef NPCC_RUNTIME_ARGUMENTS_H
#define NPCC_RUNTIME_ARGUMENTS_H

#include "runtime/Buffer.h"
#include "runtime/InlineArray.h"
#include "runtime/abi/functions.h"
#include "runtime/abi/values.h"
#include <optional>

namespace npcc::rt {

/// One array argument, as the caller gave it and as the function sees it.
struct ArrayArgument {
  const npcc_array *caller;
  const npcc_param *param;
  ByteRange range;     // of the caller's elements
  Device *source;      // where the caller's array lives, if it is not where the function runs
  int32_t transfer;    // which Transfer it came with, or -1

  void *base; // what the function sees; shape is the caller's
  char *data;
  bool contiguous;
  bool aligned;
  int64_t strides[NPCC_MAX_RANK];

  bool refusesStores() const { return param->written && (caller->flags & NPCC_READONLY); }
};

/// What is copied to the device as one piece: one array, made contiguous, or the byte range that covers arrays which
/// overlap each other, so that they overlap on the device too, or one that is to lie as it does.
struct Transfer {
  int32_t first;      // argument; the representative of the others
  bool covering;
  ByteRange callerRange;
  char *deviceLow;
  void *base;
  Passage *passage; // the way that it comes, if not by a plain copy: owns the base
};

class Arguments {
public:
  Arguments(const npcc_function &function, const npcc_value *values)
      : function(function), values(values), arrays(function.param_count) {}
  ~Arguments();

  /// Checks kinds, dtypes and ranks, and finds out which arrays must be brought.
  Status bind(Device &device);
  Status bringIn();
  /// What is still on its way has come before the work that this thread sends from now on.
  Status arrive();
  /// The same of bytes of one of them, counted from an address in it as the function sees it; high < 0: up to its end.
  Status arrive(const char *address, int64_t low, int64_t high);
  /// The thread's next work may write these bytes and no others of the argument that they are of (Passage::written).
  Status written(const char *address, int64_t low, int64_t high);
  /// Whether anything comes by a way of its own.
  bool anyPassage() const;
  /// Copies written arrays back to where they came from; `overlaps`: they may come later (Overlap.h).
  Status bringBack(bool overlaps);

  bool anyTransferred() const { return transferCount > 0; }
  bool allOnHost() const { return everyArrayOnHost; }
  bool holds(const npcc_variant &variant) const;
  int64_t extent(int32_t param, int32_t axis) const { return arrays[param].caller->shape[axis]; }

  const npcc_function &function;
  const npcc_value *const values;

  /// The argument whose memory `base` (as the function sees it) is; `data` tells arrays of one transfer apart. Null: none.
  const ArrayArgument *ownerOf(void *base, const char *data) const;
  const Transfer &transferOf(const ArrayArgument &array) const { return transfers[array.transfer]; }
  /// By parameter; those of scalars are not filled in.
  const ArrayArgument &array(int32_t param) const { return arrays[param]; }

private:
  /// The transfer that comes by a way of its own and has the address; null if there is none.
  const Transfer *passageAt(const char *address) const;
  Status sendParts();
  Status bindArray(int32_t param);
  void planTransfers();
  Status bringCovering(Transfer &transfer);
  Status bringContiguous(Transfer &transfer);
  bool aliased() const;

  InlineArray<ArrayArgument, 12> arrays;
  InlineArray<Transfer, 12> transfers{0};
  int32_t transferCount = 0;
  bool everyArrayOnHost = true;
  Device *device = nullptr;
};

} // namespace npcc::rt

#endif
