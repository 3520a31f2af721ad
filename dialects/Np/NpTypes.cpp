// The types of the dialect, and what arrays, values and scalars have in common.
#include "dialects/Np/Np.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npcc::np;

#define GET_TYPEDEF_CLASSES
#include "dialects/Np/NpTypes.cpp.inc"

void NpDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Np/NpTypes.cpp.inc"
      >();
}

// !np.array<?x1xf64> or !np.array<?x?xf64, strided>
Type ArrayType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  bool contiguous = true;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape) || parser.parseType(elementType))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("strided"))
      return {};
    contiguous = false;
  }
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), shape, elementType, contiguous);
}

void ArrayType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t extent : getShape()) {
    if (ShapedType::isDynamic(extent))
      printer << "?";
    else
      printer << extent;
    printer << "x";
  }
  printer << getElementType();
  if (!getContiguous())
    printer << ", strided";
  printer << ">";
}

LogicalResult ArrayType::verify(llvm::function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                Type elementType, bool) {
  if (!elementType.isIntOrFloat() && !isa<ComplexType>(elementType))
    return emitError() << "element type must be a number, got " << elementType;
  return success();
}

Type npcc::np::getElementType(Type type) {
  return llvm::TypeSwitch<Type, Type>(type)
      .Case<ArrayType>([](ArrayType t) { return t.getElementType(); })
      .Case<ShapedType>([](ShapedType t) { return t.getElementType(); })
      .Case<IntegerType, FloatType, ComplexType>([](Type t) { return t; })
      .Default(Type());
}

ArrayRef<int64_t> npcc::np::getShape(Type type) {
  if (auto array = dyn_cast<ArrayType>(type))
    return array.getShape();
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.getShape();
  return {};
}

int64_t npcc::np::getRank(Type type) { return getShape(type).size(); }
