#include "compiler/debug/Layout.h"
#include "compiler/kernels/IndexMath.h"
#include "dialects/Np/ElementBytes.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace npcc;

Value npcc::toI64(OpBuilder &builder, Location loc, Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
}

Layout::Layout(OpBuilder &builder, Location loc, Value array) {
  LLVMTypeConverter converter(builder.getContext());
  auto type = cast<MemRefType>(array.getType());
  element = converter.convertType(type.getElementType());
  elementBytes = getElementBytes(type.getElementType());
  Value descriptor = UnrealizedConversionCastOp::create(builder, loc, converter.convertType(type), array).getResult(0);
  auto read = [&](ArrayRef<int64_t> position) -> Value {
    return LLVM::ExtractValueOp::create(builder, loc, descriptor, position);
  };
  auto readNumber = [&](int64_t known, ArrayRef<int64_t> position) -> Value {
    if (ShapedType::isStatic(known))
      return arith::ConstantIndexOp::create(builder, loc, known);
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), read(position));
  };
  base = read(0);
  start = read(1);
  auto [knownStrides, knownOffset] = type.getStridesAndOffset();
  offset = readNumber(knownOffset, 2);
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    sizes.push_back(readNumber(type.getDimSize(axis), {3, axis}));
    strides.push_back(readNumber(knownStrides[axis], {4, axis}));
  }
}

Value Layout::getAddress(OpBuilder &builder, Location loc, ValueRange positions) const {
  IndexMath math{builder, loc};
  Value elements = offset;
  for (auto [position, stride] : llvm::zip(positions, strides))
    elements = math.add(elements, math.mul(position, stride));
  return LLVM::GEPOp::create(builder, loc, start.getType(), element, start,
                             ArrayRef<LLVM::GEPArg>{toI64(builder, loc, elements)});
}
