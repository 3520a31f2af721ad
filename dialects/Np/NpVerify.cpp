// Verifiers and type inference.
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Random.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace npcc::np;

//===---- Inference ------------------------------------------------------------------------------------------------===//

LogicalResult NewOp::inferReturnTypes(MLIRContext *context, std::optional<Location>, NewOp::Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  auto type = cast<RankedTensorType>(adaptor.getValue().getType());
  types.push_back(ArrayType::get(context, type.getShape(), type.getElementType(), /*contiguous=*/true));
  return success();
}

LogicalResult LoadOp::inferReturnTypes(MLIRContext *, std::optional<Location>, LoadOp::Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  types.push_back(cast<ArrayType>(adaptor.getArray().getType()).getValueType());
  return success();
}

/// One axis of a broadcast: 1 gives way, a known extent wins over an unknown one.
static int64_t broadcastStatic(int64_t lhs, int64_t rhs) {
  if (lhs == 1)
    return rhs;
  if (rhs == 1)
    return lhs;
  return ShapedType::isDynamic(lhs) ? rhs : lhs;
}

/// Types that differ in no more than in which extents are known.
static bool areEqualButExtents(TypeRange inferred, TypeRange given) {
  return llvm::equal(inferred, given, [](Type left, Type right) {
    return getElementTypeOrSelf(left) == getElementTypeOrSelf(right) && succeeded(verifyCompatibleShape(left, right));
  });
}
bool UfuncOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange given) {
  return areEqualButExtents(inferred, given);
}
bool ReduceOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange given) {
  return areEqualButExtents(inferred, given);
}
bool ScanOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange given) {
  return areEqualButExtents(inferred, given);
}

LogicalResult UfuncOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, UfuncOp::Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  const UfuncInfo *ufunc = lookupUfunc(adaptor.getNameAttr().getValue());
  if (!ufunc)
    return emitOptionalError(loc, "unknown elementwise function '", adaptor.getNameAttr().getValue(), "'");
  SmallVector<int64_t> shape;
  bool anyTensor = false;
  for (Value input : adaptor.getInputs()) {
    Type type = input.getType();
    anyTensor |= isa<RankedTensorType>(type);
    ArrayRef<int64_t> other = getShape(type);
    if (other.size() > shape.size())
      shape.insert(shape.begin(), other.size() - shape.size(), 1);
    for (auto [k, extent] : llvm::enumerate(llvm::reverse(other))) {
      int64_t &mine = shape[shape.size() - 1 - k];
      mine = broadcastStatic(mine, extent);
    }
  }
  Type element = getUfuncResultType(*ufunc, getElementType(adaptor.getInputs().back().getType()));
  types.push_back(anyTensor ? Type(RankedTensorType::get(shape, element)) : element);
  return success();
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *context, std::optional<Location>, ReduceOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  SmallVector<int64_t> shape;
  for (auto [axis, extent] : llvm::enumerate(input.getShape()))
    if (!llvm::is_contained(adaptor.getAxes(), static_cast<int64_t>(axis)))
      shape.push_back(extent);
  std::optional<Reduction> kind = symbolizeReduction(adaptor.getKindAttr().getValue());
  bool givesPosition = kind && isPosition(*kind);
  types.push_back(RankedTensorType::get(shape, givesPosition ? IntegerType::get(context, 64) : input.getElementType()));
  return success();
}

LogicalResult ScanOp::inferReturnTypes(MLIRContext *, std::optional<Location>, ScanOp::Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getInput().getType());
  return success();
}

//===---- Verifiers ------------------------------------------------------------------------------------------------===//

LogicalResult BroadcastExtentOp::verify() {
  int64_t ranks = getLhsRank() + getOutputRank().value_or(0);
  if (ranks > static_cast<int64_t>(getShapes().size()))
    return emitOpError("has shapes of ") << getShapes().size() << " extents, of which " << ranks
                                         << " belong to two of them";
  return success();
}

LogicalResult RoutineOp::verify() {
  if (getError().has_value() != getMessage().has_value())
    return emitOpError("has an error and a message, or neither");
  return success();
}

LogicalResult DrawInTurnsOp::verify() {
  size_t count = getOuts().size();
  if (!count || getDistributions().size() != count || getDtypes().size() != count || getScalarCounts().size() != count)
    return emitOpError("needs a distribution, a dtype and a number of scalars for each array");
  if (llvm::sum_of(getScalarCounts()) != int64_t(getScalars().size()))
    return emitOpError("has scalars that are no draw's, or too few");
  if (llvm::any_of(getOuts(), [](Value out) { return getRank(out.getType()) == 0; }))
    return emitOpError("needs an axis of turns in each array");
  return success();
}

