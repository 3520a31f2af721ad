// The rows of runtime/random/Distributions.def, and what they say of draws.
#include "dialects/Np/Random.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace npcc::np;

const DistributionInfo *npcc::np::lookupDistribution(StringRef name) {
  static const StringMap<DistributionInfo> rows = [] {
    using namespace rt::random; // the constraints
    const DistributionInfo all[] = {
#define NPCC_DISTRIBUTION(name, kind, function, count, ...) {#name, DistributionKind::kind, {__VA_ARGS__}, 0},
#include "runtime/random/Distributions.def"
    };
    StringMap<DistributionInfo> rows;
    for (auto [number, row] : enumerate(all)) {
      DistributionInfo &added = rows[row.name] = row;
      added.number = int32_t(number);
    }
    return rows;
  }();
  auto found = rows.find(name);
  return found == rows.end() ? nullptr : &found->second;
}

bool npcc::np::isDrawnOneByOne(StringRef distribution, StringRef dtype) {
  const DistributionInfo *row = lookupDistribution(distribution);
  if (row && row->kind != DistributionKind::OTHER)
    return true;
  // Narrower integers are taken from a word of which a draw leaves the rest.
  bool areIntegers = distribution == "integers" || distribution == "masked_integers";
  return areIntegers && StringSwitch<bool>(dtype).Cases({"int64", "uint64", "int32", "uint32"}, true).Default(false);
}
