
#include "compiler/cpu/Loops.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace npcc;

/// Exact in any implementation, so that scalar and vector code agree.
static bool isExact(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::FloorOp, math::RoundEvenOp, math::RoundOp, math::TruncOp,
             math::CopySignOp, math::SqrtOp, math::FmaOp, math::IsNaNOp, math::IsInfOp, math::IsFiniteOp, math::CtPopOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp>(op);
}
static bool isMathFunction(Operation *op) {
  if (isa<math::MathDialect>(op->getDialect()))
    return !isExact(op);
  return isa<complex::AbsOp, complex::AngleOp>(op); // hypot, atan2
}
/// Complex functions are calls of libm, and remainders have no vector form.
static bool isScalarOnly(Operation *op) {
  return isa<complex::ExpOp, complex::LogOp, complex::SqrtOp, complex::SinOp, complex::CosOp, complex::TanOp,
             complex::TanhOp, complex::PowOp, arith::RemFOp, math::IPowIOp, math::FPowIOp>(op);
}

bool npcc::isVectorizable(Block *body) {
  return !body->walk([](Operation *op) {
                bool loop = isa<LoopLikeOpInterface, vector::LoadOp, vector::StoreOp>(op), // vectors are there already
                    calls = isa<np::NpDialect>(op->getDialect()) && !isa<np::EndOp>(op);
                return loop || isScalarOnly(op) || calls || isa<CallOpInterface>(op) ? WalkResult::interrupt()
                                                                                     : WalkResult::advance();
              })
              .wasInterrupted();
}