LogicalResult EmptyOp::verify() {
  auto shape = cast<ArrayType>(getArray().getType()).getShape();
  if (llvm::count(shape, ShapedType::kDynamic) != static_cast<int64_t>(getExtents().size()))
    return emitOpError("needs one extent for each '?' of ") << getArray().getType();
  return success();
}

static LogicalResult verifyStored(Operation *op, Type value, Type array) {
  if (getElementType(value) != getElementType(array))
    return op->emitOpError("stores ") << getElementType(value) << " into an array of " << getElementType(array);
  if (getRank(value) > getRank(array))
    return op->emitOpError("value has rank ") << getRank(value) << ", the array " << getRank(array);
  return success();
}
/// Positions of a view whose axes run along one axis of its source may be one element: several values have no order there.
static LogicalResult verifyPlaces(Operation *op, Type value, Value array) {
  auto view = array.getDefiningOp<ViewOp>();
  if (!view || getRank(value) == 0)
    return success();
  SmallVector<int64_t> seen;
  for (int64_t axis : view.getAxes()) {
    if (axis >= 0 && llvm::is_contained(seen, axis))
      return op->emitOpError("stores an array into a view that names axis ") << axis << " twice";
    seen.push_back(axis);
  }
  return success();
}
LogicalResult StoreOp::verify() {
  if (failed(verifyStored(*this, getValue().getType(), getArray().getType())))
    return failure();
  return verifyPlaces(*this, getValue().getType(), getArray());
}
LogicalResult StoreMaskedOp::verify() {
  auto mask = cast<RankedTensorType>(getMask().getType());
  if (!mask.getElementType().isInteger(1))
    return emitOpError("mask must be of bool, is ") << mask;
  if (mask.getRank() > getRank(getArray().getType()))
    return emitOpError("mask has more axes than the array");
  if (failed(verifyPlaces(*this, getValue().getType(), getArray())))
    return failure();
  return verifyStored(*this, getValue().getType(), getArray().getType());
}

/// Shared by np.view and np.insert, whose region has the same description.
static LogicalResult verifyRegion(Operation *op, int64_t sourceRank, int64_t regionRank, size_t offsets,
                                  ArrayRef<int64_t> axes, size_t extents, size_t steps) {
  if (static_cast<int64_t>(offsets) != sourceRank)
    return op->emitOpError("needs an offset for each of the ") << sourceRank << " source axes, has " << offsets;
  if (static_cast<int64_t>(axes.size()) != regionRank || extents != axes.size() || steps != axes.size())
    return op->emitOpError("needs an axis, an extent and a step for each of the ") << regionRank << " result axes";
  for (int64_t axis : axes)
    if (axis < -1 || axis >= sourceRank)
      return op->emitOpError("axis ") << axis << " is out of range";
  return success();
}
LogicalResult ViewOp::verify() {
  if (isa<ArrayType>(getSource().getType()) != isa<ArrayType>(getResult().getType()))
    return emitOpError("gives an array of an array and a value of a value");
  if (getElementType(getSource().getType()) != getElementType(getResult().getType()))
    return emitOpError("changes the element type");
  return verifyRegion(*this, getRank(getSource().getType()), getRank(getResult().getType()), getOffsets().size(),
                      getAxes(), getExtents().size(), getSteps().size());
}

LogicalResult ReshapeOp::verify() {
  if (auto array = dyn_cast<ArrayType>(getSource().getType()); array && !array.getContiguous())
    return emitOpError("of an array needs a contiguous one");
  if (static_cast<int64_t>(getExtents().size()) != getRank(getResult().getType()))
    return emitOpError("needs an extent for each axis of the result");
  return success();
}

LogicalResult StrideOp::verify() {
  if (static_cast<int64_t>(getAxis()) >= getRank(getArray().getType()))
    return emitOpError("of an axis that the array does not have");
  return success();
}

LogicalResult PartOp::verify() {
  auto source = dyn_cast<ArrayType>(getSource().getType()), result = dyn_cast<ArrayType>(getResult().getType());
  if (bool(source) != bool(result))
    return emitOpError("gives an array of an array and a memref of a memref");
  StringRef word = getKindAttr().getValue();
  std::optional<PartKind> known = symbolizePartKind(word);
  if (!known)
    return emitOpError("unknown kind '") << word << "'";
  PartKind kind = *known;
  if (!source)
    return success();
  bool isDiagonal = kind == PartKind::diagonal, isComponent = kind == PartKind::real || kind == PartKind::imag;
  Type element = kind == PartKind::view ? result.getElementType() : source.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element); isComponent) {
    if (!complex)
      return emitOpError("'") << word << "' is of complex numbers, not " << element;
    element = complex.getElementType();
  }
  bool isLine = kind == PartKind::line;
  int64_t rank = isLine ? 1 : source.getRank() - isDiagonal;
  if (result.getElementType() != element || result.getRank() != rank || (isDiagonal && source.getRank() < 2))
    return emitOpError("'") << word << "' of " << source << " is not " << result;
  if ((isDiagonal || isComponent || isLine) && result.getContiguous())
    return emitOpError("gives an array that is not contiguous");
  if (static_cast<int64_t>(getExtents().size()) != result.getRank())
    return emitOpError("needs an extent for each axis of the result");
  return success();
}

