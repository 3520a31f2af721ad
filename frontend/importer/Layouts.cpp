// The `order` of elements: 'C' counts through the last axis first, 'F' through the first one. What is in F order is in
// C order with its axes reversed, so there is no layout but C in the dialect: NumPy's `a.reshape(s, order='F')` is
// `a.T.reshape(s[::-1]).T`, views and copies alike.
//
// 'A' and 'K' depend on how an array lies in memory. That is known here of what is C-contiguous in NumPy for sure, and
// of its transpose.
#include "dialects/Np/Values.h"
#include "frontend/importer/ControlFlow.h"
#include "frontend/importer/Known.h"

using namespace mlir;

namespace npcc::frontend {

namespace {
/// All of the source, with its axes in reverse.
bool isTransposition(np::ViewOp view) {
  int64_t rank = np::getRank(view.getSource().getType());
  return rank > 1 && llvm::equal(view.getAxes(), llvm::reverse(llvm::seq<int64_t>(0, rank))) &&
         llvm::all_of(view.getSteps(), [](Value step) { return matchPattern(step, m_One()); });
}

/// How NumPy's array lies in memory.
struct Layout {
  /// C: the strides fall from axis to axis. Turned: they rise, as those of the transpose of such an array.
  enum Order { Unknown, C, Turned } order = Unknown;
  /// There is nothing between the elements, as there is in a slice.
  bool isContiguous = true;
};

/// One question: what is known of a value is kept, since many values may be computed of it.
class Layouts {
public:
  Layout of(Value value) {
    auto known = found.find(value);
    if (known != found.end())
      return known->second;
    if (++asked > most)
      return {};
    Layout layout = compute(value);
    found[value] = layout;
    return layout;
  }

  /// Collects the arrays that an elementwise result lies in memory like, where that shows at run time only. False if it
  /// lies in C order.
  bool collectArrays(Value value, bool isTurned, SmallVectorImpl<std::pair<Value, bool>> &arrays);

private:
  Layout ofAll(ValueRange operands);
  Layout compute(Value value);

