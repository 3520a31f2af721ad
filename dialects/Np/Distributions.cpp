// What the rows of runtime/random/Distributions.def say of draws.
#include "dialects/Np/Random.h"
#include "runtime/random/Parameters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

bool npcc::np::isDrawnOneByOne(StringRef distribution, StringRef dtype) {
  enum Kind { REAL, WHOLE, FILL, OTHER };
  struct Row {
    StringRef name;
    Kind kind;
  };
  static const Row rows[] = {
#define NPCC_DISTRIBUTION(name, kind, function, count, ...) {#name, kind},
#include "runtime/random/Distributions.def"
  };
  const Row *row = find_if(rows, [&](const Row &each) { return each.name == distribution; });
  if (row != std::end(rows) && row->kind != OTHER)
    return true;
  // Narrower integers are taken from a word of which a draw leaves the rest.
  bool areIntegers = distribution == "integers" || distribution == "masked_integers";
  return areIntegers && StringSwitch<bool>(dtype).Cases({"int64", "uint64", "int32", "uint32"}, true).Default(false);
}