LogicalResult ReshapeStridedOp::verify() {
  auto type = cast<ArrayType>(getResult().getType());
  if (type.getContiguous())
    return emitOpError("gives an array that may not be contiguous");
  if (static_cast<int64_t>(getExtents().size()) != type.getRank())
    return emitOpError("needs an extent for each axis of the result");
  return success();
}

LogicalResult MakeRoomOp::verify() {
  if (static_cast<int64_t>(getExtents().size()) != getRank(getResult().getType()) - 1)
    return emitOpError("needs an extent for each axis of a row");
  return success();
}

LogicalResult DimOp::verify() {
  int64_t axis = getAxis(), rank = getRank(getSource().getType());
  if (axis < 0 || axis >= rank)
    return emitOpError("axis ") << axis << " is out of bounds for array of dimension " << rank;
  return success();
}

LogicalResult UfuncOp::verify() {
  StringRef name = getNameAttr().getValue();
  const UfuncInfo *ufunc = lookupUfunc(name);
  if (!ufunc)
    return emitOpError("unknown elementwise function '") << name << "'";
  if (ufunc->inputs != getInputs().size())
    return emitOpError("'") << name << "' takes " << ufunc->inputs << " inputs, has " << getInputs().size();
  Type element = getElementType(getInputs().back().getType());
  for (auto [k, input] : llvm::enumerate(getInputs())) {
    Type type = getElementType(input.getType());
    bool isCondition = ufunc->rule == UfuncRule::Select && k == 0;
    if (isCondition ? !type.isInteger(1) : type != element)
      return emitOpError("input ") << k << " of '" << name << "' has element type " << type << ", expected "
                                   << (isCondition ? IntegerType::get(getContext(), 1) : element);
  }
  if (!acceptsElementType(ufunc->rule, element))
    return emitOpError("'") << name << "' does not take " << element;
  return success();
}

LogicalResult CastOp::verify() {
  if (getRank(getInput().getType()) != getRank(getResult().getType()) ||
      isa<RankedTensorType>(getInput().getType()) != isa<RankedTensorType>(getResult().getType()))
    return emitOpError("changes the shape");
  return success();
}

LogicalResult SearchOp::verify() {
  auto sorted = cast<RankedTensorType>(getSorted().getType()), values = cast<RankedTensorType>(getValues().getType());
  if (sorted.getRank() != 1)
    return emitOpError("needs a vector to search in, not rank ") << sorted.getRank();
  if (sorted.getElementType() != values.getElementType())
    return emitOpError("needs one element type");
  if (getType() != values.clone(IntegerType::get(getContext(), 64)))
    return emitOpError("gives an i64 for each of the values");
  return success();
}
LogicalResult MatmulOp::verify() {
  Type element = getElementType(getType());
  bool hasEpilogue = getAlpha() || getAddend() || getBias() || getActivation();
  if (hasEpilogue && (getRank(getType()) != 2 || !isa<FloatType>(element)))
    return emitOpError("has an epilogue only where the result is a matrix of floats");
  if (getAddend() && (getRank(getAddend().getType()) != 2 || getElementType(getAddend().getType()) != element))
    return emitOpError("needs an addend of the result's type");
  if (getBeta() && !getAddend())
    return emitOpError("needs an addend for beta");
  if (getBias() && (getRank(getBias().getType()) != 1 || getElementType(getBias().getType()) != element))
    return emitOpError("needs a vector of the result's element type for bias");
  return success();
}

LogicalResult RandomBitsOp::verify() {
  if (!getElementType(getType()).isUnsignedInteger(64))
    return emitOpError("gives ui64");
  if (getRank(getType()) != static_cast<int64_t>(getExtents().size()))
    return emitOpError("needs an extent for each axis");
  return success();
}
LogicalResult ReduceOp::verify() {
  int64_t rank = getRank(getInput().getType());
  ArrayRef<int64_t> axes = getAxes();
  for (size_t k = 0; k < axes.size(); ++k)
    if (axes[k] < 0 || axes[k] >= rank || (k && axes[k] <= axes[k - 1]))
      return emitOpError("axes must be ascending and within rank ") << rank;
  if (axes.empty())
    return emitOpError("needs an axis");
  if (isPosition(getKind()) && axes.size() != 1)
    return emitOpError("'") << stringifyReduction(getKind()) << "' takes one axis";
  return success();
}