bool npcc::callsMathFunctions(Block *body) {
  return body->walk([](Operation *op) { return isMathFunction(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

unsigned npcc::getWidestBytes(Block *body) {
  unsigned bytes = 1;
  body->walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      if (auto complex = dyn_cast<ComplexType>(type))
        type = complex.getElementType();
      if (type.isIntOrFloat())
        bytes = std::max(bytes, type.getIntOrFloatBitWidth() / 8);
    }
  });
  return bytes;
}

void npcc::annotate(scf::ForOp loop, const VectorLoop &how) {
  MLIRContext *context = loop.getContext();
  Builder builder(context);
  SmallVector<LLVM::AccessGroupAttr> groups;
  if (how.parallel) {
    groups.push_back(LLVM::AccessGroupAttr::get(context, DistinctAttr::create(UnitAttr::get(context))));
    ArrayAttr list = builder.getArrayAttr({groups[0]});
    loop.getBody()->walk([&](Operation *op) {
      if (isa<memref::LoadOp, memref::StoreOp>(op))
        op->setAttr("llvm.access_groups", list);
    });
  }
  auto width = how.width ? builder.getI32IntegerAttr(how.width) : nullptr;
  auto vectorize = LLVM::LoopVectorizeAttr::get(context, /*disable=*/builder.getBoolAttr(false),
                                                how.predicate ? builder.getBoolAttr(true) : nullptr, nullptr, width,
                                                nullptr, nullptr, nullptr);
  auto interleave =
      how.interleave ? LLVM::LoopInterleaveAttr::get(context, builder.getI32IntegerAttr(how.interleave)) : nullptr;
  loop->setAttr("llvm.loop_annotation", LLVM::LoopAnnotationAttr::get(
                                            context, nullptr, vectorize, interleave, nullptr, nullptr, nullptr, nullptr,
                                            nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, groups));
}

void npcc::annotateShort(Operation *loop) {
  MLIRContext *context = loop->getContext();
  BoolAttr yes = BoolAttr::get(context, true);
  auto vectorize =
      LLVM::LoopVectorizeAttr::get(context, /*disable=*/yes, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  auto unroll =
      LLVM::LoopUnrollAttr::get(context, /*disable=*/yes, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  loop->setAttr("llvm.loop_annotation",
                LLVM::LoopAnnotationAttr::get(context, nullptr, vectorize, nullptr, unroll, nullptr, nullptr, nullptr,
                                              nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, {}));
}

bool npcc::isShort(Operation *loop) {
  auto annotation = loop->getAttrOfType<LLVM::LoopAnnotationAttr>("llvm.loop_annotation");
  LLVM::LoopVectorizeAttr vectorize = annotation ? annotation.getVectorize() : nullptr;
  return vectorize && vectorize.getDisable() && vectorize.getDisable().getValue();
}

void npcc::annotateMap(scf::ForOp loop) {
  if (isVectorizable(loop.getBody()))
    annotate(loop, {.parallel = true, .predicate = callsMathFunctions(loop.getBody())});
}

bool npcc::movesWith(Value position, Value iv) {
  if (position == iv)
    return true;
  if (auto add = position.getDefiningOp<arith::AddIOp>())
    return movesWith(add.getLhs(), iv) || movesWith(add.getRhs(), iv);
  if (auto sub = position.getDefiningOp<arith::SubIOp>())
    return movesWith(sub.getLhs(), iv);
  return false;
}

scf::ForOp npcc::buildNest(OpBuilder &builder, Location loc, ValueRange lower, ValueRange upper,
                           llvm::function_ref<void(OpBuilder &, ValueRange)> body) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> positions;
  scf::ForOp innermost;
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  for (auto [from, to] : llvm::zip_equal(lower, upper)) {
    innermost = scf::ForOp::create(builder, loc, from, to, one);
    positions.push_back(innermost.getInductionVar());
    builder.setInsertionPointToStart(innermost.getBody());
  }
  body(builder, positions);
  return innermost;
}

SmallVector<Value> npcc::delinearize(OpBuilder &builder, Location loc, Value position, ValueRange extents) {
  SmallVector<Value> positions(extents.size());
  for (size_t k = extents.size(); k-- > 1;) {
    positions[k] = arith::RemUIOp::create(builder, loc, position, extents[k]);
    position = arith::DivUIOp::create(builder, loc, position, extents[k]);
  }
  if (!extents.empty())
    positions[0] = position;
  return positions;
}

Value npcc::product(OpBuilder &builder, Location loc, ValueRange values) {
  if (values.empty())
    return arith::ConstantIndexOp::create(builder, loc, 1);
  Value result = values[0];
  for (Value value : values.drop_front())
    result = arith::MulIOp::create(builder, loc, result, value);
  return result;
}

//===---- Costs ----===//

static int64_t getCost(Operation *op) {
  if (isa<memref::LoadOp, memref::StoreOp>(op))
    return 2;
  if (isa<arith::DivFOp, math::SqrtOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return 4;
  if (isScalarOnly(op))
    return 60;
  if (isMathFunction(op))
    return 12;
  return isa<arith::ConstantOp>(op) || op->hasTrait<OpTrait::IsTerminator>() || op->getNumRegions() ? 0 : 1;
}

/// Is this value there before `loop`, the outermost loop around the block in question?
static bool isDefinedOutside(Value value, Operation *loop) {
  return !loop->isAncestor(value.getParentBlock()->getParentOp());
}

static int64_t getCost(Block *body) {
  int64_t cost = 0;
  body->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (auto trips = loop ? loop->getAttrOfType<IntegerAttr>("np.trips") : IntegerAttr()) {
      cost += trips.getInt() * getCost(loop.getBody());
      return WalkResult::skip();
    }
    cost += getCost(op);
    return WalkResult::advance();
  });
  return std::max<int64_t>(cost, 1);
}

void npcc::setLoopCost(Operation *call, Block *body, int64_t axes) {
  Builder builder(call->getContext());
  call->setAttr("np.loop_cost", builder.getDenseI64ArrayAttr({getCost(body), axes}));
}

void npcc::setTrips(scf::ForOp loop, int64_t trips) {
  loop->setAttr("np.trips", Builder(loop.getContext()).getI64IntegerAttr(trips));
}

Value npcc::estimateCost(OpBuilder &builder, Location loc, Block *body) {
  Operation *outer = body->getParentOp();
  int64_t constant = 0;
  Value sum;
  auto add = [&](Value value) { sum = sum ? arith::AddIOp::create(builder, loc, sum, value).getResult() : value; };
  // A loop whose extent depends on the position counts as one of 16 iterations.
  auto addLoop = [&](ValueRange upper, int64_t each) {
    Value trips;
    for (Value to : upper) {
      if (!isDefinedOutside(to, outer)) {
        each *= 16;
        continue;
      }
      trips = trips ? arith::MulIOp::create(builder, loc, trips, to).getResult() : to;
    }
    if (!trips)
      constant += each;
    else
      add(arith::MulIOp::create(builder, loc, trips, arith::ConstantIndexOp::create(builder, loc, each)));
  };
  body->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
      addLoop(loop.getUpperBound(), getCost(loop.getBody()));
      return WalkResult::skip();
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (auto trips = loop->getAttrOfType<IntegerAttr>("np.trips")) {
        constant += trips.getInt() * getCost(loop.getBody());
        return WalkResult::skip();
      }
      addLoop(loop.getUpperBound(), getCost(loop.getBody()));
      return WalkResult::skip();
    }
    if (auto cost = op->getAttrOfType<DenseI64ArrayAttr>("np.loop_cost"))
      addLoop(op->getOperands().take_back(cost[1]), cost[0]);
    if (isa<scf::WhileOp>(op))
      constant += 500;
    constant += getCost(op);
    return WalkResult::advance();
  });
  Value base = arith::ConstantIndexOp::create(builder, loc, std::max<int64_t>(constant, 1));
  return sum ? arith::AddIOp::create(builder, loc, sum, base).getResult() : base;
}

bool npcc::hasManyPositions(ValueRange extents, FirstCall &first) {
  constexpr int64_t least = 64;
  int64_t positions = 1;
  for (Value extent : extents) {
    IntegerAttr known = first.evaluate(extent);
    positions = known ? std::min(positions * std::min(known.getInt(), least), least) : 0;
  }
  return positions >= least;
}

void npcc::visitKernels(func::FuncOp function, llvm::function_ref<void(np::KernelOp, FirstCall &)> visit) {
  if (!FirstCall::isKnown(function))
    return;
  SmallVector<np::KernelOp> kernels;
  function.walk([&](np::KernelOp kernel) { kernels.push_back(kernel); });
  for (np::KernelOp kernel : kernels) {
    FirstCall first(function); // a new one: the last kernel may be gone
    visit(kernel, first);
  }
}
