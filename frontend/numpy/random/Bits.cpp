// Random bits by position: what npcc.random's streams are made of.
#include "dialects/Np/Values.h"
#include "frontend/numpy/Creation.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

PyValue emitRandomBits(Interpreter &in, Arguments &args) {
  Value key = valueOf(in, args["key"]), start = valueOf(in, args["start"]);
  SmallVector<Value> extents;
  if (!key || !start || !shapeOf(in, args["shape"], extents))
    return PyValue::poison();
  Type element = IntegerType::get(in.ir.getContext(), 64, IntegerType::Unsigned);
  auto type = RankedTensorType::get(SmallVector<int64_t>(extents.size(), ShapedType::kDynamic), element);
  return PyValue::runtime(np::RandomBitsOp::create(in.ir, type, key, start, extents));
}
const Registered bitsRows{{"npcc.library.routines.random_bits", "key, start, shape", emitRandomBits}};

} // namespace
} // namespace npcc::frontend
