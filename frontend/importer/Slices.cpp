// Slices as offset, extent and step, clamped to the axis as Python clamps. The arithmetic is the same for all slices
// that drop the same number of elements, so that CSE sees that u[2:], u[:-2] and u[1:-1] have one extent.
#include "frontend/importer/Known.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Values.h"

using namespace mlir;

namespace npcc::frontend {

namespace {
/// Folding arithmetic on index values.
struct IndexMath {
  Interpreter &in;
  template <typename Op> Value make(Value left, Value right) { return in.ir.createOrFold<Op>(left, right); }
  Value add(Value left, Value right) { return make<arith::AddIOp>(left, right); }
  Value sub(Value left, Value right) { return make<arith::SubIOp>(left, right); }
  Value min(Value left, Value right) { return make<arith::MinSIOp>(left, right); }
  Value max(Value left, Value right) { return make<arith::MaxSIOp>(left, right); }
  Value ceilDiv(Value left, Value right) { return make<arith::CeilDivSIOp>(left, right); }
  Value select(Value condition, Value left, Value right) {
    return in.ir.createOrFold<arith::SelectOp>(condition, left, right);
  }
  Value less(Value left, Value right) { return in.ir.compareIndex(arith::CmpIPredicate::slt, left, right); }
  Value constant(int64_t value) { return in.ir.index(value); }
};
} // namespace

bool sliceAxis(Interpreter &in, const PyValue &slice, Value n, AxisIndex &axis) {
  IndexMath math{in};
  const PyValue &startValue = slice->items[0], &stopValue = slice->items[1], &stepValue = slice->items[2];
  std::optional<int64_t> step = stepValue.isNone() ? 1 : asInteger(in, stepValue);
  axis.kind = AxisIndex::Slice;
  if (step && *step == 0) {
    in.fail("ValueError: slice step cannot be zero");
    return false;
  }
  Value zero = math.constant(0), one = math.constant(1);

  // A bound counted from the start, clamped to [low, high].
  auto clamp = [&](const PyValue &bound, Value low, Value high, Value otherwise) -> Value {
    if (bound.isNone())
      return otherwise;
    Value position = toIndex(in, bound, "slice indices must be integers or None: an integer");
    if (!position)
      return {};
    std::optional<int64_t> known = asInteger(in, bound);
    Value shifted = known ? (*known < 0 ? math.add(n, position) : position)
                          : math.select(math.less(position, zero), math.add(position, n), position);
    bool isLowEnough = known && *known < 0;   // n + k <= n - 1
    bool isHighEnough = known && *known >= 0; // k >= 0
    if (!isHighEnough)
      shifted = math.max(shifted, low);
    return isLowEnough ? shifted : math.min(shifted, high);
  };

  if (step && *step > 0) {
    std::optional<int64_t> start = startValue.isNone() ? 0 : asInteger(in, startValue);
    std::optional<int64_t> stop = stopValue.isNone() ? std::optional<int64_t>() : asInteger(in, stopValue);
    Value length;
    if (start && *start >= 0 && (stopValue.isNone() || (stop && *stop < 0))) {
      // Drops `*start` elements in front and `-stop` at the end.
      int64_t dropped = *start + (stopValue.isNone() ? 0 : -*stop);
      axis.offset = math.constant(*start);
      length = dropped == 0 ? n : math.max(math.sub(n, math.constant(dropped)), zero);
    } else if (start && *start >= 0 && stop && *stop <= *start) {
      axis.offset = zero;
      length = zero;
    } else if (start && *start >= 0 && stop) {
      // An empty region where the axis ends before the start.
      axis.offset = math.constant(*start);
      Value end = math.min(math.constant(*stop), n);
      length = *start == 0 ? end : math.max(math.sub(end, axis.offset), zero);
    } else if (start && *start < 0 && stopValue.isNone()) {
      length = math.min(math.constant(-*start), n);
      axis.offset = math.sub(n, length);
    } else {
      axis.offset = clamp(startValue, zero, n, zero);
      Value end = clamp(stopValue, zero, n, n);
      if (!axis.offset || !end)
        return false;
      length = *step == 1 && startValue.isNone() ? end : math.max(math.sub(end, axis.offset), zero);
    }
    axis.step = math.constant(*step);
    axis.extent = *step == 1 ? length : math.ceilDiv(length, axis.step);
    return true;
  }
  Value last = math.sub(n, one), before = math.constant(-1);
  if (step) {
    axis.step = math.constant(*step);
    axis.offset = clamp(startValue, before, last, last);
    if (!axis.offset)
      return false;
    Value length;
    if (stopValue.isNone() && startValue.isNone()) {
      length = n;
    } else {
      Value end = clamp(stopValue, before, last, before);
      if (!end)
        return false;
      length = math.max(math.sub(axis.offset, end), zero);
    }
    axis.extent = *step == -1 ? length : math.ceilDiv(length, math.constant(-*step));
    return true;
  }
  // The step is not known: both directions.
  axis.step = toIndex(in, stepValue, "slice indices must be integers or None: an integer");
  if (!axis.step)
    return false;
  in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::ne, axis.step, zero), "ValueError", "slice step cannot be zero");
  Value up = in.ir.compareIndex(arith::CmpIPredicate::sgt, axis.step, zero);
  Value low = math.select(up, zero, before), high = math.select(up, n, last);
  axis.offset = clamp(startValue, low, high, math.select(up, zero, last));
  Value end = clamp(stopValue, low, high, math.select(up, n, before));
  if (!axis.offset || !end)
    return false;
  Value length = math.max(math.select(up, math.sub(end, axis.offset), math.sub(axis.offset, end)), zero);
  axis.extent = math.ceilDiv(length, math.select(up, axis.step, math.sub(zero, axis.step)));
  return true;
}

} // namespace npcc::frontend
