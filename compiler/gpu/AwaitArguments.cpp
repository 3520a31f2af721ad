// npcc-await-arguments: an array of the host is on its way to the device when its call begins. Before whatever uses a
// part of it stands a wait for that part: npcc_rt_await(address, first byte, byte behind the last), which is nothing
// where the array has been there from the beginning.
//
//   scf.for %k = ... {
//     np.kernel (%i) = (%n) { ... memref.load %batches[%k, %i] ... }
//   }
// becomes
//   scf.for %k = ... {
//     llvm.call @npcc_rt_await(%address, %k * %row_bytes, (%k + 1) * %row_bytes)
//     np.kernel (%i) = (%n) { ... memref.load %batches[%k, %i] ... }
//   }
// so that the copy of the next batch goes on while the kernels of this one run. The part is that of the rows, where the
// first position of all accesses of a kernel follows from what the host knows; else it is all of the array. What may be
// one of several arrays waits for all arguments. The runtime waits for the rest when the function has ended.
//
// What may write an argument says so in the same way (npcc_rt_written), once for each argument, just before it. So the
// runtime knows when a loop is done with a part, and sends it to the host while the loop goes on (runtime/Passage.h).
#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/gpu/Gpu.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/ElementBytes.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_AWAITARGUMENTS
#include "compiler/gpu/Passes.h.inc"
namespace {

/// Rows of an argument, of which each position is a sum of host values and constants: [first, first + count), where the
/// count may be a kernel's extent.
struct Rows {
  SmallVector<Term, 2> terms; // with leaves from outside of the kernel
  int64_t low = 0, high = 0;  // the constants, of the first row and the one behind the last
  Value extent;               // of the kernel's axis that is added to the position; or null

  bool sameBut(const Rows &other) const { return terms == other.terms && extent == other.extent; }
};

/// What an operation reads or writes of one argument: all of it, or rows.
struct Part {
  bool isAll = false;
  SmallVector<Rows, 1> rows;

  void add(const Rows &more) {
    for (Rows &known : rows)
      if (known.sameBut(more)) {
        known.low = std::min(known.low, more.low);
        known.high = std::max(known.high, more.high);
        return;
      }
    rows.push_back(more);
  }
};

struct Use {
  Part all, written;
  bool isWritten = false;
};

class Awaiter {
public:
  Awaiter(func::FuncOp function, ModuleOp module) : function(function), module(module) {
    for (BlockArgument argument : function.getArguments())
      if (isa<MemRefType>(argument.getType()))
        arguments.push_back(argument);
  }

  void run() {
    if (arguments.empty())
      return;
    SmallVector<Operation *> users;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == function)
        return WalkResult::advance();
      bool isControl = isa<scf::SCFDialect>(op->getDialect()) || isa<func::ReturnOp>(op);
      if (!isControl && !isMemoryEffectFree(op) && !isa<np::AllocOp, np::RetainOp, np::ReleaseOp>(op))
        users.push_back(op);
      return isa<np::KernelOp>(op) ? WalkResult::skip() : WalkResult::advance();
    });
    Operation *first = nullptr; // of kernels that may run beside each other
    for (Operation *op : users) {
      auto kernel = dyn_cast<np::KernelOp>(op);
      np::Beside beside = kernel ? kernel.getBeside() : np::Beside::alone;
      if (beside == np::Beside::begins)
        first = op;
      // A kernel beside others runs on a stream that waits for what was there when the first one was launched.
      bool isBeside = beside == np::Beside::joins && first;
      await(op, isBeside ? first : op, isBeside || beside == np::Beside::begins);
    }
  }

