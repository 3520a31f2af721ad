// Elements of searches in sorted vectors.
#include "compiler/kernels/ElementModels.h"
#include "compiler/kernels/Elements.h"
#include "compiler/kernels/Order.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {
namespace {

/// A binary search. What is left to search is halved in each pass, whatever the comparison says: so all elements take
/// the same number of passes, and the position alone is carried, without a branch.
///
///   low, length = 0, n
///   while length > 1:
///       half = length // 2
///       if sorted[low + half - 1] comes before value: low += half
///       length -= half
///   if n > 0 and sorted[low] comes before value: low += 1
struct SearchElement : ElementOpInterface::ExternalModel<SearchElement, SearchOp> {
  Value emitElement(Operation *producer, ElementEmitter &elements, Location loc, ArrayRef<Value> position) const {
    auto op = cast<SearchOp>(producer);
    OpBuilder &builder = elements.getBuilder();
    Value wanted = elements.emit(loc, op.getValues(), position);
    Value n = getResolvedExtents(builder, loc, op.getSorted(), elements.getOrigins()).front();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto loop = scf::ForOp::create(builder, loc, zero, countPasses(builder, loc, n), one, ValueRange{zero, n});
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(loop.getBody());
      Value low = loop.getRegionIterArg(0), length = loop.getRegionIterArg(1);
      Value half = arith::ShRUIOp::create(builder, loc, length, one);
      Value middle = arith::AddIOp::create(builder, loc, low, half);
      Value last = arith::SubIOp::create(builder, loc, middle, one);
      elements.inScope([&] {
        Value next = arith::SelectOp::create(builder, loc, comesBefore(elements, loc, op, last, wanted), middle, low);
        scf::YieldOp::create(builder, loc, ValueRange{next, arith::SubIOp::create(builder, loc, length, half)});
      });
    }
    Value low = loop.getResult(0), isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, low, n);
    auto branch = scf::IfOp::create(builder, loc, builder.getIndexType(), isThere, /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(branch.thenBlock());
      elements.inScope([&] {
        Value behind = arith::AddIOp::create(builder, loc, low, one);
        Value next = arith::SelectOp::create(builder, loc, comesBefore(elements, loc, op, low, wanted), behind, low);
        scf::YieldOp::create(builder, loc, next);
      });
      builder.setInsertionPointToEnd(branch.elseBlock());
      scf::YieldOp::create(builder, loc, low);
    }
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), branch.getResult(0));
  }

  /// How often n can be halved, rounding up, until 1 is left: the bits of n - 1.
  static Value countPasses(OpBuilder &builder, Location loc, Value n) {
    Type i64 = builder.getI64Type();
    Value zero = arith::ConstantIntOp::create(builder, loc, i64, 0),
          one = arith::ConstantIntOp::create(builder, loc, i64, 1);
    Value rest = arith::SubIOp::create(builder, loc, arith::IndexCastOp::create(builder, loc, i64, n), one);
    Value leading = math::CountLeadingZerosOp::create(builder, loc, arith::MaxSIOp::create(builder, loc, rest, zero));
    Value passes = arith::SubIOp::create(builder, loc, arith::ConstantIntOp::create(builder, loc, i64, 64), leading);
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), passes);
  }

  static Value comesBefore(ElementEmitter &elements, Location loc, SearchOp op, Value at, Value wanted) {
    OpBuilder &builder = elements.getBuilder();
    Type type = getElementType(op.getSorted().getType());
    Value probe = elements.emit(loc, op.getSorted(), at);
    if (!op.getRight())
      return emitBefore(builder, loc, probe, wanted, type);
    Value isBehind = emitBefore(builder, loc, wanted, probe, type);
    return arith::XOrIOp::create(builder, loc, isBehind,
                                 arith::ConstantIntOp::create(builder, loc, builder.getI1Type(), 1));
  }
};

} // namespace

void attachSearch(MLIRContext *context) { SearchOp::attachInterface<SearchElement>(*context); }

} // namespace npcc
