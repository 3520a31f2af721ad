// Attributes of np's on operations of other dialects: the verifier lets those stand that Attributes.def has a row for.
#include "dialects/Np/Np.h"

using namespace mlir;
using namespace npcc::np;

namespace {
struct Row {
  StringRef operations; // names with spaces between them; empty: any
  StringRef name;
  bool (*isOfType)(Attribute);
  StringRef type;

  bool isFor(Operation *op) const {
    SmallVector<StringRef> names;
    operations.split(names, ' ');
    return operations.empty() || llvm::is_contained(names, op->getName().getStringRef());
  }
};

template <typename Type> bool isOfType(Attribute attribute) { return isa<Type>(attribute); }

constexpr Row ofOperations[] = {
#define NP_ATTRIBUTE(operations, type, name, description) {operations, name, isOfType<type>, #type},
#include "dialects/Np/Attributes.def"
};
constexpr Row ofArguments[] = {
#define NP_ARGUMENT_ATTRIBUTE(type, name, description) {"func.func llvm.func", name, isOfType<type>, #type},
#include "dialects/Np/Attributes.def"
};
constexpr Row ofResults[] = {
#define NP_RESULT_ATTRIBUTE(type, name, description) {"func.func llvm.func", name, isOfType<type>, #type},
#include "dialects/Np/Attributes.def"
};

LogicalResult verify(Operation *op, NamedAttribute attribute, ArrayRef<Row> rows, StringRef place) {
  StringRef name = attribute.getName();
  const Row *known = nullptr;
  for (const Row &row : rows) {
    if (row.name != name)
      continue;
    known = &row;
    if (row.isFor(op) && row.isOfType(attribute.getValue()))
      return success();
  }
  if (!known)
    return op->emitOpError("has an attribute '")
           << name << "'" << place << " that dialects/Np/Attributes.def has no row for";
  if (!known->isFor(op))
    return op->emitOpError("has an attribute '") << name << "'" << place << " of " << known->operations;
  return op->emitOpError("has an attribute '") << name << "'" << place << " that is no " << known->type;
}
} // namespace

LogicalResult NpDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  return verify(op, attribute, ofOperations, "");
}

LogicalResult NpDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned, NamedAttribute attribute) {
  return verify(op, attribute, ofArguments, " of an argument");
}

LogicalResult NpDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned, NamedAttribute attribute) {
  return verify(op, attribute, ofResults, " of a result");
}