private:
  /// `inGroup`: others are launched beside it, which may write the same argument.
  void await(Operation *op, Operation *before, bool inGroup) {
    llvm::MapVector<Value, Use> uses;
    auto useAll = [&](Value argument, bool writes) {
      uses[argument].all.isAll = true;
      if (writes)
        uses[argument].isWritten = uses[argument].written.isAll = true;
    };
    auto use = [&](Value memory, bool writes) -> Use * {
      Value root = getRoot(memory);
      if (llvm::is_contained(arguments, root)) {
        uses[root].isWritten |= writes;
        return &uses[root];
      }
      for (Value argument : arguments)
        if (aliasing.mayAlias(root, argument))
          useAll(argument, writes);
      return nullptr;
    };
    if (auto kernel = dyn_cast<np::KernelOp>(op)) {
      KernelAccesses accesses(kernel);
      for (Operation *access : accesses.getOps()) {
        const KernelAccess &found = accesses.lookup(access);
        if (Use *used = use(found.stream->memref, found.isStore)) {
          addRows(used->all, found, kernel);
          if (found.isStore)
            addRows(used->written, found, kernel);
        }
      }
      if (accesses.getUnsupported())
        for (Value argument : arguments)
          useAll(argument, /*writes=*/true);
    } else {
      // What says nothing of its effects may write.
      auto effects = dyn_cast<MemoryEffectOpInterface>(op);
      for (Value operand : op->getOperands()) {
        if (!isa<BaseMemRefType>(operand.getType()))
          continue;
        bool writes = !effects || effects.getEffectOnValue<MemoryEffects::Write>(operand).has_value();
        if (Use *used = use(operand, writes)) {
          addAccess(used->all, op);
          if (writes)
            addAccess(used->written, op);
        }
      }
    }
    for (auto &[argument, used] : uses)
      emit(argument, used.all, before, "npcc_rt_await");
    for (auto &[argument, used] : uses)
      if (used.isWritten) {
        // What was said before is done when something is said again: so once, of all that this writes.
        used.written.isAll |= inGroup || used.written.rows.size() != 1;
        emit(argument, used.written, before, "npcc_rt_written");
      }
  }

  static void addRows(Part &used, const KernelAccess &access, np::KernelOp kernel) {
    MemRefType type = access.stream->getType();
    if (!isa<BlockArgument>(access.stream->memref) || !type.getLayout().isIdentity() || type.getRank() == 0) {
      used.isAll = true;
      return;
    }
    Rows rows;
    rows.low = access.constants[0];
    rows.high = rows.low + 1;
    for (const Term &term : access.stream->terms[0]) {
      if (isInvariant(term.leaf, kernel) && !term.isSwitch() && term.leaf.getType().isIndex() &&
          (!term.scale || term.scale.getType().isIndex())) {
        rows.terms.push_back(term);
        continue;
      }
      auto position = llvm::find(kernel.getInductionVars(), term.leaf);
      if (position == kernel.getInductionVars().end() || term.scale || term.factor != 1 || rows.extent) {
        used.isAll = true;
        return;
      }
      rows.extent = kernel.getExtents()[position - kernel.getInductionVars().begin()];
    }
    used.add(rows);
  }

  /// An element that the host reads or writes; of anything else, all that it may reach.
  static void addAccess(Part &used, Operation *op) {
    Value memory;
    ValueRange indices;
    if (auto load = dyn_cast<memref::LoadOp>(op))
      memory = load.getMemRef(), indices = load.getIndices();
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      memory = store.getMemRef(), indices = store.getIndices();
    if (!memory || indices.empty() || !isa<BlockArgument>(memory) ||
        !cast<MemRefType>(memory.getType()).getLayout().isIdentity()) {
      used.isAll = true;
      return;
    }
    Rows rows;
    rows.terms.push_back({indices[0], Value(), 1});
    rows.high = 1;
    used.add(rows);
  }

  void emit(Value argument, const Part &used, Operation *before, StringRef function) {
    OpBuilder builder(before);
    Location loc = before->getLoc();
    auto type = cast<MemRefType>(argument.getType());
    Type i64 = builder.getI64Type();
    auto number = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
    auto toI64 = [&](Value value) -> Value { return arith::IndexCastOp::create(builder, loc, i64, value); };
    // Positions of a kernel beside others may be computed behind the first one.
    bool isAll = used.isAll || used.rows.empty() || llvm::any_of(used.rows, [&](const Rows &rows) {
                   return !areBefore(rows, before) || areAll(rows, argument);
                 });
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, argument);
    if (isAll) {
      callFunction(builder, loc, module, function, nullptr, {toI64(address), toI64(number(0)), toI64(number(-1))});
      return;
    }
    Value rowBytes = number(getElementBytes(type.getElementType()));
    for (int64_t axis = 1; axis < type.getRank(); ++axis)
      rowBytes =
          arith::MulIOp::create(builder, loc, rowBytes, memref::DimOp::create(builder, loc, argument, number(axis)));
    for (const Rows &rows : used.rows) {
      Value position = number(0);
      for (const Term &term : rows.terms) {
        Value addend = arith::MulIOp::create(builder, loc, term.leaf, number(term.factor));
        if (term.scale)
          addend = arith::MulIOp::create(builder, loc, addend, term.scale);
        position = arith::AddIOp::create(builder, loc, position, addend);
      }
      Value low = arith::AddIOp::create(builder, loc, position, number(rows.low));
      Value high = arith::AddIOp::create(builder, loc, position, number(rows.extent ? rows.high - 1 : rows.high));
      if (rows.extent)
        high = arith::AddIOp::create(builder, loc, high, rows.extent);
      Value from = arith::MulIOp::create(builder, loc, low, rowBytes),
            to = arith::MulIOp::create(builder, loc, high, rowBytes);
      callFunction(builder, loc, module, function, nullptr, {toI64(address), toI64(from), toI64(to)});
    }
  }

  /// Whether a kernel goes over all rows of the argument.
  static bool areAll(const Rows &rows, Value argument) {
    auto dim = rows.extent ? rows.extent.getDefiningOp<memref::DimOp>() : memref::DimOp();
    return rows.terms.empty() && dim && dim.getSource() == argument && dim.getConstantIndex() == 0;
  }

  static bool areBefore(const Rows &rows, Operation *before) {
    auto isBefore = [&](Value value) {
      Operation *maker = value ? value.getDefiningOp() : nullptr;
      return !maker || maker->getBlock() != before->getBlock() || maker->isBeforeInBlock(before);
    };
    return isBefore(rows.extent) &&
           llvm::all_of(rows.terms, [&](const Term &term) { return isBefore(term.leaf) && isBefore(term.scale); });
  }

  func::FuncOp function;
  ModuleOp module;
  SmallVector<Value> arguments;
  Aliasing aliasing{/*general=*/false}; // arguments that overlap come as a whole
};

struct AwaitArguments : impl::AwaitArgumentsBase<AwaitArguments> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && !function->hasAttr("np.thread"))
        Awaiter(function, getOperation()).run();
  }
};

} // namespace
} // namespace npcc
