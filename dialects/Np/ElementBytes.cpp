#include "dialects/Np/ElementBytes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

int64_t npcc::getElementBytes(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * getElementBytes(complex.getElementType());
  return type.isIndex() ? 8 : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}
