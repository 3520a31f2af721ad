#include "frontend/importer/CheckedDraws.h"
#include "dialects/Np/Random.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;

namespace npcc::frontend {

static constexpr StringRef mark = "np.in_bounds";

void markCheckedDraw(Operation *draw) { draw->setAttr(mark, UnitAttr::get(draw->getContext())); }

void forgetCheckedDraws(Interpreter &in) {
  in.ir.function.walk([](Operation *op) {
    if (isa<np::DrawOp, np::DrawScalarOp>(op))
      op->removeAttr(mark);
  });
}

/// Whether a constant is what a parameter of random numbers must be, as the runtime asks.
static bool isInBounds(rt::random::Constraint constraint, Attribute known) {
  auto real = dyn_cast<FloatAttr>(known);
  auto whole = dyn_cast<IntegerAttr>(known);
  if (!real && !whole)
    return false;
  double value = real ? real.getValueAsDouble() : whole.getValue().signedRoundToDouble();
  switch (constraint) {
  case rt::random::Any:
    return true;
  case rt::random::NonNegative:
    return std::isnan(value) || !std::signbit(value);
  case rt::random::Positive:
    return !(value <= 0);
  case rt::random::PositiveNumber:
  case rt::random::WholePositive:
    return value > 0;
  case rt::random::From0To1:
    return value >= 0 && value <= 1;
  case rt::random::Above0To1:
    return value > 0 && value <= 1;
  case rt::random::From0Below1:
    return value >= 0 && value < 1;
  case rt::random::Above1:
    return value > 1;
  case rt::random::PoissonMean:
    return value >= 0 && value < 1e18;
  case rt::random::WholeNonNegative:
    return value >= 0;
  }
  return false;
}

bool mayBeOutOfBounds(Operation &op) {
  auto draw = dyn_cast<np::DrawOp>(op);
  auto scalarDraw = dyn_cast<np::DrawScalarOp>(op);
  if ((!draw && !scalarDraw) || op.hasAttr(mark))
    return false;
  ValueRange scalars = draw ? draw.getScalars() : scalarDraw.getScalars();
  StringRef name = draw ? draw.getDistribution() : scalarDraw.getDistribution();
  const np::DistributionInfo *row = np::lookupDistribution(name);
  if (!row || (draw && !draw.getArrays().empty()))
    return true;
  // The library compares what these are given before it draws.
  static const std::set<StringRef> compared = {"integers", "masked_integers", "choice", "permutations"};
  if (scalars.empty() || compared.count(row->name))
    return false;
  // Where parameters are compared with each other, the library does so before it draws.
  if (scalars.size() != row->parameters.size())
    return true;
  return llvm::any_of(llvm::zip(scalars, row->parameters), [](auto pair) {
    Attribute known;
    return !matchPattern(std::get<0>(pair), m_Constant(&known)) || !isInBounds(std::get<1>(pair).constraint, known);
  });
}

/// Conditions that a parameter must meet, one after the other, with the runtime's words where it does not: {0} is its
/// name.
static SmallVector<std::pair<Value, StringRef>> conditionsOf(Interpreter &in, rt::random::Constraint constraint,
                                                             Value value) {
  auto compare = [&](arith::CmpFPredicate predicate, double bound) -> Value {
    Value other = arith::ConstantOp::create(in.ir, in.ir.getF64FloatAttr(bound));
    return in.ir.createOrFold<arith::CmpFOp>(predicate, value, other);
  };
  auto compareWhole = [&](int64_t least) -> Value {
    Value other = arith::ConstantOp::create(in.ir, in.ir.getI64IntegerAttr(least));
    return in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, value, other);
  };
  auto both = [&](Value left, Value right) -> Value { return in.ir.createOrFold<arith::AndIOp>(left, right); };
  using P = arith::CmpFPredicate;
  switch (constraint) {
  case rt::random::Any:
    return {};
  case rt::random::NonNegative: { // nor -0.0
    Value bits = in.ir.createOrFold<arith::BitcastOp>(in.ir.getI64Type(), value);
    Value zero = arith::ConstantOp::create(in.ir, in.ir.getI64IntegerAttr(0));
    Value hasNoSign = in.ir.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, bits, zero);
    return {{in.ir.createOrFold<arith::OrIOp>(hasNoSign, compare(P::UNO, 0)), "{0} < 0"}};
  }
  case rt::random::PositiveNumber:
    return {{compare(P::ORD, 0), "{0} must not be NaN"}, {compare(P::UGT, 0), "{0} <= 0"}};
  case rt::random::Positive:
    return {{compare(P::UGT, 0), "{0} <= 0"}};
  case rt::random::From0To1:
    return {{both(compare(P::OGE, 0), compare(P::OLE, 1)), "{0} < 0, {0} > 1 or {0} is NaN"}};
  case rt::random::Above0To1:
    return {{both(compare(P::OGT, 0), compare(P::OLE, 1)), "{0} <= 0, {0} > 1 or {0} contains NaNs"}};
  case rt::random::From0Below1:
    return {{both(compare(P::OGE, 0), compare(P::OLT, 1)), "{0} < 0, {0} >= 1 or {0} is NaN"}};
  case rt::random::Above1:
    return {{compare(P::OGT, 1), "{0} <= 1 or {0} is NaN"}};
  case rt::random::PoissonMean: {
    double most = static_cast<double>(INT64_MAX) - std::sqrt(static_cast<double>(INT64_MAX)) * 10;
    return {{compare(P::OGE, 0), "{0} < 0 or {0} is NaN"}, {compare(P::OLE, most), "{0} value too large"}};
  }
  case rt::random::WholeNonNegative:
    return {{compareWhole(0), "{0} < 0"}};
  case rt::random::WholePositive:
    return {{compareWhole(1), "{0} < 1 or {0} is NaN"}};
  }
  return {};
}

bool checkDraw(Interpreter &in, StringRef distribution, ValueRange scalars, bool hasArrays) {
  const np::DistributionInfo *row = np::lookupDistribution(distribution);
  if (!row || hasArrays || scalars.size() != row->parameters.size() || !in.ir.isCaught ||
      !in.ir.isCaught("ValueError", ""))
    return false;
  for (auto [value, parameter] : llvm::zip(scalars, row->parameters))
    for (auto [condition, words] : conditionsOf(in, parameter.constraint, value)) {
      std::string message;
      for (StringRef rest = words; !rest.empty();) {
        auto [text, behind] = rest.split("{0}");
        message += text.str() + (text.size() < rest.size() ? parameter.name : "");
        rest = behind;
      }
      in.ir.check(condition, "ValueError", message);
    }
  return true;
}

} // namespace npcc::frontend
