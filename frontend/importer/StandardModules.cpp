// Functions of the modules time and operator.
#include "frontend/importer/Operators.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

//===---- time
//-----------------------------------------------------------------------------------------------------===//

StringRef shortName(Arguments &args) { return StringRef(args.row->name).rsplit('.').second; }

PyValue emitClock(Interpreter &in, Arguments &args) {
  return PyValue::runtime(np::ClockOp::create(in.ir, shortName(args)));
}

/// In nanoseconds, as Python's int.
PyValue emitClockInNanoseconds(Interpreter &in, Arguments &args) {
  Value seconds = np::ClockOp::create(in.ir, shortName(args).drop_back(3));
  Value factor = constant(in, in.ir.getF64Type(), py::real(1e9));
  return PyValue::runtime(in.ir.castTo(in.ir.emitUfunc("multiply", {seconds, factor}), in.ir.getI64Type()));
}

const Registered clockRows{{"time.time", "", emitClock},
                           {"time.perf_counter", "", emitClock},
                           {"time.monotonic", "", emitClock},
                           {"time.process_time", "", emitClock},
                           {"time.time_ns", "", emitClockInNanoseconds},
                           {"time.perf_counter_ns", "", emitClockInNanoseconds},
                           {"time.monotonic_ns", "", emitClockInNanoseconds},
                           {"time.process_time_ns", "", emitClockInNanoseconds}};

//===---- operator
//-------------------------------------------------------------------------------------------------===//

PyValue emitBinary(Interpreter &in, Arguments &args) {
  StringRef operation = llvm::StringSwitch<StringRef>(shortName(args))
                            .Case("add", "Add")
                            .Case("sub", "Sub")
                            .Case("mul", "Mult")
                            .Case("truediv", "Div")
                            .Case("floordiv", "FloorDiv")
                            .Case("mod", "Mod")
                            .Case("pow", "Pow")
                            .Case("matmul", "MatMult")
                            .Case("and_", "BitAnd")
                            .Case("or_", "BitOr")
                            .Case("xor", "BitXor")
                            .Case("lshift", "LShift")
                            .Default("RShift");
  return binary(in, operation, args["a"], args["b"]);
}

PyValue emitComparison(Interpreter &in, Arguments &args) {
  StringRef operation = llvm::StringSwitch<StringRef>(shortName(args))
                            .Case("lt", "Lt")
                            .Case("le", "LtE")
                            .Case("gt", "Gt")
                            .Case("ge", "GtE")
                            .Case("eq", "Eq")
                            .Default("NotEq");
  return compare(in, operation, args["a"], args["b"]);
}

PyValue emitNegative(Interpreter &in, Arguments &args) { return unary(in, "USub", args["a"]); }

PyValue emitItem(Interpreter &in, Arguments &args) { return subscript(in, args["a"], args["b"]); }

const Registered operatorRows{{"operator.add", "a, b", emitBinary},      {"operator.sub", "a, b", emitBinary},
                              {"operator.mul", "a, b", emitBinary},      {"operator.truediv", "a, b", emitBinary},
                              {"operator.floordiv", "a, b", emitBinary}, {"operator.mod", "a, b", emitBinary},
                              {"operator.pow", "a, b", emitBinary},      {"operator.matmul", "a, b", emitBinary},
                              {"operator.and_", "a, b", emitBinary},     {"operator.or_", "a, b", emitBinary},
                              {"operator.xor", "a, b", emitBinary},      {"operator.lshift", "a, b", emitBinary},
                              {"operator.rshift", "a, b", emitBinary},   {"operator.lt", "a, b", emitComparison},
                              {"operator.le", "a, b", emitComparison},   {"operator.gt", "a, b", emitComparison},
                              {"operator.ge", "a, b", emitComparison},   {"operator.eq", "a, b", emitComparison},
                              {"operator.ne", "a, b", emitComparison},   {"operator.neg", "a", emitNegative},
                              {"operator.getitem", "a, b", emitItem}};

} // namespace
} // namespace npcc::frontend
