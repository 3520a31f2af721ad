// npcc-lower-device-checks: checks inside launches leave a record and go on with a position that is safe.
//
//   %p = np.check_index %i of %n axis 0
// becomes, with %record = npcc_rt_error_record() and the file's name from the host as parameters
//   %fromStart = arith.select (%i < 0), %i + %n, %i
//   %bad = arith.cmpi uge, %fromStart, %n
//   scf.if %bad { if (cmpxchg %record[0], 0 -> INDEX_ERROR) %record[1..6] = line, %i, 0, %n, file, 0 }
//   %p = arith.select %bad, 0, %fromStart
// Checks with the attribute npcc.exit, which all threads make alike, end the kernel instead.
#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/gpu/Gpu.h"
#include "dialects/Np/Np.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_LOWERDEVICECHECKS
#include "compiler/gpu/Passes.h.inc"
namespace {

struct LowerDeviceChecks : impl::LowerDeviceChecksBase<LowerDeviceChecks> {
  void runOnOperation() override {
    getOperation().walk([&](gpu::LaunchOp launch) {
      SmallVector<Operation *> checks;
      launch.walk([&](Operation *op) {
        if (isa<np::CheckIndexOp, np::AssertOp>(op))
          checks.push_back(op);
      });
      if (checks.empty())
        return;
      OpBuilder host(launch);
      Type pointer = LLVM::LLVMPointerType::get(&getContext());
      Value record = callFunction(host, launch.getLoc(), getOperation(), "npcc_rt_error_record", pointer, {}).getResult();
      Type global = LLVM::LLVMPointerType::get(&getContext(), 1);
      Value bits = LLVM::PtrToIntOp::create(host, launch.getLoc(), host.getI64Type(), record);
      record = LLVM::IntToPtrOp::create(host, launch.getLoc(), global, bits);
      for (Operation *op : checks)
        lower(host, record, op);
    });
  }

  Value getText(OpBuilder &host, Location loc, StringRef text) {
    return LLVM::PtrToIntOp::create(host, loc, host.getI64Type(), getTextAddress(host, loc, getOperation(), text));
  }

  void writeRecord(OpBuilder &host, OpBuilder &builder, Operation *op, Value record, Value isWrong, int64_t error, ArrayRef<Value> numbers,
                   StringRef message) {
    Location loc = op->getLoc();
    Type i64 = builder.getI64Type();
    auto constant = [&](OpBuilder &b, int64_t value) -> Value { return arith::ConstantIntOp::create(b, loc, value, 64); };
    auto [file, line] = getSourcePosition(loc);
    SmallVector<Value> fields{Value(), constant(host, line)};
    for (Value number : numbers)
      fields.push_back(number);
    fields.resize(5);
    fields.push_back(getText(host, loc, file));
    fields.push_back(message.empty() ? Value() : getText(host, loc, message));
    scf::IfOp::create(builder, loc, isWrong, [&](OpBuilder &inside, Location) {
      auto exchange = LLVM::AtomicCmpXchgOp::create(inside, loc, record, constant(inside, 0), constant(inside, error),
                                                    LLVM::AtomicOrdering::monotonic, LLVM::AtomicOrdering::monotonic);
      Value isFirst = LLVM::ExtractValueOp::create(inside, loc, exchange, 1);
      scf::IfOp::create(inside, loc, isFirst, [&](OpBuilder &first, Location) {
        for (int32_t index = 1; index < int32_t(fields.size()); ++index)
          if (Value field = fields[index]) {
            if (field.getType().isIndex())
              field = arith::IndexCastOp::create(first, loc, i64, field);
            Value slot = LLVM::GEPOp::create(first, loc, record.getType(), i64, record, ArrayRef<LLVM::GEPArg>{index});
            LLVM::StoreOp::create(first, loc, field, slot);
          }
        scf::YieldOp::create(first, loc);
      });
      if (op->hasAttr("npcc.exit"))
        LLVM::CallIntrinsicOp::create(inside, loc, inside.getStringAttr("llvm.nvvm.exit"), ValueRange());
      scf::YieldOp::create(inside, loc);
    });
  }

  void lower(OpBuilder &host, Value record, Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (auto check = dyn_cast<np::AssertOp>(op)) {
      Value isTrue = arith::ConstantIntOp::create(builder, loc, 1, 1);
      Value isWrong = arith::XOrIOp::create(builder, loc, check.getCondition(), isTrue);
      SmallVector<Value> numbers(check.getArguments().take_front(3));
      writeRecord(host, builder, op, record, isWrong, getErrorCode(check.getError()), numbers, check.getMessage());
      op->erase();
      return;
    }
    auto check = cast<np::CheckIndexOp>(op);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value isNegative = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, check.getPosition(), zero);
    Value wrapped = arith::AddIOp::create(builder, loc, check.getPosition(), check.getSize());
    Value fromStart = arith::SelectOp::create(builder, loc, isNegative, wrapped, check.getPosition());
    Value isWrong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, fromStart, check.getSize());
    Value axis = arith::ConstantIndexOp::create(builder, loc, check.getAxis());
    writeRecord(host, builder, op, record, isWrong, NPCC_INDEX_ERROR, {check.getPosition(), axis, check.getSize()}, "");
    check.replaceAllUsesWith(arith::SelectOp::create(builder, loc, isWrong, zero, fromStart).getResult());
    check.erase();
  }
};

} // namespace
} // namespace npcc
