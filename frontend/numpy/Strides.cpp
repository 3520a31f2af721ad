// numpy.lib.stride_tricks: views in which an element of the array has several places.
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

/// A parameter that is one integer or several.
bool asIntegers(Interpreter &in, const PyValue &value, StringRef what, SmallVectorImpl<Value> &numbers) {
  std::vector<PyValue> items;
  if (!asSequence(in, value, items))
    items = {value};
  for (const PyValue &item : items) {
    Value number = toIndex(in, item, what);
    if (!number)
      return false;
    numbers.push_back(number);
  }
  return true;
}

Type typeOfView(Value source, ArrayRef<Value> extents) {
  SmallVector<int64_t> shape;
  for (Value extent : extents) {
    IntegerAttr known;
    bool isOne = matchPattern(extent, m_Constant(&known)) && known.getInt() == 1;
    shape.push_back(isOne ? 1 : ShapedType::kDynamic);
  }
  Type element = np::getElementType(source.getType());
  if (isa<np::ArrayType>(source.getType()))
    return np::ArrayType::get(source.getContext(), shape, element, /*contiguous=*/false);
  return RankedTensorType::get(shape, element);
}

/// The view, marked as one that nothing may be stored into unless `writeable` says otherwise. What is stored through it
/// is stored in C order (`storeInOrder`).
PyValue asGiven(Interpreter &in, Value view, const PyValue &writeable) {
  if (!writeable.isObject())
    return in.fail("'writeable' decides what kind of view this is: it must be known at compile time");
  bool isWriteable = py::isTrue(writeable.object()) || !isa<np::ArrayType>(view.getType());
  return PyValue::runtime(isWriteable ? view : in.ir.part("read_only", view));
}

/// The windows' axes run along the same axes of the array as the windows' places.
PyValue emitSlidingWindowView(Interpreter &in, Arguments &args) {
  Value source = asArray(in, args["x"]);
  SmallVector<Value> windows;
  if (!source || !asIntegers(in, args["window_shape"], "window_shape", windows))
    return PyValue::poison();
  int64_t rank = np::getRank(source.getType());
  SmallVector<int64_t> along;
  for (Value window : windows)
    in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::sge, window, in.ir.index(0)), "ValueError",
                "`window_shape` cannot contain negative values");
  if (args["axis"].isNone()) {
    along = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    if (windows.size() != along.size())
      return in.fail("ValueError: Since axis is `None`, must provide window_shape for all dimensions of `x`; got " +
                     Twine(windows.size()) + " window_shape elements and `x.ndim` is " + Twine(rank) + ".");
  } else {
    std::vector<PyValue> items;
    if (!asSequence(in, args["axis"], items))
      items = {args["axis"]};
    for (const PyValue &item : items) {
      std::optional<int64_t> axis = asAxis(in, item, rank);
      if (!axis)
        return PyValue::poison();
      along.push_back(*axis);
    }
    if (windows.size() != along.size())
      return in.fail("ValueError: Must provide matching length window_shape and axis; got " + Twine(windows.size()) +
                     " window_shape elements and " + Twine(along.size()) + " axes elements.");
  }
  Value zero = in.ir.index(0), one = in.ir.index(1);
  SmallVector<Value> extents = in.ir.dims(source);
  for (auto [axis, window] : llvm::zip(along, windows)) {
    in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::sle, window, extents[axis]), "ValueError",
                "window shape cannot be larger than input array shape");
    Value rest = in.ir.createOrFold<arith::SubIOp>(extents[axis], window);
    extents[axis] = in.ir.createOrFold<arith::AddIOp>(rest, one);
  }
  extents.append(windows);
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  axes.append(along);
  SmallVector<Value> offsets(rank, zero), steps(axes.size(), one);
  return asGiven(in, np::ViewOp::create(in.ir, typeOfView(source, extents), source, offsets, axes, extents, steps),
                 args["writeable"]);
}
const Registered slidingRows{{"numpy.lib.stride_tricks.sliding_window_view",
                              "x, window_shape, axis=None, writeable=False", emitSlidingWindowView}};

/// All axes run along the one axis of the array's memory.
PyValue emitAsStrided(Interpreter &in, Arguments &args) {
  Value source = asArray(in, args["x"]);
  if (!source)
    return PyValue::poison();
  SmallVector<Value> extents, steps;
  if (args["shape"].isNone())
    extents = in.ir.dims(source);
  else if (!asIntegers(in, args["shape"], "shape", extents))
    return PyValue::poison();
  Value zero = in.ir.index(0), one = in.ir.index(1);
  std::vector<PyValue> given;
  if (!args["strides"].isNone() && asSequence(in, args["strides"], given) && given.size() != extents.size())
    return in.fail("ValueError: mismatch in length of strides and shape");
  Placement placement = placementInMemory(in, source);
  if (args["strides"].isNone()) {
    steps = placement.strides;
  } else {
    if (!asIntegers(in, args["strides"], "strides", steps))
      return PyValue::poison();
    Type element = np::getElementType(source.getType());
    Value size = in.ir.index(in.dtypes.dtype(element).integer("itemsize"));
    for (Value &step : steps) {
      Value rest = in.ir.createOrFold<arith::RemSIOp>(step, size);
      in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::eq, rest, zero), "NotImplementedError",
                  "strides must be multiples of the itemsize in compiled code");
      step = in.ir.createOrFold<arith::DivSIOp>(step, size);
    }
  }
  if (steps.size() != extents.size())
    return in.fail("ValueError: mismatch in length of strides and shape");
  // NumPy reads whatever lies there.
  Value first = placement.offset, last = placement.offset, isEmpty = in.ir.boolean(false);
  for (auto [extent, step] : llvm::zip(extents, steps)) {
    in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::sge, extent, zero), "ValueError",
                "negative dimensions are not allowed");
    Value way = in.ir.createOrFold<arith::MulIOp>(in.ir.createOrFold<arith::SubIOp>(extent, one), step);
    first = in.ir.createOrFold<arith::AddIOp>(first, in.ir.createOrFold<arith::MinSIOp>(way, zero));
    last = in.ir.createOrFold<arith::AddIOp>(last, in.ir.createOrFold<arith::MaxSIOp>(way, zero));
    isEmpty = in.ir.createOrFold<arith::OrIOp>(isEmpty, in.ir.compareIndex(arith::CmpIPredicate::eq, extent, zero));
  }
  Value fits = in.ir.createOrFold<arith::AndIOp>(
      in.ir.compareIndex(arith::CmpIPredicate::sge, first, zero),
      in.ir.compareIndex(arith::CmpIPredicate::slt, last, in.ir.size(placement.root)));
  in.ir.check(in.ir.createOrFold<arith::OrIOp>(isEmpty, fits), "ValueError",
              "as_strided() of what lies outside of the array's memory");
  Value line = placement.root;
  if (np::getRank(line.getType()) != 1)
    line = in.ir.reshape(line, {in.ir.size(line)}, {ShapedType::kDynamic});
  SmallVector<int64_t> axes(extents.size(), 0);
  return asGiven(
      in,
      np::ViewOp::create(in.ir, typeOfView(source, extents), line, ValueRange{placement.offset}, axes, extents, steps),
      args["writeable"]);
}
const Registered asStridedRows{
    {"numpy.lib.stride_tricks.as_strided", "x, shape=None, strides=None, writeable=True", emitAsStrided}};

} // namespace

} // namespace npcc::frontend
