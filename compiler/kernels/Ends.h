#ifndef NPCC_COMPILER_KERNELS_ENDS_H
#define NPCC_COMPILER_KERNELS_ENDS_H
#include "compiler/memory/Extents.h"
#include "llvm/ADT/DenseMap.h"

namespace npcc {

/// Where the elements of values end up, following elementwise users: nowhere, in one place (a kernel, or a sink of its
/// own), or in several. What users give is remembered, so all values together are followed once.
class Ends {
public:
  /// `keyOf` numbers the places, none that is no place.
  Ends(llvm::function_ref<std::optional<int64_t>(mlir::Operation *user)> keyOf, ExtentOrigins &origins)
      : keyOf(keyOf), origins(origins) {}

  bool areSeveral(mlir::Value value) { return of(value).isSeveral; }
  /// Whether one place has all elements, if at several positions.
  bool areOfOnePlace(mlir::Value value) { return of(value).place && !of(value).isApart; }
  /// Whether they are, whatever becomes of the values that use this one: one of them needs other elements than its own.
  bool areSeveralAtOnce(mlir::Value value);
  /// The value has become an array that is a place of its own.
  void setSingle(mlir::Value value, int64_t key) { known[value] = {key, false, key, false}; }

private:
  struct End {
    std::optional<int64_t> key; // of the place and the position there
    bool isSeveral = false;
    std::optional<int64_t> place;
    bool isApart = false; // in several places, or in one that is not known
    void add(const End &other) {
      isSeveral |= other.isSeveral || (key && other.key && *key != *other.key);
      if (!key)
        key = other.key;
      addPlace(other);
    }
    void addPlace(const End &other) {
      isApart |= other.isApart || (place && other.place && *place != *other.place);
      if (!place)
        place = other.place;
    }
  };

  End of(mlir::Value value);
  /// Whether the use takes one position of an axis, such as a component, and all other users take others: together they
  /// ask for each element once.
  bool isPart(mlir::OpOperand &use);

  llvm::function_ref<std::optional<int64_t>(mlir::Operation *)> keyOf;
  ExtentOrigins &origins;
  llvm::DenseMap<mlir::Value, End> known;
  llvm::DenseMap<std::pair<mlir::Operation *, int64_t>, int64_t> moves; // a place that elements come to by a move
};

} // namespace npcc
#endif