  /// More values than these are not asked: the answer would cost more than it is worth.
  static constexpr int most = 256;
  int asked = 0;
  llvm::DenseMap<Value, Layout> found;
};

/// Elementwise functions give arrays that lie as their operands do; where these lie differently, those in C order
/// decide. Where some are transposed, others of fewer axes or with axes that may be stretched may decide some axes
/// only.
Layout Layouts::ofAll(ValueRange operands) {
  bool anyTurned = false, anyC = false, mayStretch = false;
  size_t rank = 0;
  for (Value operand : operands) {
    ArrayRef<int64_t> shape = np::getShape(operand.getType());
    if (shape.size() < 2)
      continue;
    Layout layout = of(operand);
    if (layout.order == Layout::Unknown)
      return {};
    (layout.order == Layout::C ? anyC : anyTurned) = true;
    mayStretch |= (rank && shape.size() != rank) || (operands.size() > 1 && llvm::is_contained(shape, 1));
    rank = shape.size();
  }
  if (!anyTurned)
    return {Layout::C};
  return {mayStretch ? Layout::Unknown : anyC ? Layout::C : Layout::Turned};
}

Layout Layouts::compute(Value value) {
  if (np::getRank(value.getType()) < 2)
    return {Layout::C};
  auto array = dyn_cast<np::ArrayType>(value.getType());
  Operation *producer = value.getDefiningOp();
  if (!producer) // an argument: the fast version knows that it is contiguous
    return {array && array.getContiguous() ? Layout::C : Layout::Unknown};
  if (auto view = dyn_cast<np::ViewOp>(producer)) {
    Layout source = of(view.getSource());
    if (array && array.getContiguous())
      return source;
    if (source.order == Layout::Unknown)
      return source;
    if (isTransposition(view))
      return {source.order == Layout::C ? Layout::Turned : Layout::C, source.isContiguous};
    // Axes that do not move in the source have no say.
    SmallVector<int64_t> moving(view.getAxes());
    llvm::erase(moving, -1);
    bool isSlice = llvm::is_sorted(moving, std::less_equal<>()) &&
                   (source.order == Layout::C || moving.size() == view.getAxes().size());
    return {isSlice ? source.order : Layout::Unknown, false};
  }
  if (auto made = dyn_cast<np::NewOp>(producer); made && made.getInThisOrder())
    return {Layout::C};
  if (isa<np::EmptyOp, np::FullOp, np::ArangeOp>(producer))
    return {Layout::C};
  if (isa<np::NewOp, np::UfuncOp, np::CastOp>(producer))
    return ofAll(producer->getOperands());
  if (isa<np::LoadOp>(producer)) // the array's own elements
    return of(producer->getOperand(0));
  if (auto part = dyn_cast<np::PartOp>(producer); part && part.getKind() == np::PartKind::read_only)
    return of(part.getSource());
  if (isa<np::BroadcastOp>(producer))
    return {of(producer->getOperand(0)).order == Layout::C ? Layout::C : Layout::Unknown, false};
  if (isa<np::ReshapeOp>(producer))
    return {of(producer->getOperand(0)).order == Layout::C ? Layout::C : Layout::Unknown};
  return {};
}

Layout layoutOf(Value value) { return Layouts().of(value); }
} // namespace

bool Layouts::collectArrays(Value value, bool isTurned, SmallVectorImpl<std::pair<Value, bool>> &arrays) {
  if (np::getRank(value.getType()) < 2)
    return true;
  if (Layout known = of(value); known.order != Layout::Unknown)
    return (known.order == Layout::Turned) != isTurned;
  Operation *producer = value.getDefiningOp();
  if (isa_and_nonnull<np::NewOp, np::UfuncOp, np::CastOp>(producer)) {
    int64_t rank = np::getRank(value.getType());
    return llvm::all_of(producer->getOperands(), [&](Value operand) {
      // One of fewer axes decides some axes only.
      int64_t own = np::getRank(operand.getType());
      return own < 2 || (own == rank && collectArrays(operand, isTurned, arrays));
    });
  }
  if (isa_and_nonnull<np::LoadOp>(producer))
    return collectArrays(producer->getOperand(0), isTurned, arrays);
  if (auto type = dyn_cast<np::ArrayType>(value.getType())) {
    arrays.emplace_back(value, isTurned);
    return !type.getContiguous() && arrays.size() < 8;
  }
  auto view = dyn_cast_if_present<np::ViewOp>(producer);
  return view && isTransposition(view) && collectArrays(view.getSource(), !isTurned, arrays);
}

Value isTransposedInNumpy(NpBuilder &ir, Value array) {
  Layouts layouts;
  if (Layout known = layouts.of(array); known.order != Layout::Unknown)
    return known.order == Layout::Turned ? ir.boolean(true) : Value();
  SmallVector<std::pair<Value, bool>> like;
  if (!layouts.collectArrays(array, /*isTurned=*/false, like) || like.empty())
    return {};
  Value result = ir.boolean(true), zero = ir.index(0);
  for (auto [one, isTurned] : like) {
    SmallVector<Value> sizes; // of steps, whatever their direction
    for (int64_t axis = 0; axis < np::getRank(one.getType()); ++axis) {
      Value stride = np::StrideOp::create(ir, ir.getIndexType(), one, axis);
      sizes.push_back(ir.createOrFold<arith::MaxSIOp>(stride, ir.createOrFold<arith::SubIOp>(zero, stride)));
    }
    // Strides rise along the axes; in what is transposed behind it they fall.
    for (size_t axis = 1; axis < sizes.size(); ++axis)
      result = ir.createOrFold<arith::AndIOp>(
          result, ir.compareIndex(isTurned ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt, sizes[axis - 1],
                                  sizes[axis]));
  }
  return result;
}

std::optional<Order> asOrder(Interpreter &in, const PyValue &value, Order otherwise) {
  if (value.isNone())
    return otherwise;
  if (value.isPoison())
    return std::nullopt;
  std::string text = value.isObject() && PyUnicode_Check(value.object().get()) ? py::text(value.object()) : "";
  StringRef names = "CFAK";
  size_t known = text.size() == 1 ? names.find(llvm::toUpper(text[0])) : StringRef::npos;
  if (known != StringRef::npos)
    return static_cast<Order>(known);
  if (value.isObject())
    in.fail(text.empty() ? "TypeError: order must be str, not " + py::typeName(value.object())
                         : "ValueError: order must be one of 'C', 'F', 'A', or 'K' (got '" + text + "')");
  else
    in.fail("the order must be known at compile time");
  return std::nullopt;
}

std::optional<bool> isFortranOrder(Interpreter &in, const PyValue &value, Value source, bool isReshape) {
  std::optional<Order> order = asOrder(in, value, Order::C);
  if (!order)
    return std::nullopt;
  if (isReshape && *order == Order::K) {
    in.fail("ValueError: order 'K' is not permitted for reshaping");
    return std::nullopt;
  }
  // Of one axis the elements have one order.
  if (*order == Order::C || *order == Order::F)
    return *order == Order::F;
  Layout layout = layoutOf(source);
  bool isTurned = layout.order == Layout::Turned;
  // A slice of a transpose may be all of it, and is then an array in F order for 'A'.
  if (layout.order == Layout::Unknown || (isTurned && !layout.isContiguous && *order == Order::A)) {
    in.fail("how the elements of this array lie in memory is not known at compile time, so order='" +
                Twine(*order == Order::A ? "A" : "K") + "' cannot be compiled",
            "say order='C' or order='F'");
    in.diagnostics.back().isOfArrays = true; // Python would be given an array that lies in another way
    return std::nullopt;
  }
  return isTurned;
}

/// An i1: whether 'A' or 'K' means F order for an array, as the call has it. Null where that cannot be asked.
static Value isFortranInCall(Interpreter &in, Value source, Order order) {
  if (auto load = source.getDefiningOp<np::LoadOp>())
    source = load->getOperand(0);
  int64_t rank = np::getRank(source.getType());
  if (order == Order::K || !isa<np::ArrayType>(source.getType())) // more axes may lie in any order
    return rank == 2 ? isTransposedInNumpy(in.ir, source) : Value();
  auto isContiguous = [&](np::ElementOrder wanted) -> Value {
    return np::IsContiguousOp::create(in.ir, in.ir.getI1Type(), wanted, source);
  };
  Value isInCOrder = isContiguous(np::ElementOrder::C); // as an array of one column is, too
  return in.ir.createOrFold<arith::SelectOp>(isInCOrder, in.ir.boolean(false), isContiguous(np::ElementOrder::F));
}

PyValue inOrderOf(Interpreter &in, const PyValue &value, Value source, bool isReshape,
                  llvm::function_ref<PyValue(bool)> make) {
  std::optional<Order> order = asOrder(in, value, Order::C);
  if (!order)
    return PyValue::poison();
  bool isOfMemory = *order == Order::A || (*order == Order::K && !isReshape);
  Layout layout = isOfMemory ? layoutOf(source) : Layout{Layout::C};
  bool isTurned = layout.order == Layout::Turned;
  // A slice of a transpose may be all of it. An array that is both C- and F-contiguous is reshaped in C order.
  bool isAsked =
      layout.order == Layout::Unknown || (isTurned && *order == Order::A && (isReshape || !layout.isContiguous));
  if (isAsked)
    if (Value isFortran = isFortranInCall(in, source, *order))
      return choose(in, PyValue::runtime(isFortran), [&] { return make(true); }, [&] { return make(false); });
  std::optional<bool> isFortran = isFortranOrder(in, value, source, isReshape);
  return isFortran ? make(*isFortran) : PyValue::poison();
}

/// As NumPy counts them, for whom an axis without elements has one.
static SmallVector<Value> contiguousStrides(Interpreter &in, Value array) {
  SmallVector<Value> extents = in.ir.dims(array), strides(extents.size());
  Value stride = in.ir.index(1);
  for (size_t axis = extents.size(); axis-- > 0;) {
    strides[axis] = stride;
    Value count = in.ir.createOrFold<arith::MaxSIOp>(extents[axis], in.ir.index(1));
    stride = in.ir.createOrFold<arith::MulIOp>(stride, count);
  }
  return strides;
}

namespace {
using MaybePlacement = std::optional<Placement>;

/// `ofOthers` places an array whose layout the importer does not know.
MaybePlacement place(Interpreter &in, Value array, llvm::function_ref<MaybePlacement(Value)> ofOthers) {
  auto type = dyn_cast<np::ArrayType>(array.getType());
  auto multiply = [&](Value a, Value b) { return in.ir.createOrFold<arith::MulIOp>(a, b); };
  if (auto view = array.getDefiningOp<np::ViewOp>()) {
    MaybePlacement source = place(in, view.getSource(), ofOthers);
    if (!source)
      return std::nullopt;
    Placement result{source->root, source->offset, {}};
    for (auto [offset, stride] : llvm::zip(view.getOffsets(), source->strides))
      result.offset = in.ir.createOrFold<arith::AddIOp>(result.offset, multiply(offset, stride));
    for (auto [axis, step] : llvm::zip(view.getAxes(), view.getSteps()))
      result.strides.push_back(axis < 0 ? in.ir.index(0) : multiply(step, source->strides[axis]));
    return result;
  }
  if (auto part = array.getDefiningOp<np::PartOp>()) {
    np::PartKind kind = part.getKind();
    if (kind == np::PartKind::line)
      return Placement{array, in.ir.index(0), {in.ir.index(1)}};
    if (kind == np::PartKind::diagonal || kind == np::PartKind::read_only) {
      MaybePlacement source = place(in, part.getSource(), ofOthers);
      if (source && kind == np::PartKind::diagonal) {
        Value columns = source->strides.pop_back_val();
        source->strides.back() = in.ir.createOrFold<arith::AddIOp>(source->strides.back(), columns);
      }
      return source;
    }
  }
  if (type && !type.getContiguous())
    return ofOthers(array);
  return Placement{array, in.ir.index(0), contiguousStrides(in, array)};
}
} // namespace

std::optional<Placement> placementOf(Interpreter &in, Value array) {
  return place(in, array, [](Value) { return MaybePlacement(); });
}

Placement placementInMemory(Interpreter &in, Value array) {
  return *place(in, array, [&](Value other) -> MaybePlacement {
    Value zero = in.ir.index(0), one = in.ir.index(1), isEmpty = in.ir.boolean(false);
    Placement result{Value(), zero, {}};
    Value length = one; // with what lies before and behind the first element
    for (auto [axis, extent] : llvm::enumerate(in.ir.dims(other))) {
      Value stride = np::StrideOp::create(in.ir, in.ir.getIndexType(), other, axis);
      Value last = in.ir.createOrFold<arith::MaxSIOp>(in.ir.createOrFold<arith::SubIOp>(extent, one), zero);
      Value way = in.ir.createOrFold<arith::MulIOp>(last, stride);
      Value before = in.ir.createOrFold<arith::MinSIOp>(way, zero);
      length = in.ir.createOrFold<arith::AddIOp>(
          length, in.ir.createOrFold<arith::SubIOp>(in.ir.createOrFold<arith::MaxSIOp>(way, zero), before));
      result.offset = in.ir.createOrFold<arith::SubIOp>(result.offset, before);
      isEmpty = in.ir.createOrFold<arith::OrIOp>(isEmpty, in.ir.compareIndex(arith::CmpIPredicate::eq, extent, zero));
      result.strides.push_back(stride);
    }
    length = in.ir.createOrFold<arith::SelectOp>(isEmpty, zero, length);
    auto type = np::ArrayType::get(other.getContext(), {ShapedType::kDynamic}, np::getElementType(other.getType()),
                                   /*contiguous=*/false);
    result.root = np::PartOp::create(in.ir, type, np::PartKind::line, other, ValueRange{length});
    return result;
  });
}

Value newArrayIn(Interpreter &in, Value value, bool isFortran) {
  Value array = in.ir.newArray(isFortran ? in.ir.turned(value) : value);
  array.getDefiningOp<np::NewOp>().setInThisOrder(true);
  return isFortran ? in.ir.turned(array) : array;
}

std::optional<bool> isFortranLike(Interpreter &in, const PyValue &value, Value prototype, Order otherwise) {
  std::optional<Order> order = asOrder(in, value, otherwise);
  if (!order)
    return std::nullopt;
  if (*order == Order::C || *order == Order::F)
    return *order == Order::F;
  Layout layout = layoutOf(prototype);
  bool isTurned = layout.order == Layout::Turned;
  if (*order == Order::A && (layout.order == Layout::Unknown || (isTurned && !layout.isContiguous))) {
    isFortranOrder(in, value, prototype, /*isReshape=*/false); // says why not
    return std::nullopt;
  }
  // 'K', which nobody has to say, keeps a layout that is known; an array of another one is given that of C.
  return isTurned;
}

} // namespace npcc::frontend
