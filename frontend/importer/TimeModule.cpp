// The clocks of the module time.
#include "dialects/Np/Host.h"
#include "frontend/importer/Values.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

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

} // namespace
} // namespace npcc::frontend
