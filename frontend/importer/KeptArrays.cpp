#include "frontend/importer/KeptArrays.h"
#include "frontend/importer/Values.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace npcc::frontend {

static constexpr StringRef prefix = "array ";

static std::string kindOf(Interpreter &in, Type element, ArrayRef<int64_t> shape) {
  std::string kind = (prefix + in.dtypes.name(element)).str() + " " + std::to_string(shape.size());
  if (!llvm::is_contained(shape, 1))
    return kind;
  kind += ' ';
  for (int64_t extent : shape)
    kind += extent == 1 ? '1' : '?';
  return kind;
}

std::string arrayKind(Interpreter &in, const PyValue &value) {
  Type type = value.isRuntime() || value.is(PyValue::Kind::Slot) ? runtimeType(in, value) : Type();
  bool isArray = type && (isa<np::ArrayType>(type) || (isa<RankedTensorType>(type) && np::getRank(type) > 0));
  return isArray && !value.flatOf ? kindOf(in, np::getElementType(type), np::getShape(type)) : "";
}

std::string arrayKind(Interpreter &in, np::ArrayType list) {
  return kindOf(in, list.getElementType(), list.getShape().drop_front());
}

bool isArrayKind(StringRef kind) { return kind.starts_with(prefix); }

PyValue ofKnownArray(Interpreter &in, const PyValue &value) {
  if (!value.isObject() || !py::isInstance(value.object(), in.dtypes.numpy["ndarray"]))
    return value;
  Value array = asArray(in, value);
  return array ? in.env.bound(PyValue::runtime(array)) : PyValue::poison();
}

bool isKept(const PyValue &value) { return value.arrayType() && value.ir().getDefiningOp<np::KeptOp>(); }

Value keptNumber(Interpreter &in, const PyValue &array) {
  Value kept = array.arrayType() ? array.ir() : in.ir.newArray(valueOf(in, array));
  bool isUnsigned = np::getElementType(kept.getType()).isUnsignedInteger();
  return in.ir.createOrFold<np::KeepOp>(kept, in.ir.getBoolAttr(isUnsigned));
}

Type elementOfKind(Interpreter &in, StringRef kind) {
  return in.dtypes.elementType(kind.split(' ').second.split(' ').first);
}

int64_t rankOfKind(StringRef kind) {
  SmallVector<StringRef> words;
  kind.split(words, ' ');
  int64_t rank = 0;
  words[2].getAsInteger(10, rank);
  return rank;
}

PyValue keptArray(Interpreter &in, StringRef kind, Value number) {
  SmallVector<StringRef> words;
  kind.split(words, ' ');
  int64_t rank = rankOfKind(kind);
  SmallVector<int64_t> shape(rank, ShapedType::kDynamic);
  for (int64_t axis = 0; words.size() > 3 && axis < rank; ++axis)
    if (words[3][axis] == '1')
      shape[axis] = 1;
  Type element = elementOfKind(in, kind);
  auto type = np::ArrayType::get(in.ir.getContext(), shape, element, /*contiguous=*/false);
  return PyValue::runtime(np::KeptOp::create(in.ir, type, number, in.ir.getBoolAttr(element.isUnsignedInteger())));
}

} // namespace npcc::frontend
