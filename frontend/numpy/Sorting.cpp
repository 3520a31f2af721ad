// Sorting along the last axis, which np.sort does; other axes are moved there and back.
#include "frontend/numpy/Table.h"

using namespace mlir;

namespace npcc::frontend {
namespace {

/// The array's value with the axis last, and the order of axes that moves it there (which also moves it back); null with an error reported.
Value axisLast(FunctionImporter &importer, Value source, const PyValue &axisArgument, SmallVectorImpl<int64_t> &order) {
  int64_t rank = np::getRank(source.getType());
  if (axisArgument.isNone()) {
    source = rank == 1 ? source : importer.reshape(source, {importer.size(source)}, {ShapedType::kDynamic});
    order.assign({0});
    return source;
  }
  std::optional<int64_t> axis = importer.asAxis(axisArgument, rank);
  if (!axis)
    return {};
  order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order[*axis], order[rank - 1]);
  return importer.permute(source, order);
}

bool checkOptions(FunctionImporter &importer, Arguments &args) {
  if (args.given("order")) {
    importer.fail("ValueError: Cannot specify order when the array has no fields.");
    return false;
  }
  if (args.given("kind")) {
    std::string kind =
        args["kind"].isObject() && PyUnicode_Check(args["kind"].object().get()) ? py::text(args["kind"].object()) : "";
    static const std::set<std::string> kinds = {"quicksort", "heapsort", "mergesort", "stable"};
    if (!kinds.count(kind)) {
      importer.fail("ValueError: sort kind must be one of 'quick', 'heap', or 'stable' (got " +
                    importer.describe(args["kind"]) + ")");
      return false;
    }
  }
  if (args.given("kind") && args.given("stable")) {
    importer.fail("ValueError: `kind` and keyword parameters can't be provided at the same time. Use only one.");
    return false;
  }
  return true;
}

Value sorted(FunctionImporter &importer, Value source, const PyValue &axis, bool positions) {
  SmallVector<int64_t> order;
  Value lines = axisLast(importer, source, axis, order);
  if (!lines)
    return {};
  auto type = cast<RankedTensorType>(lines.getType());
  Type element = positions ? Type(importer.builder.getI64Type()) : type.getElementType();
  Value result = np::SortOp::create(importer.builder, importer.here(), RankedTensorType::get(type.getShape(), element), lines, positions);
  return importer.permute(result, order);
}

PyValue emit(FunctionImporter &importer, Arguments &args, bool positions) {
  Value source = importer.valueOf(args["a"].isRuntime() ? args["a"] : PyValue::runtime(importer.asArray(args["a"])));
  if (!source || !checkOptions(importer, args))
    return PyValue::poison();
  if (!isa<RankedTensorType>(source.getType()))
    source = importer.rankZero(source);
  if (np::getRank(source.getType()) == 0 && !args["axis"].isNone()) {
    if (!positions || importer.asInteger(args["axis"]).value_or(-1) < -1 || importer.asInteger(args["axis"]).value_or(-1) > 0)
      return importer.fail("AxisError: axis " + Twine(importer.asInteger(args["axis"]).value_or(-1)) + " is out of bounds for array of dimension 0");
    // NumPy's positions are along one axis here too.
    return PyValue::runtime(importer.newArray(
        importer.full(importer.constantInteger(importer.builder.getI64Type(), 0), importer.index(1))));
  }
  Value result = sorted(importer, source, args["axis"], positions);
  return result ? PyValue::runtime(result) : PyValue::poison();
}

PyValue emitSort(FunctionImporter &importer, Arguments &args) { return emit(importer, args, false); }
PyValue emitArgsort(FunctionImporter &importer, Arguments &args) { return emit(importer, args, true); }

/// a.sort(): in place.
PyValue emitSortMethod(FunctionImporter &importer, Arguments &args) {
  PyValue array = importer.bound(args["a"]);
  if (!array.arrayType())
    return importer.fail("AttributeError: " + importer.describe(array) + " cannot be sorted");
  if (!checkOptions(importer, args) || (array.rank() == 0 && !importer.asAxis(args["axis"], 0)))
    return PyValue::poison();
  Value result = sorted(importer, importer.load(array.ir()), args["axis"], false);
  if (!result)
    return PyValue::poison();
  importer.storeWhole(array.ir(), PyValue::runtime(result), "sort array is read-only");
  return PyValue::object(py::none());
}

const FunctionRow rows[] = {
    {"numpy.sort", "a, axis=-1, kind=None, order=None, stable=None", emitSort},
    {"numpy.argsort", "a, axis=-1, kind=None, order=None, stable=None", emitArgsort},
    {"ndarray.sort", "a, axis=-1, kind=None, order=None, stable=None", emitSortMethod},
};
} // namespace

ArrayRef<FunctionRow> sortingRows() { return rows; }

} // namespace npcc::frontend
