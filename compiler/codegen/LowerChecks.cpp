// npcc-lower-checks: checks, print() and strings become calls of the runtime, behind a branch.
//
//   %p = np.check_index %i of %n axis 0
// becomes
//   %fromStart = arith.select (%i < 0), %i + %n, %i
//   scf.if (%fromStart >=u %n) { llvm.call @npcc_rt_fail_index(%i, 0, %n, file, line) }   // does not return
#include "compiler/codegen/HostLowering.h"
#include "compiler/codegen/RuntimeFunctions.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Host.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "runtime/abi/frame.h"
#include "runtime/abi/text.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_LOWERCHECKS
#include "compiler/codegen/Passes.h.inc"
} // namespace npcc

namespace {
struct LowerChecks : npcc::impl::LowerChecksBase<LowerChecks> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](Operation *op) {
        OpBuilder builder(op);
        if (auto check = dyn_cast<np::CheckIndexOp>(op))
          lower(builder, check);
        else if (auto check = dyn_cast<np::BroadcastExtentOp>(op))
          lower(builder, check);
        else if (auto check = dyn_cast<np::AssertOp>(op))
          lower(builder, check);
        else if (isa<np::SettleOp>(op)) {
          callFunction(builder, op->getLoc(), getOperation(), "npcc_rt_settle", nullptr, {});
          op->erase();
        } else if (auto print = dyn_cast<np::PrintOp>(op))
          lower(builder, print);
        else if (auto text = dyn_cast<np::TextOp>(op))
          lower(builder, text);
      });
  }

  /// `make` builds the call with the builder inside `if (condition)`.
  void failIf(OpBuilder &builder, Location loc, Value condition, llvm::function_ref<void(OpBuilder &)> make) {
    scf::IfOp::create(builder, loc, condition, [&](OpBuilder &inside, Location) {
      make(inside);
      scf::YieldOp::create(inside, loc);
    });
  }

  /// NumPy's words about arrays of positions that do not meet.
  static std::string describeIndices(np::BroadcastExtentOp op) {
    size_t lhsRank = op.getLhsRank(), all = op.getShapes().size();
    return "shape mismatch: indexing arrays could not be broadcast together with shapes " + getShapeFormat(0, lhsRank) +
           " " + getShapeFormat(lhsRank, all - lhsRank) + " ";
  }

  /// A call of a function that does not return, with file and line as its last arguments.
  void callFailure(OpBuilder &builder, Location loc, StringRef name, SmallVector<Value> arguments) {
    auto [file, line] = getSourcePosition(loc);
    arguments.push_back(getTextAddress(builder, loc, getOperation(), file));
    arguments.push_back(LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(line)));
    LLVM::CallOp call = callFunction(builder, loc, getOperation(), name, nullptr, arguments);
    auto function = getOperation().lookupSymbol<LLVM::LLVMFuncOp>(*call.getCallee());
    function.setPassthroughAttr(builder.getStrArrayAttr({"noreturn", "cold"}));
  }

  Value i32(OpBuilder &builder, Location loc, int32_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  }
  Value toI64(OpBuilder &builder, Location loc, Value value) {
    return value.getType().isIndex() ? arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value) : value;
  }

  /// An array of int64 on the stack.
  Value store(OpBuilder &builder, Operation *op, ValueRange values) {
    Location loc = op->getLoc();
    Value slots = allocateOnStack(builder, op, builder.getI64Type(), std::max<int64_t>(values.size(), 1));
    for (auto [k, value] : llvm::enumerate(values)) {
      Value slot = LLVM::GEPOp::create(builder, loc, slots.getType(), builder.getI64Type(), slots,
                                       ArrayRef<LLVM::GEPArg>{int32_t(k)});
      LLVM::StoreOp::create(builder, loc, toI64(builder, loc, value), slot);
    }
    return slots;
  }

  void lower(OpBuilder &builder, np::CheckIndexOp op) {
    Location loc = op.getLoc();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value negative = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, op.getPosition(), zero);
    Value wrapped = arith::AddIOp::create(builder, loc, op.getPosition(), op.getSize());
    Value fromStart = arith::SelectOp::create(builder, loc, negative, wrapped, op.getPosition());
    Value outside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, fromStart, op.getSize());
    failIf(builder, loc, outside, [&](OpBuilder &inside) {
      Value axis = LLVM::ConstantOp::create(inside, loc, inside.getI64IntegerAttr(op.getAxis()));
      callFailure(inside, loc, "npcc_rt_fail_index",
                  {toI64(inside, loc, op.getPosition()), axis, toI64(inside, loc, op.getSize())});
    });
    op.getResult().replaceAllUsesWith(fromStart);
    op.erase();
  }

  void lower(OpBuilder &builder, np::BroadcastExtentOp op) {
    Location loc = op.getLoc();
    bool isStore = !op.isMutual();
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value differ = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, op.getLhs(), op.getRhs());
    Value lhsLong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, op.getLhs(), one);
    Value rhsLong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, op.getRhs(), one);
    Value wrong = arith::AndIOp::create(builder, loc, differ, lhsLong);
    if (!isStore)
      wrong = arith::AndIOp::create(builder, loc, wrong, rhsLong);
    failIf(builder, loc, wrong, [&](OpBuilder &inside) {
      std::optional<uint64_t> output = op.getOutputRank();
      int64_t lhsRank = op.getLhsRank(), outputRank = output.value_or(0);
      int64_t rhsRank = op.getShapes().size() - lhsRank - outputRank;
      if (isStore)
        return callFailure(inside, loc, "npcc_rt_fail_broadcast_store",
                           {i32(inside, loc,
                                op.getKind() == np::BroadcastKind::output      ? NPCC_STORE_OUTPUT
                                : op.getKind() == np::BroadcastKind::positions ? NPCC_STORE_POSITIONS
                                                                               : NPCC_STORE_ASSIGNMENT),
                            i32(inside, loc, lhsRank), store(inside, op, op.getShapes().take_front(lhsRank)),
                            i32(inside, loc, rhsRank), store(inside, op, op.getShapes().drop_front(lhsRank))});
      if (op.getKind() == np::BroadcastKind::indices)
        return callFailure(inside, loc, "npcc_rt_fail_format",
                           {i32(inside, loc, NPCC_INDEX_ERROR),
                            getTextAddress(inside, loc, getOperation(), describeIndices(op)),
                            i32(inside, loc, op.getShapes().size()), store(inside, op, op.getShapes())});
      SmallVector<Value> ranks;
      for (int64_t rank : {lhsRank, rhsRank, outputRank})
        if (ranks.size() < 2 || output)
          ranks.push_back(LLVM::ConstantOp::create(inside, loc, inside.getI64IntegerAttr(rank)));
      callFailure(inside, loc, "npcc_rt_fail_broadcast",
                  {i32(inside, loc, ranks.size()), store(inside, op, ranks), store(inside, op, op.getShapes())});
    });
    Value result =
        isStore ? op.getRhs() : arith::SelectOp::create(builder, loc, lhsLong, op.getLhs(), op.getRhs()).getResult();
    op.getResult().replaceAllUsesWith(result);
    op.erase();
  }

  void lower(OpBuilder &builder, np::AssertOp op) {
    Location loc = op.getLoc();
    Value true_ = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    Value wrong = arith::XOrIOp::create(builder, loc, op.getCondition(), true_);
    failIf(builder, loc, wrong, [&](OpBuilder &inside) {
      Value code = i32(inside, loc, getErrorCode(op.getError()));
      Value message = getTextAddress(inside, loc, getOperation(), op.getMessage());
      callFailure(inside, loc, "npcc_rt_fail_format",
                  {code, message, i32(inside, loc, op.getArguments().size()), store(inside, op, op.getArguments())});
    });
    op.erase();
  }

  /// Stores one piece of a print() into an npcc_print_item.
  void storeItem(OpBuilder &builder, Location loc, ValueRange arguments, Attribute piece, Value item) {
    Type i64 = builder.getI64Type(), pointer = item.getType();
    auto field = [&](int32_t words) {
      return LLVM::GEPOp::create(builder, loc, pointer, i64, item, ArrayRef<LLVM::GEPArg>{words});
    };
    char kind = 's';
    StringRef spec;
    if (auto text = dyn_cast<StringAttr>(piece)) {
      LLVM::StoreOp::create(builder, loc, getTextAddress(builder, loc, getOperation(), text), field(2));
    } else {
      auto pair = cast<ArrayAttr>(piece);
      Value value = arguments[cast<IntegerAttr>(pair[0]).getInt()];
      spec = pair.size() > 1 ? cast<StringAttr>(pair[1]).getValue() : "";
      Type type = value.getType();
      StringRef note = pair.size() > 2 ? cast<StringAttr>(pair[2]).getValue() : "";
      if (auto complexType = dyn_cast<ComplexType>(type)) {
        kind = complexType.getElementType().isF32() ? 'k' : 'c';
        if (note == "bare")
          kind = llvm::toUpper(kind);
        for (bool imaginary : {false, true}) {
          Value part = imaginary ? complex::ImOp::create(builder, loc, complexType.getElementType(), value).getResult()
                                 : complex::ReOp::create(builder, loc, complexType.getElementType(), value).getResult();
          LLVM::StoreOp::create(builder, loc, toF64(builder, loc, part), field(2 + imaginary));
        }
      } else if (isa<FloatType>(type)) {
        // NumPy's smaller floats are written with the digits that they need.
        kind = type.isF16() ? 'h' : type.isBF16() ? 'n' : type.isF32() ? 'g' : 'f';
        LLVM::StoreOp::create(builder, loc, toF64(builder, loc, value), field(2));
      } else {
        bool isUnsigned = note == "unsigned";
        kind = note == "text" ? 't' : type.isInteger(1) ? 'b' : isUnsigned ? 'u' : 'i';
        if (type.isIndex())
          value = toI64(builder, loc, value);
        else if (type.isInteger(1))
          value = arith::ExtUIOp::create(builder, loc, i64, value);
        else if (!type.isInteger(64))
          value = isUnsigned ? arith::ExtUIOp::create(builder, loc, i64, value).getResult()
                             : arith::ExtSIOp::create(builder, loc, i64, value);
        LLVM::StoreOp::create(builder, loc, value, field(2));
      }
    }
    LLVM::StoreOp::create(builder, loc, LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(kind)),
                          field(0));
    Value specAddress = spec.empty() ? LLVM::ZeroOp::create(builder, loc, pointer).getResult()
                                     : getTextAddress(builder, loc, getOperation(), spec);
    LLVM::StoreOp::create(builder, loc, specAddress, field(1));
  }

  Value toF64(OpBuilder &builder, Location loc, Value value) {
    return value.getType().isF64() ? value : arith::ExtFOp::create(builder, loc, builder.getF64Type(), value);
  }

  /// The pieces of a print() or a string as an array of npcc_print_item on the stack.
  Value storeItems(OpBuilder &builder, Operation *op, ArrayAttr pieces) {
    static_assert(sizeof(npcc_print_item) == 4 * sizeof(int64_t));
    Location loc = op->getLoc();
    Value items = allocateOnStack(builder, op, builder.getI64Type(), std::max<int64_t>(4 * pieces.size(), 1));
    for (auto [k, piece] : llvm::enumerate(pieces)) {
      Value item = LLVM::GEPOp::create(builder, loc, items.getType(), builder.getI64Type(), items,
                                       ArrayRef<LLVM::GEPArg>{int32_t(4 * k)});
      storeItem(builder, loc, op->getOperands(), piece, item);
    }
    return items;
  }

  void lower(OpBuilder &builder, np::PrintOp op) {
    Location loc = op.getLoc();
    Value items = storeItems(builder, op, op.getPieces()), nothing = getTextAddress(builder, loc, getOperation(), "");
    callFunction(builder, loc, getOperation(), "npcc_rt_print", nullptr,
                 {i32(builder, loc, op.getPieces().size()), items, nothing, nothing});
    op.erase();
  }

  void lower(OpBuilder &builder, np::TextOp op) {
    Location loc = op.getLoc();
    Value items = storeItems(builder, op, op.getPieces()), count = i32(builder, loc, op.getPieces().size());
    LLVM::CallOp call =
        callFunction(builder, loc, getOperation(), "npcc_rt_text", builder.getI64Type(), {count, items});
    op.replaceAllUsesWith(call.getResult());
    op.erase();
  }
};
} // namespace
