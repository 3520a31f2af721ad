// Python's module operator: operators as functions.
#include "frontend/importer/Known.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Objects.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/numpy/Table.h"
#include "llvm/ADT/StringMap.h"

namespace npcc::frontend {
namespace {

/// ast's name of an operator for a function's.
llvm::StringRef nodeOf(llvm::StringRef function) {
  static const llvm::StringMap<llvm::StringRef> names = {
      {"add", "Add"},       {"sub", "Sub"},       {"mul", "Mult"},       {"truediv", "Div"}, {"floordiv", "FloorDiv"},
      {"mod", "Mod"},       {"pow", "Pow"},       {"and_", "BitAnd"},    {"or_", "BitOr"},   {"xor", "BitXor"},
      {"lshift", "LShift"}, {"rshift", "RShift"}, {"matmul", "MatMult"}, {"lt", "Lt"},       {"le", "LtE"},
      {"gt", "Gt"},         {"ge", "GtE"},        {"eq", "Eq"},          {"ne", "NotEq"},    {"neg", "USub"},
      {"pos", "UAdd"},      {"invert", "Invert"}, {"inv", "Invert"},     {"not_", "Not"}};
  return names.lookup(function);
}

llvm::StringRef nodeOf(const Arguments &args) { return nodeOf(llvm::StringRef(args.row->name).substr(9)); }

PyValue emitBinary(Interpreter &in, Arguments &args) {
  return binary(in, nodeOf(args), args.values[0], args.values[1]);
}
const Registered binaryRows{
    {"operator.add", "a, b", emitBinary},      {"operator.sub", "a, b", emitBinary},
    {"operator.mul", "a, b", emitBinary},      {"operator.truediv", "a, b", emitBinary},
    {"operator.floordiv", "a, b", emitBinary}, {"operator.mod", "a, b", emitBinary},
    {"operator.pow", "a, b", emitBinary},      {"operator.and_", "a, b", emitBinary},
    {"operator.or_", "a, b", emitBinary},      {"operator.xor", "a, b", emitBinary},
    {"operator.lshift", "a, b", emitBinary},   {"operator.rshift", "a, b", emitBinary},
    {"operator.matmul", "a, b", emitBinary},
};

PyValue emitComparison(Interpreter &in, Arguments &args) {
  return compare(in, nodeOf(args), args.values[0], args.values[1]);
}
const Registered comparisonRows{
    {"operator.lt", "a, b", emitComparison}, {"operator.le", "a, b", emitComparison},
    {"operator.gt", "a, b", emitComparison}, {"operator.ge", "a, b", emitComparison},
    {"operator.eq", "a, b", emitComparison}, {"operator.ne", "a, b", emitComparison},
};

PyValue emitUnary(Interpreter &in, Arguments &args) { return unary(in, nodeOf(args), args.values[0]); }
const Registered unaryRows{
    {"operator.neg", "a", emitUnary},
    {"operator.pos", "a", emitUnary},
    {"operator.invert", "a", emitUnary},
    {"operator.inv", "a", emitUnary},
};

PyValue emitAbsolute(Interpreter &in, Arguments &args) { return callBuiltin(in, "abs", {args["a"]}); }
const Registered absoluteRows{{"operator.abs", "a", emitAbsolute}};

PyValue emitIndex(Interpreter &in, Arguments &args) {
  PyValue number = asIndex(in, args["a"]);
  bool isInteger = number.isObject()
                       ? bool(asInteger(in, number))
                       : number.isRuntime() && number.rank() == 0 && llvm::isa<mlir::IntegerType>(number.elementType());
  if (number.isPoison())
    return number;
  if (isInteger)
    return callBuiltin(in, "int", {number});
  return in.fail("TypeError: " + nameOfType(in, number) + " object cannot be interpreted as an integer");
}
const Registered indexRows{{"operator.index", "a", emitIndex}};

PyValue emitItem(Interpreter &in, Arguments &args) { return subscript(in, args["a"], args["b"]); }
const Registered itemRows{{"operator.getitem", "a, b", emitItem}};

} // namespace
} // namespace npcc::frontend
