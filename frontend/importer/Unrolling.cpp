#include "frontend/importer/Unrolling.h"
#include "frontend/importer/Recursion.h"

using namespace mlir;

namespace npcc::frontend {

/// Operations of straight code that take a second to compile, from which on a loop is the better choice.
static constexpr size_t muchCode = 4000, tooMuchCode = 4 * muchCode;
/// Statements that take a second to import.
static constexpr int64_t manyStatements = 2000;

/// How many operations there are in blocks that are behind `last`.
static size_t countBehind(Block *last) {
  size_t count = 0;
  for (Block *block = last->getNextNode(); block; block = block->getNextNode())
    count += block->getOperations().size();
  return count;
}

Unrolling::Unrolling(Interpreter &in, size_t count)
    : in(in), count(count), block(in.ir.getInsertionBlock()), lastBlock(&in.ir.function.getBody().back()) {
  errorsBefore = in.diagnostics.size();
  statementsBefore = in.outlines ? in.outlines->statements : 0;
  before = in.env.frame->isLibrary ? 0 : block->getOperations().size();
}

bool Unrolling::isMuch(size_t iteration) {
  // Of loops of the library nothing is asked: they are short, and there are too many of them to count.
  if (iteration == 1 && !in.env.frame->isLibrary)
    much = countCode() * count > muchCode;
  return iteration > 0 && much;
}

bool Unrolling::isTooMuch() const { return countCode() > tooMuchCode; }

size_t Unrolling::countCode() const { return block->getOperations().size() + countBehind(lastBlock) - before; }

bool Unrolling::isLeftOut(size_t iteration, bool areAlike) {
  if (isMuch(iteration) && in.outlines && in.outlines->foundMore)
    return true;
  if (!areAlike || iteration < 2 || !in.outlines || in.diagnostics.size() == errorsBefore)
    return false;
  int64_t statements = in.outlines->statements - statementsBefore;
  isLong |= statements * static_cast<int64_t>(count) > manyStatements * static_cast<int64_t>(iteration);
  return isLong;
}

} // namespace npcc::frontend
