// Where the code stands, and the way back: a loop is imported again when the types of its names turn out to be others.
#include "dialects/Np/Names.h"
#include "frontend/importer/Generators.h"
#include "frontend/importer/Interpreter.h"
#include "frontend/importer/Recursion.h"

using namespace mlir;

namespace npcc::frontend {

void Environment::continueIn(Block *block) {
  ir.setInsertionPointToEnd(block);
  isReachable = true;
}

void Environment::continueLost() {
  Block *block = ir.newBlock();
  lost.insert(block);
  continueIn(block);
}

void Environment::erase(Block *block) {
  lost.erase(block);
  knownLost.erase(block);
  reached.clear(); // some were only reached from there
  block->erase();
}

bool Environment::isLostIn(Block *block) const {
  if (lost.empty())
    return false;
  SmallVector<Block *> open{block};
  llvm::SmallDenseMap<Block *, Block *, 8> seen{{block, nullptr}}; // each with the one behind it
  while (!open.empty()) {
    Block *one = open.pop_back_val();
    if (knownLost.contains(one))
      continue;
    // A block without predecessors that is not lost is the entry, or is being made.
    bool isBegin = one->hasNoPredecessors() && !lost.count(one);
    if (isBegin || reached.contains(one)) {
      for (; one; one = seen.lookup(one))
        if (!one->hasNoPredecessors())
          reached.insert(one);
      return false;
    }
    for (Block *before : one->getPredecessors())
      if (seen.try_emplace(before, one).second)
        open.push_back(before);
  }
  // What leads to it is all there: only what it leads to itself may still be a predecessor, of a loop's header.
  for (Block *one : llvm::make_first_range(seen))
    knownLost.insert(one);
  return true;
}

bool Environment::goesOnLost() const { return in.outlines && in.outlines->foundMore && !in.outlines->parts; }

Environment::Snapshot Environment::snapshot() {
  Block *block = ir.getInsertionBlock();
  std::vector<std::pair<size_t, size_t>> jumps;
  for (const LoopTargets *loop : frame->loops)
    jumps.push_back({loop->breaks.size(), loop->continues.size()});
  std::vector<std::pair<size_t, size_t>> generators;
  for (const GeneratorLoop *loop : frame->generatorLoops)
    generators.push_back({loop->finished.size(), loop->breaks.size()});
  std::vector<std::vector<size_t>> raised;
  for (const Handler *handler : allHandlers()) {
    raised.emplace_back();
    for (const auto &of : handler->raised)
      raised.back().push_back(of.size());
  }
  return {block,
          &ir.function.getBody().back(),
          block->empty() ? nullptr : &block->back(),
          in.diagnostics.size(),
          frame->returns.size(),
          failed.size(),
          frame->bindings,
          isReachable,
          std::move(jumps),
          std::move(generators),
          std::move(raised),
          reached.size()};
}

void Environment::rollBack(const Snapshot &to) {
  SmallVector<Block *> blocks;
  for (Block *block = to.lastBlock->getNextNode(); block; block = block->getNextNode())
    blocks.push_back(block);
  for (Block *block : blocks) {
    block->dropAllDefinedValueUses();
    block->dropAllReferences();
  }
  while (!to.block->empty() && &to.block->back() != to.lastOp) {
    Operation &op = to.block->back();
    // What is left of an empty block's own start are slots and strings.
    bool isLiteral =
        op.getNumResults() == 1 && llvm::is_contained(llvm::make_second_range(in.literals), op.getResult(0));
    if (!to.lastOp && (isa<np::VarOp>(op) || isLiteral))
      break;
    op.dropAllUses();
    op.erase();
  }
  // What was known to be reached then still is: of what led to it nothing is erased.
  reached.truncate(to.reached);
  if (llvm::any_of(blocks, [&](Block *block) { return reached.contains(block); })) // all were forgotten meanwhile
    reached.clear();
  for (Block *block : blocks) {
    lost.erase(block);
    knownLost.erase(block);
    block->erase();
  }
  in.diagnostics.resize(to.diagnostics);
  failed.resize(to.failed);
  frame->returns.erase(frame->returns.begin() + to.returns, frame->returns.end());
  for (auto [loop, jumps] : llvm::zip(frame->loops, to.jumps)) {
    loop->breaks.erase(loop->breaks.begin() + jumps.first, loop->breaks.end());
    loop->continues.erase(loop->continues.begin() + jumps.second, loop->continues.end());
  }
  for (auto [loop, ends] : llvm::zip(frame->generatorLoops, to.generators)) {
    loop->finished.erase(loop->finished.begin() + ends.first, loop->finished.end());
    loop->breaks.erase(loop->breaks.begin() + ends.second, loop->breaks.end());
  }
  for (auto [handler, counts] : llvm::zip(allHandlers(), to.raised))
    for (auto [of, count] : llvm::zip(handler->raised, counts))
      of.resize(count);
  frame->bindings = to.bindings;
  isReachable = to.isReachable;
  ir.setInsertionPointToEnd(to.block);
  ir.forgetCaches();
}

} // namespace npcc::frontend
