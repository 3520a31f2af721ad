// npcc-lower-device-checks: checks inside launches leave a record and go on with a position that is safe.
//
//   np.iteration(%i, %k) in (%n, %m)
//   %p = np.check_index %i of %size axis 0
// becomes, with %record = npcc_rt_error_record(), %launch = npcc_rt_launch_number() and the file's name from the host
// as parameters
//   %fromStart = arith.select (%i < 0), %i + %size, %i
//   %bad = arith.cmpi uge, %fromStart, %size
//   scf.if %bad {
//     %place = (%launch, %i * %m + %k)            // one number, never 0
//     if (%record[7] is 0 or more than %place)    // again as long as another thread is writing
//       if (cmpxchg %record[7], what it was -> -1) { %record[1..6] = line, %i, 0, %size, file, 0
//                                                    %record[0] = INDEX_ERROR, %record[7] = %place }
//   }
//   %p = arith.select %bad, 0, %fromStart
// and np.end_after_error, in launches behind others that make checks, becomes
//   %error = load %flag                         // npcc_rt_error_flag(), in the device's own memory
//   scf.if (%error is not 0) { exit }           // in a launch with checks: less than its own number
//
// and np.is_reached %place becomes
//   %error = load %flag       // 0, or less or more than what was recorded at this place of the launch before
//
// So of several checks that fail the one is recorded that the program makes first: of the first launch, and there by
// np.iteration. At checks with `ends`, which all threads make alike, the kernel ends instead of going on.
#include "compiler/codegen/RuntimeFunctions.h"
#include "compiler/gpu/Gpu.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Iteration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_LOWERDEVICECHECKS
#include "compiler/gpu/Passes.h.inc"
namespace {

// Fields of the record (npcc_rt_error_record).
constexpr int32_t errorField = 0, lineField = 1, fileField = 5, messageField = 6, placeField = 7;
// What `placeField` holds while a thread writes the others.
constexpr int64_t isWriting = -1;
// Only threads of the device compete for the record; the host looks at it when they are done. It is memory of the host,
// where atomics of the whole system are undefined unless the bus has them.
constexpr llvm::StringLiteral ofDevice = "device";
// Bits of a place that say where in a launch it is; the number of the launch is above them.
constexpr int64_t bitsInLaunch = 46;

struct LowerDeviceChecks : impl::LowerDeviceChecksBase<LowerDeviceChecks> {
  void runOnOperation() override {
    getOperation().walk([&](gpu::LaunchOp launch) {
      SmallVector<Operation *> checks, orders;
      SmallVector<np::IsReachedOp> asked;
      np::EndAfterErrorOp guard;
      Value number;
      launch.walk([&](Operation *op) {
        if (isa<np::CheckIndexOp, np::AssertOp, np::BroadcastExtentOp>(op))
          checks.push_back(op);
        else if (isa<np::IterationOp>(op))
          orders.push_back(op);
        else if (auto end = dyn_cast<np::EndAfterErrorOp>(op))
          guard = end;
        else if (auto reached = dyn_cast<np::IsReachedOp>(op))
          asked.push_back(reached);
      });
      if (!checks.empty()) {
        OpBuilder host(launch);
        Record record = getRecord(host, launch.getLoc());
        texts.clear();
        number = record.launch;
        for (Operation *op : checks)
          lower(host, record, op);
      }
      for (Operation *order : orders)
        order->erase();
      if (guard)
        lower(guard, launch, number);
      if (!asked.empty())
        lower(asked, launch);
    });
  }

  /// Values of the host that kernels need to leave an error.
  struct Record {
    Value address; // in the device's memory
    Value launch;  // its number, in the bits above those of a place in it
  };

  Record getRecord(OpBuilder &host, Location loc) {
    Type pointer = LLVM::LLVMPointerType::get(&getContext()), i64 = host.getI64Type();
    Value address = callFunction(host, loc, getOperation(), "npcc_rt_error_record", pointer, {}).getResult();
    Type global = LLVM::LLVMPointerType::get(&getContext(), 1);
    Value bits = LLVM::PtrToIntOp::create(host, loc, i64, address);
    return {LLVM::IntToPtrOp::create(host, loc, global, bits), getLaunchNumber(host, loc)};
  }

