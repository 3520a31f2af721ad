// Elements of random bits.
#include "compiler/kernels/ElementModels.h"
#include "compiler/kernels/Elements.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {
namespace {

/// Philox 2x32-10 of the element's number: ten rounds of a product, whose halves are mixed with the other half and a
/// key that changes with the round.
struct RandomBitsElement : ElementOpInterface::ExternalModel<RandomBitsElement, RandomBitsOp> {
  static constexpr int64_t rounds = 10, multiplier = 0xD256D193, weyl = 0x9E3779B9;

  Value emitElement(Operation *producer, ElementEmitter &elements, Location loc, ArrayRef<Value> position) const {
    auto op = cast<RandomBitsOp>(producer);
    OpBuilder &builder = elements.getBuilder();
    Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
    Value number = op.getStart();
    if (Value linear = getLinearPosition(op, elements, loc, position))
      number = arith::AddIOp::create(builder, loc, number, arith::IndexCastOp::create(builder, loc, i64, linear));
    auto low = [&](Value wide) -> Value { return arith::TruncIOp::create(builder, loc, i32, wide); };
    auto high = [&](Value wide) {
      return low(arith::ShRUIOp::create(builder, loc, wide, arith::ConstantIntOp::create(builder, loc, i64, 32)));
    };
    auto wide = [&](Value narrow) -> Value { return arith::ExtUIOp::create(builder, loc, i64, narrow); };
    Value left = low(number), right = high(number), key = low(op.getKey());
    Value factor = arith::ConstantIntOp::create(builder, loc, i64, multiplier);
    for (int64_t round = 0; round < rounds; ++round) {
      // Products of 32 bits by 32, which machines have.
      Value product = arith::MulIOp::create(builder, loc, wide(left), factor);
      Value step =
          arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(i32, APInt(64, weyl * round).trunc(32)));
      Value turned = arith::AddIOp::create(builder, loc, key, step);
      left = arith::XOrIOp::create(builder, loc, arith::XOrIOp::create(builder, loc, high(product), turned), right);
      right = low(product);
    }
    Value upper = arith::ShLIOp::create(builder, loc, wide(right), arith::ConstantIntOp::create(builder, loc, i64, 32));
    return arith::OrIOp::create(builder, loc, upper, wide(left));
  }

  /// The number of the element in C order; null of a NumPy scalar.
  static Value getLinearPosition(RandomBitsOp op, ElementEmitter &elements, Location loc, ArrayRef<Value> position) {
    OpBuilder &builder = elements.getBuilder();
    Value linear;
    for (auto [index, extent] : llvm::zip_equal(position, op.getExtents()))
      linear = linear ? builder.createOrFold<arith::AddIOp>(
                            loc, builder.createOrFold<arith::MulIOp>(loc, linear, extent), index)
                      : index;
    return linear;
  }
};

} // namespace

void attachRandom(MLIRContext *context) { RandomBitsOp::attachInterface<RandomBitsElement>(*context); }

} // namespace npcc
