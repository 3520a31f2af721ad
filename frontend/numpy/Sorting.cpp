// Sorting along the last axis, which np.sort does; other axes are moved there and back.
#include "dialects/Np/Values.h"
#include "frontend/importer/Assignment.h"
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

/// The array's value with the axis last, and the order of axes that moves it there (which also moves it back); null
/// with an error reported.
Value axisLast(Interpreter &in, Value source, const PyValue &axisArgument, SmallVectorImpl<int64_t> &order) {
  int64_t rank = np::getRank(source.getType());
  if (axisArgument.isNone()) {
    source = rank == 1 ? source : in.ir.reshape(source, {in.ir.size(source)}, {ShapedType::kDynamic});
    order.assign({0});
    return source;
  }
  std::optional<int64_t> axis = asAxis(in, axisArgument, rank);
  if (!axis)
    return {};
  order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order[*axis], order[rank - 1]);
  return in.ir.permute(source, order);
}

bool checkOptions(Interpreter &in, Arguments &args) {
  if (args.given("order")) {
    in.fail("ValueError: Cannot specify order when the array has no fields.");
    return false;
  }
  if (args.given("kind")) {
    std::string kind =
        args["kind"].isObject() && PyUnicode_Check(args["kind"].object().get()) ? py::text(args["kind"].object()) : "";
    // NumPy looks at the first letter.
    if (kind.empty() || !StringRef("qhmsQHMS").contains(kind[0])) {
      in.fail("ValueError: sort kind must be one of 'quick', 'heap', or 'stable' (got " +
              (kind.empty() ? describe(in, args["kind"]) : "'" + kind + "'") + ")");
      return false;
    }
  }
  if (args.given("kind") && args.given("stable")) {
    in.fail("ValueError: `kind` and keyword parameters can't be provided at the same time. Use only one of them.");
    return false;
  }
  return true;
}

Value sorted(Interpreter &in, Value source, const PyValue &axis, bool positions) {
  SmallVector<int64_t> order;
  Value lines = axisLast(in, source, axis, order);
  if (!lines)
    return {};
  // Libraries sort no bfloat16; float32 holds them in the same order.
  Type given = np::getElementType(lines.getType());
  if (given.isBF16())
    lines = in.ir.castTo(lines, in.ir.getF32Type());
  auto type = cast<RankedTensorType>(lines.getType());
  Type element = positions ? Type(in.ir.getI64Type()) : type.getElementType();
  Value result = np::SortOp::create(in.ir, RankedTensorType::get(type.getShape(), element), lines, positions);
  if (given.isBF16() && !positions)
    result = in.ir.castTo(result, given);
  return in.ir.permute(result, order);
}

PyValue emit(Interpreter &in, Arguments &args, bool positions) {
  Value source = valueOf(in, args["a"].isRuntime() ? args["a"] : PyValue::runtime(asArray(in, args["a"])));
  if (!source || !checkOptions(in, args))
    return PyValue::poison();
  if (!isa<RankedTensorType>(source.getType()))
    source = in.ir.rankZero(source);
  if (np::getRank(source.getType()) == 0 && !args["axis"].isNone()) {
    if (!positions || asInteger(in, args["axis"]).value_or(-1) < -1 || asInteger(in, args["axis"]).value_or(-1) > 0)
      return in.fail("AxisError: axis " + Twine(asInteger(in, args["axis"]).value_or(-1)) +
                     " is out of bounds for array of dimension 0");
    // NumPy's positions are along one axis here too.
    return PyValue::runtime(in.ir.newArray(in.ir.full(in.ir.constantInteger(in.ir.getI64Type(), 0), in.ir.index(1))));
  }
  Value result = sorted(in, source, args["axis"], positions);
  return result ? PyValue::runtime(result) : PyValue::poison();
}

PyValue emitSort(Interpreter &in, Arguments &args) { return emit(in, args, false); }
const Registered sortRows{{"numpy.sort", "a, axis=-1, kind=None, order=None, stable=None", emitSort}};

PyValue emitArgsort(Interpreter &in, Arguments &args) { return emit(in, args, true); }
const Registered argsortRows{{"numpy.argsort", "a, axis=-1, kind=None, order=None, stable=None", emitArgsort}};

/// a.sort(): in place.
PyValue emitSortMethod(Interpreter &in, Arguments &args) {
  PyValue array = in.env.bound(args["a"]);
  if (!array.arrayType())
    return in.fail("AttributeError: " + describe(in, array) + " cannot be sorted");
  if (!checkOptions(in, args) || (array.rank() == 0 && !asAxis(in, args["axis"], 0)))
    return PyValue::poison();
  Value result = sorted(in, in.ir.load(array.ir()), args["axis"], false);
  if (!result)
    return PyValue::poison();
  storeWhole(in, array.ir(), PyValue::runtime(result), "sort array is read-only");
  return PyValue::object(py::none());
}
const Registered sortMethodRows{{"ndarray.sort", "a, axis=-1, kind=None, order=None, stable=None", emitSortMethod}};

/// What the library's searchsorted is made of: both arrays have one dtype by then. Where each of them is a union, a
/// path of the one's alternative with another one's of the other is imported, too; it is never taken.
PyValue emitSearch(Interpreter &in, Arguments &args) {
  Value order = valueOf(in, args["a"]), values = valueOf(in, args["v"]);
  if (!order || !values)
    return PyValue::poison();
  if (!isa<RankedTensorType>(values.getType()))
    values = in.ir.rankZero(values);
  values = in.ir.castTo(values, np::getElementType(order.getType()));
  auto type = cast<RankedTensorType>(values.getType());
  bool right = args["side"].isObject() && py::text(args["side"].object()) == "right";
  return PyValue::runtime(np::SearchOp::create(in.ir, type.clone(in.ir.getI64Type()), order, values, right));
}
const Registered searchRows{{"npcc.library.routines.search", "a, v, side", emitSearch}};

} // namespace

} // namespace npcc::frontend
