#include "frontend/importer/Unrolling.h"
#include "frontend/importer/Recursion.h"

using namespace mlir;

namespace npcc::frontend {

/// Operations of straight code that take a second to compile, from which on a loop is the better choice.
static constexpr size_t muchCode = 4000;

/// Of loops of the library nothing is asked: they are short, and there are too many of them to count.
static size_t countOperations(Interpreter &in) {
  size_t count = 0;
  if (in.env.frame->isLibrary)
    return count;
  for (Block &block : in.ir.function.getBody())
    count += block.getOperations().size();
  return count;
}

Unrolling::Unrolling(Interpreter &in, size_t count) : in(in), count(count), before(countOperations(in)) {}

bool Unrolling::isMuch(size_t iteration) {
  if (iteration == 1)
    much = (countOperations(in) - before) * count > muchCode;
  return iteration > 0 && much;
}

bool Unrolling::isLeftOut(size_t iteration) { return isMuch(iteration) && in.outlines && in.outlines->foundMore; }

} // namespace npcc::frontend
