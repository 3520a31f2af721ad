// What the lanes of a warp exchange: shuffles, votes and matches. Masks are 32 bits, of an integer of any type.
#include "frontend/importer/Threads.h"
#include "frontend/importer/Values.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace npcc::frontend {

/// Lanes of a warp, a bit for each, of the dtypes that Numba gives them: programs count leading zeros and negate masks.
static PyValue lanes(Interpreter &in, Value mask, bool isSigned = true) {
  return PyValue::runtime(in.ir.rankZero(isSigned ? mask : in.ir.castTo(mask, in.ir.getIntegerType(32, false))));
}

/// shfl_sync(mask, value, lane) and its like: the value of another lane, of this lane's own type.
static PyValue shuffle(Interpreter &in, StringRef name, np::ThreadAction action, Call &call) {
  std::vector<PyValue> values;
  if (!takeArguments(in, name, "mask, value, lane, width=32", call, values))
    return PyValue::poison();
  Value mask = bits32(in, values[0]), lane = bits32(in, values[2]), width = bits32(in, values[3]);
  ThreadScalar value = scalarOf(in, values[1]);
  if (!mask || !lane || !width || !value.value)
    return PyValue::poison();
  Type type = value.value.getType();
  if (isa<ComplexType>(type))
    return in.fail("TypeError: cuda." + Twine(name) + " of complex numbers: shuffle their parts");
  return value.wrap(in, threadOp(in, action, {type, in.ir.getI1Type()}, {mask, value.value, lane, width})[0]);
}

static PyValue vote(Interpreter &in, StringRef name, np::ThreadAction action, Call &call) {
  std::vector<PyValue> values;
  if (!takeArguments(in, name, "mask, predicate", call, values))
    return PyValue::poison();
  Value mask = bits32(in, values[0]);
  ThreadScalar predicate = scalarOf(in, values[1]);
  if (!mask || !predicate.value)
    return PyValue::poison();
  Value isTrue = in.ir.castTo(predicate.value, in.ir.getI1Type());
  if (action == np::ThreadAction::ballot)
    return lanes(in, threadOp(in, action, in.ir.getI32Type(), {mask, isTrue})[0]);
  return PyValue::runtime(threadOp(in, action, in.ir.getI1Type(), {mask, isTrue})[0]);
}

/// match_any_sync(mask, value): the lanes with the same bits; match_all_sync: (mask or 0, whether all are equal).
static PyValue match(Interpreter &in, StringRef name, bool isAll, Call &call) {
  std::vector<PyValue> values;
  if (!takeArguments(in, name, "mask, value", call, values))
    return PyValue::poison();
  Value mask = bits32(in, values[0]);
  ThreadScalar value = scalarOf(in, values[1]);
  if (!mask || !value.value)
    return PyValue::poison();
  if (isa<ComplexType>(value.value.getType()))
    return in.fail("TypeError: cuda." + Twine(name) + " of complex numbers");
  Type i32 = in.ir.getI32Type();
  if (!isAll)
    return lanes(in, threadOp(in, np::ThreadAction::match_any, i32, {mask, value.value})[0]);
  SmallVector<Value> results = threadOp(in, np::ThreadAction::match_all, {i32, in.ir.getI1Type()}, {mask, value.value});
  return PyValue::sequence({lanes(in, results[0]), PyValue::runtime(results[1])});
}

std::optional<PyValue> callWarpFunction(Interpreter &in, StringRef name, Call &call) {
  using Action = np::ThreadAction;
  auto action = llvm::StringSwitch<std::optional<Action>>(name)
                    .Case("shfl_sync", Action::shuffle_idx)
                    .Case("shfl_up_sync", Action::shuffle_up)
                    .Case("shfl_down_sync", Action::shuffle_down)
                    .Case("shfl_xor_sync", Action::shuffle_xor)
                    .Case("all_sync", Action::vote_all)
                    .Case("any_sync", Action::vote_any)
                    .Case("eq_sync", Action::vote_eq)
                    .Case("ballot_sync", Action::ballot)
                    .Case("match_any_sync", Action::match_any)
                    .Case("match_all_sync", Action::match_all)
                    .Case("activemask", Action::active_mask)
                    .Case("lanemask_lt", Action::lane_mask_lt)
                    .Case("syncwarp", Action::syncwarp)
                    .Default(std::nullopt);
  if (!action)
    return std::nullopt;
  switch (*action) {
  case Action::shuffle_idx:
  case Action::shuffle_up:
  case Action::shuffle_down:
  case Action::shuffle_xor:
    return shuffle(in, name, *action, call);
  case Action::match_any:
  case Action::match_all:
    return match(in, name, *action == Action::match_all, call);
  case Action::active_mask:
  case Action::lane_mask_lt:
    return lanes(in, threadOp(in, *action, in.ir.getI32Type())[0], false);
  case Action::syncwarp: {
    std::vector<PyValue> values;
    if (!takeArguments(in, name, "mask=-1", call, values))
      return PyValue::poison();
    Value mask = bits32(in, values[0]);
    if (!mask)
      return PyValue::poison();
    threadOp(in, *action, {}, mask);
    return PyValue::object(py::none());
  }
  default:
    return vote(in, name, *action, call);
  }
}

} // namespace npcc::frontend
