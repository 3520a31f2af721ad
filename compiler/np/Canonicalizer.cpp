// The one canonicalizer of the pipelines.
//
// Upstream's pattern that moves the branch at the end of a `scf.while`'s condition into its body is wrong where the
// condition hands on one result of the branch twice: only the first of the two gets its value, the other one becomes
// what the branch gives when the loop ends, which is poison.
// (`t = a + b; a = t; b = t` in a loop.) RaiseNames has its own pattern for this.
#include "compiler/np/Canonicalizer.h"

namespace npcc {

using namespace mlir;

/// Patterns are named by their C++ class.
static const std::string wrongPatterns[] = {"(anonymous namespace)::WhileMoveIfDown"};

std::unique_ptr<Pass> createSafeCanonicalizer(GreedyRewriteConfig config) {
  return createCanonicalizerPass(config, wrongPatterns);
}

FrozenRewritePatternSet freezeSafePatterns(RewritePatternSet &&patterns) {
  return FrozenRewritePatternSet(std::move(patterns), wrongPatterns);
}

} // namespace npcc
