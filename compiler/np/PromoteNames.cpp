#include "compiler/np/PromoteNames.h"
#include "dialects/Np/Names.h"

#include "dialects/Np/Np.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/GenericIteratedDominanceFrontier.h"

namespace npcc {

using namespace mlir;

namespace {
/// The blocks that matter for one slot.
struct Slot {
  np::VarOp var;
  llvm::SmallSetVector<Block *, 8> definitions; // where it is set
  llvm::SmallSetVector<Block *, 8> reads;       // where it is read before it is set
  Value unbound;                                // what it holds before it is set, made where it is needed
};

class Promotion {
public:
  Promotion(func::FuncOp function, DominanceInfo &dominance) : region(function.getBody()), dominance(dominance) {}

  void run() {
    findSlots();
    if (slots.empty())
      return;
    findAccesses();
    for (size_t number = 0; number < slots.size(); ++number)
      addArguments(number);
    current.resize(slots.size());
    rename();
    for (Operation *op : llvm::reverse(dead))
      op->erase();
    for (Slot &slot : slots)
      slot.var.erase();
  }

private:
  void findSlots() {
    for (Block &block : region)
      for (auto var : block.getOps<np::VarOp>())
        if (llvm::all_of(var->getUsers(), [&](Operation *user) {
              return isa<np::GetOp, np::SetOp>(user) && user->getParentRegion() == &region;
            })) {
          numbers[var.getSlot()] = slots.size();
          slots.push_back({var, {}, {}, {}});
        }
  }

  void findAccesses() {
    for (Block &block : region) {
      DenseSet<size_t> isSet; // in this block
      for (Operation &op : block) {
        if (auto get = dyn_cast<np::GetOp>(op)) {
          if (auto number = numbers.find(get.getSlot()); number != numbers.end() && !isSet.contains(number->second))
            slots[number->second].reads.insert(&block);
          continue;
        }
        auto var = dyn_cast<np::VarOp>(op);
        auto set = dyn_cast<np::SetOp>(op);
        auto number = var || set ? numbers.find(var ? var.getSlot() : set.getSlot()) : numbers.end();
        if (number == numbers.end())
          continue;
        slots[number->second].definitions.insert(&block);
        isSet.insert(number->second);
      }
    }
  }

  /// An argument for a slot wherever several of its definitions meet and are read later.
  void addArguments(size_t number) {
    Slot &slot = slots[number];
    if (slot.reads.empty() || region.hasOneBlock())
      return;
    llvm::SmallPtrSet<Block *, 16> definitions(llvm::from_range, slot.definitions), live, read;
    SmallVector<Block *> pending(slot.reads.begin(), slot.reads.end());
    while (!pending.empty()) {
      Block *block = pending.pop_back_val();
      if (!live.insert(block).second)
        continue;
      for (Block *before : block->getPredecessors())
        if (definitions.contains(before))
          read.insert(before);
        else
          pending.push_back(before);
    }
    // A definition that no read comes to before another one meets nothing. Without it the frontier need not be looked
    // for in all that it dominates, which of the first one (np.var) is most of the function.
    if (read.size() < 2)
      return;
    llvm::IDFCalculatorBase<Block, false> frontier(dominance.getDomTree(&region));
    frontier.setDefiningBlocks(read);
    frontier.setLiveInBlocks(live);
    SmallVector<Block *> meeting;
    frontier.calculate(meeting);
    Type type = cast<np::SlotType>(slot.var.getSlot().getType()).getValueType();
    for (Block *block : meeting) {
      block->addArgument(type, slot.var.getLoc());
      arguments[block].push_back(number);
    }
  }

  /// What a slot holds here.
  Value valueOf(size_t number) {
    if (current[number])
      return current[number];
    Slot &slot = slots[number];
    if (!slot.unbound) {
      OpBuilder builder(slot.var);
      Type type = cast<np::SlotType>(slot.var.getSlot().getType()).getValueType();
      slot.unbound = np::UnboundOp::create(builder, slot.var.getLoc(), type, slot.var.getName());
    }
    return slot.unbound;
  }

  void assign(size_t number, Value value) {
    changes.push_back({number, current[number]});
    current[number] = value;
  }

  void renameIn(Block *block) {
    if (auto added = arguments.find(block); added != arguments.end())
      for (auto [number, argument] : llvm::zip(added->second, block->getArguments().take_back(added->second.size())))
        assign(number, argument);
    for (Operation &op : *block) {
      if (auto get = dyn_cast<np::GetOp>(op)) {
        if (auto number = numbers.find(get.getSlot()); number != numbers.end()) {
          get.getResult().replaceAllUsesWith(valueOf(number->second));
          dead.push_back(&op);
        }
      } else if (auto set = dyn_cast<np::SetOp>(op)) {
        if (auto number = numbers.find(set.getSlot()); number != numbers.end()) {
          assign(number->second, set.getValue());
          dead.push_back(&op);
        }
      } else if (auto var = dyn_cast<np::VarOp>(op)) {
        if (auto number = numbers.find(var.getSlot()); number != numbers.end())
          assign(number->second, {});
      }
    }
    for (unsigned k = 0; k < block->getNumSuccessors(); ++k)
      if (auto wanted = arguments.find(block->getSuccessor(k)); wanted != arguments.end()) {
        SmallVector<Value> values = llvm::map_to_vector(wanted->second, [&](size_t number) { return valueOf(number); });
        cast<BranchOpInterface>(block->getTerminator()).getSuccessorOperands(k).append(values);
      }
  }

  /// Over the dominator tree, from each block with what the slots hold at its end. Deep trees are common: no recursion.
  void rename() {
    if (region.hasOneBlock()) // which has no dominator tree
      return renameIn(&region.front());
    struct Step {
      DominanceInfoNode *node;
      size_t changes; // how many there were when it was entered
      bool isEntered;
    };
    SmallVector<Step> steps = {{dominance.getRootNode(&region), 0, false}};
    while (!steps.empty()) {
      Step &step = steps.back();
      if (step.isEntered) {
        while (changes.size() > step.changes) {
          auto [number, before] = changes.pop_back_val();
          current[number] = before;
        }
        steps.pop_back();
        continue;
      }
      step.isEntered = true;
      step.changes = changes.size();
      DominanceInfoNode *node = step.node;
      renameIn(node->getBlock());
      for (DominanceInfoNode *child : node->children())
        steps.push_back({child, 0, false});
    }
  }

  Region &region;
  DominanceInfo &dominance;
  SmallVector<Slot, 0> slots;
  DenseMap<Value, size_t> numbers;
  DenseMap<Block *, SmallVector<size_t>> arguments; // the slots that a block's last arguments are for
  SmallVector<Value> current;                       // what each slot holds, null where it is unbound
  SmallVector<std::pair<size_t, Value>> changes;    // of `current`, with what was there before
  SmallVector<Operation *> dead;
};
} // namespace

void promoteNames(func::FuncOp function, DominanceInfo &dominance) { Promotion(function, dominance).run(); }

} // namespace npcc