  /// `number`: of a launch that makes checks. Its own errors, and later ones of launches beside it, are above it.
  void lower(np::EndAfterErrorOp guard, gpu::LaunchOp launch, Value number) {
    OpBuilder host(launch), builder(guard);
    Location loc = guard.getLoc();
    Type i64 = host.getI64Type();
    Value flag = getFlag(host, loc);
    if (!number && (launch->hasAttr("np.begins") || launch->hasAttr("np.beside")))
      number = getLaunchNumber(host, loc);
    Value place = LLVM::LoadOp::create(builder, loc, i64, flag);
    Value one = constant(builder, loc, 1);
    Value hasFailed =
        number ? arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       arith::SubIOp::create(builder, loc, place, one),
                                       arith::SubIOp::create(builder, loc, number, one))
                     .getResult()
               : arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, place, constant(builder, loc, 0))
                     .getResult();
    scf::IfOp::create(builder, loc, hasFailed, [&](OpBuilder &inside, Location) {
      LLVM::CallIntrinsicOp::create(inside, loc, inside.getStringAttr("llvm.nvvm.exit"), ValueRange());
      scf::YieldOp::create(inside, loc);
    });
    guard.erase();
  }

  /// The error's place is what is in the flag, less the number of the launch before, less 1: negative where the error
  /// is of an earlier one.
  void lower(ArrayRef<np::IsReachedOp> asked, gpu::LaunchOp launch) {
    OpBuilder host(launch);
    Location loc = launch.getLoc();
    Value flag = getFlag(host, loc);
    Value before = arith::SubIOp::create(host, loc, getLaunchNumber(host, loc),
                                         constant(host, loc, (int64_t(1) << bitsInLaunch) - 1));
    for (np::IsReachedOp op : asked) {
      OpBuilder builder(op);
      Value failed = LLVM::LoadOp::create(builder, loc, host.getI64Type(), flag);
      Value isNone = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, failed, constant(builder, loc, 0));
      Value isBefore = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, toI64(builder, op.getPlace()),
                                             arith::SubIOp::create(builder, loc, failed, before));
      op.replaceAllUsesWith(arith::OrIOp::create(builder, loc, isNone, isBefore).getResult());
      op.erase();
    }
  }

  /// What a check that fails sets, in the device's memory.
  Value getFlag(OpBuilder &host, Location loc) {
    Type pointer = LLVM::LLVMPointerType::get(&getContext()), global = LLVM::LLVMPointerType::get(&getContext(), 1);
    Value address = callFunction(host, loc, getOperation(), "npcc_rt_error_flag", pointer, {}).getResult();
    Value bits = LLVM::PtrToIntOp::create(host, loc, host.getI64Type(), address);
    return LLVM::IntToPtrOp::create(host, loc, global, bits);
  }

  /// The number of a launch, in the bits above those of a place in it.
  Value getLaunchNumber(OpBuilder &host, Location loc) {
    Value number = callFunction(host, loc, getOperation(), "npcc_rt_launch_number", host.getI64Type(), {}).getResult();
    return arith::ShLIOp::create(host, loc, number, constant(host, loc, bitsInLaunch));
  }

  static Value constant(OpBuilder &builder, Location loc, int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  }
  static Value toI64(OpBuilder &builder, Value value) {
    return value.getType().isIndex()
               ? arith::IndexCastOp::create(builder, value.getLoc(), builder.getI64Type(), value).getResult()
               : value;
  }

  /// Each text is one parameter of the kernel: thousands of checks have few files and messages, and parameters are few.
  Value getText(OpBuilder &host, Location loc, StringRef text) {
    Value &address = texts[text];
    if (!address)
      address = LLVM::PtrToIntOp::create(host, loc, host.getI64Type(), getTextAddress(host, loc, getOperation(), text));
    return address;
  }
  llvm::StringMap<Value> texts; // of a launch

  /// Where the check is in the program's order: less where it is earlier, and not 0.
  Value emitPlace(OpBuilder &builder, const Record &record, np::IterationOp order, Location loc) {
    Value place = constant(builder, loc, 0);
    if (order)
      for (auto [position, extent] : llvm::zip_equal(order.getPositions(), order.getExtents()))
        place = arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, place, toI64(builder, extent)),
                                      toI64(builder, position));
    place = arith::MinUIOp::create(builder, loc, place, constant(builder, loc, (int64_t(1) << bitsInLaunch) - 2));
    place = arith::AddIOp::create(builder, loc, place, constant(builder, loc, 1));
    return arith::OrIOp::create(builder, loc, place, record.launch);
  }

  void writeRecord(OpBuilder &host, OpBuilder &builder, Operation *op, const Record &record, Value isWrong,
                   int64_t error, ArrayRef<Value> numbers, StringRef message, bool ends) {
    Location loc = op->getLoc();
    auto [file, line] = getSourcePosition(loc);
    SmallVector<Value> fields(NPCC_RECORD_FLAG);
    fields[lineField] = constant(host, loc, line);
    fields[fileField] = getText(host, loc, file);
    fields[messageField] = message.empty() ? constant(host, loc, 0) : getText(host, loc, message);
    for (auto [k, number] : llvm::enumerate(numbers))
      fields[NPCC_RECORD_NUMBER(k)] = number;
    scf::IfOp::create(builder, loc, isWrong, [&](OpBuilder &inside, Location) {
      Value place = emitPlace(inside, record, np::findIteration(op, op->getParentOfType<gpu::LaunchOp>()), loc);
      emitClaim(inside, loc, record.address, place, [&](OpBuilder &first) {
        for (auto [index, field] : llvm::enumerate(fields))
          if (field)
            LLVM::StoreOp::create(first, loc, toI64(first, field), getField(first, loc, record.address, index));
        LLVM::StoreOp::create(first, loc, constant(first, loc, error),
                              getField(first, loc, record.address, errorField));
        raiseFlag(first, loc, record.address, place);
      });
      if (ends)
        LLVM::CallIntrinsicOp::create(inside, loc, inside.getStringAttr("llvm.nvvm.exit"), ValueRange());
      scf::YieldOp::create(inside, loc);
    });
  }

  /// What launches behind this one look at.
  static void raiseFlag(OpBuilder &builder, Location loc, Value record, Value place) {
    Type i64 = builder.getI64Type(), global = LLVM::LLVMPointerType::get(builder.getContext(), 1);
    Value address = LLVM::LoadOp::create(builder, loc, i64, getField(builder, loc, record, NPCC_RECORD_FLAG));
    Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, address, constant(builder, loc, 0));
    scf::IfOp::create(builder, loc, isThere, [&](OpBuilder &inside, Location) {
      LLVM::StoreOp::create(inside, loc, place, LLVM::IntToPtrOp::create(inside, loc, global, address));
      scf::YieldOp::create(inside, loc);
    });
  }

  static Value getField(OpBuilder &builder, Location loc, Value record, int32_t index) {
    return LLVM::GEPOp::create(builder, loc, record.getType(), builder.getI64Type(), record,
                               ArrayRef<LLVM::GEPArg>{index});
  }

  /// `write` writes the fields unless an earlier error is there. One thread writes at a time.
  void emitClaim(OpBuilder &builder, Location loc, Value record, Value place, function_ref<void(OpBuilder &)> write) {
    using P = arith::CmpIPredicate;
    auto compare = [&](P predicate, Value a, Value b) -> Value {
      return arith::CmpIOp::create(builder, loc, predicate, a, b);
    };
    auto loop = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&loop.getAfter());
    scf::YieldOp::create(builder, loc);
    builder.createBlock(&loop.getBefore());
    Value slot = getField(builder, loc, record, placeField);
    auto known = LLVM::LoadOp::create(builder, loc, builder.getI64Type(), slot, /*alignment=*/8, /*isVolatile=*/false,
                                      /*isNonTemporal=*/false, /*isInvariant=*/false, /*isInvariantGroup=*/false,
                                      LLVM::AtomicOrdering::monotonic, ofDevice);
    Value writing = constant(builder, loc, isWriting), none = constant(builder, loc, 0);
    Value isBusy = compare(P::eq, known, writing);
    Value isOpen = arith::OrIOp::create(builder, loc, compare(P::eq, known, none), compare(P::ugt, known, place));
    isOpen = arith::AndIOp::create(builder, loc, isOpen, compare(P::ne, known, writing));
    auto attempt = scf::IfOp::create(builder, loc, TypeRange{builder.getI1Type()}, isOpen, /*addThenBlock=*/true,
                                     /*addElseBlock=*/true);
    // Again, where another thread was faster or is writing.
    Value again = arith::OrIOp::create(builder, loc, isBusy, attempt.getResult(0));
    scf::ConditionOp::create(builder, loc, again, ValueRange());
    builder.setInsertionPointToStart(attempt.elseBlock());
    Value no = arith::ConstantIntOp::create(builder, loc, 0, 1);
    scf::YieldOp::create(builder, loc, no);
    builder.setInsertionPointToStart(attempt.thenBlock());
    auto exchange = LLVM::AtomicCmpXchgOp::create(builder, loc, slot, known, writing, LLVM::AtomicOrdering::monotonic,
                                                  LLVM::AtomicOrdering::monotonic, ofDevice);
    Value isMine = LLVM::ExtractValueOp::create(builder, loc, exchange, 1);
    auto mine = scf::IfOp::create(builder, loc, isMine, /*withElseRegion=*/false);
    Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
    scf::YieldOp::create(builder, loc, arith::XOrIOp::create(builder, loc, isMine, yes).getResult());
    builder.setInsertionPointToStart(mine.thenBlock());
    LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::seq_cst, ofDevice);
    write(builder);
    LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::seq_cst, ofDevice);
    LLVM::StoreOp::create(builder, loc, place, slot, /*alignment=*/8, /*isVolatile=*/false, /*isNonTemporal=*/false,
                          /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic, ofDevice);
  }

  void lower(OpBuilder &host, const Record &record, Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (auto check = dyn_cast<np::AssertOp>(op)) {
      Value isTrue = arith::ConstantIntOp::create(builder, loc, 1, 1);
      Value isWrong = arith::XOrIOp::create(builder, loc, check.getCondition(), isTrue);
      SmallVector<Value> numbers(check.getArguments().take_front(NPCC_RECORD_NUMBERS));
      writeRecord(host, builder, op, record, isWrong, getErrorCode(check.getError()), numbers, check.getMessage(),
                  check.getEnds());
      op->erase();
      return;
    }
    if (auto meet = dyn_cast<np::BroadcastExtentOp>(op))
      return lower(host, record, meet);
    auto check = cast<np::CheckIndexOp>(op);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value isNegative = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, check.getPosition(), zero);
    Value wrapped = arith::AddIOp::create(builder, loc, check.getPosition(), check.getSize());
    Value fromStart = arith::SelectOp::create(builder, loc, isNegative, wrapped, check.getPosition());
    Value isWrong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, fromStart, check.getSize());
    Value axis = arith::ConstantIndexOp::create(builder, loc, check.getAxis());
    writeRecord(host, builder, op, record, isWrong, NPCC_INDEX_ERROR, {check.getPosition(), axis, check.getSize()}, "",
                check.getEnds());
    check.replaceAllUsesWith(arith::SelectOp::create(builder, loc, isWrong, zero, fromStart).getResult());
    check.erase();
  }

  /// NumPy's words about extents that do not meet, with {0}, {1}, ... for the extents; about more of them than a record
  /// has room for, with those that do not meet alone.
  static std::string describe(np::BroadcastExtentOp op, SmallVector<Value> &numbers) {
    size_t lhsRank = op.getLhsRank(), all = op.getShapes().size();
    all -= op.getOutputRank().value_or(0);
    if (all > NPCC_RECORD_NUMBERS) {
      numbers = {op.getLhs(), op.getRhs()};
      return op.getKind() == np::BroadcastKind::indices
                 ? "shape mismatch: indexing arrays could not be broadcast together: an axis has {0} and {1} elements"
             : op.getKind() == np::BroadcastKind::ufunc
                 ? "operands could not be broadcast together: an axis has {0} and {1} elements"
                 : "could not broadcast an array into another one: an axis of {0} elements into one of {1}";
    }
    llvm::append_range(numbers, op.getShapes().take_front(all));
    std::string given = getShapeFormat(0, lhsRank), wanted = getShapeFormat(lhsRank, all - lhsRank);
    switch (op.getKind()) {
    case np::BroadcastKind::ufunc:
      return "operands could not be broadcast together with shapes " + given + " " + wanted + " ";
    case np::BroadcastKind::indices:
      return "shape mismatch: indexing arrays could not be broadcast together with shapes " + given + " " + wanted +
             " ";
    case np::BroadcastKind::output:
      return "non-broadcastable output operand with shape " + wanted + " doesn't match the broadcast shape " + given;
    case np::BroadcastKind::positions:
      return "shape mismatch: value array of shape " + given + " could not be broadcast to indexing result of shape " +
             wanted;
    default:
      return "could not broadcast input array from shape " + given + " into shape " + wanted;
    }
  }

  /// Functions of threads ask this of arrays whose extents differ from call to call. A thread ends where they do not
  /// meet: there is no position that is safe in all of the arrays.
  void lower(OpBuilder &host, const Record &record, np::BroadcastExtentOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    using P = arith::CmpIPredicate;
    auto differ = [&](Value a, Value b) -> Value { return arith::CmpIOp::create(builder, loc, P::ne, a, b); };
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value lhsIsLong = differ(op.getLhs(), one);
    Value isWrong = arith::AndIOp::create(builder, loc, differ(op.getLhs(), op.getRhs()), lhsIsLong);
    Value extent = op.getRhs();
    if (op.isMutual()) {
      isWrong = arith::AndIOp::create(builder, loc, isWrong, differ(op.getRhs(), one));
      extent = arith::SelectOp::create(builder, loc, lhsIsLong, op.getLhs(), op.getRhs());
    }
    SmallVector<Value> numbers;
    std::string message = describe(op, numbers);
    bool isOfIndices = op.getKind() == np::BroadcastKind::indices;
    writeRecord(host, builder, op, record, isWrong, isOfIndices ? NPCC_INDEX_ERROR : NPCC_VALUE_ERROR, numbers, message,
                /*ends=*/true);
    op.replaceAllUsesWith(extent);
    op.erase();
  }
};

} // namespace
} // namespace npcc
