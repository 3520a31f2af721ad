// npcc-fuse-epilogues: a GPU's library for products can do something to each element of a product before it stores it:
// a factor, an addend, a bias and relu. What the program does of that to a product's result goes to the library, so
// that the result is not written, read and written once more, and a kernel less is launched:
//
//   %p = np.matmul %a, %b
//   %v = np.broadcast %bias extents [%m, %n]                     %x = np.matmul %a, %b bias %bias activation "relu"
//   %s = np.ufunc "add" (%p, %v)                           ->
//   %x = np.ufunc "maximum" (%s, 0.0)
//
// From the product on, one function after the other is taken, as long as it is the only reader of what came before it.
// The rest stays a kernel. The library rounds once where NumPy rounds after each function.
//
// An addend is left to a kernel that reads the sum anyway: it reads the addend, too, for less than what that costs the
// library (on an H100, of 4096 x 4096 float32: 20 us more, not 34).
//
// A factor of one of the matrices is one of the product, too: lr * x.T @ d needs no matrix lr * x.T.
//
// A product of a stack with one matrix (`x @ w` of a batch of sequences, np.tensordot) is one of all its rows, whose
// result is given the stack's axes behind it. What follows is the library's all the same: an addend is read by the
// product's rows, and a bias along the last axis is one of its columns. The axes come back behind the epilogue.
//
// On the host a loop behind the product does all of that, but for one thing: what adds a product to an array, `c += a @
// b` or `c -= a @ b`, needs no array for the product where the library adds to `c` itself.
#include "compiler/memory/Extents.h"
#include "compiler/memory/Region.h"
#include "compiler/np/Passes.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_FUSEEPILOGUES
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// What cuBLASLt computes beside a product without taking longer (measured on an H100). In float64 an addend takes
/// longer than a kernel of its own, and a bias twice the time of the product; complex numbers have no epilogues but
/// factors.
bool takesFactor(Type element) { return element.isF32() || element.isF64(); }
bool takesMore(Type element) { return element.isF32() || element.isF16() || element.isBF16(); }

/// Whether the host has the number without waiting for the device: constants, parameters, and what is computed of them.
bool isHostNumber(Value number) {
  Operation *op = number.getDefiningOp();
  if (!op)
    return isa<func::FuncOp>(number.getParentBlock()->getParentOp());
  return op->getNumRegions() == 0 && !isa<ItemOp>(op) && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return !isa<RankedTensorType, ArrayType>(operand.getType()) && isHostNumber(operand);
         });
}

/// A value that is in memory whether or not a product takes it: a product's result, what is loaded, and a view of that
/// if the array still holds it.
bool isInMemory(Value value, Operation *reader) {
  if (auto view = value.getDefiningOp<ViewOp>()) {
    auto load = view.getSource().getDefiningOp<LoadOp>();
    return load && leaveArrays(load, reader);
  }
  return isa_and_nonnull<LoadOp, MatmulOp>(value.getDefiningOp());
}
/// It, loaded from a view of the array if it is a view.
Value emitLoaded(OpBuilder &builder, Value value) {
  auto view = value.getDefiningOp<ViewOp>();
  if (!view)
    return value;
  auto type = ArrayType::get(view.getContext(), getShape(view.getType()), getElementType(view.getType()),
                             /*contiguous=*/false);
  Value part = ViewOp::create(builder, view.getLoc(), type, view.getSource().getDefiningOp<LoadOp>().getArray(),
                              view.getOffsets(), view.getAxes(), view.getExtents(), view.getSteps());
  return LoadOp::create(builder, view.getLoc(), part);
}

class Epilogue {
public:
  Epilogue(MatmulOp product, bool isOnHost, ExtentOrigins &origins)
      : product(product), element(getElementType(product.getType())), isOnHost(isOnHost), origins(origins) {}

  void fuse() {
    if (getRank(product.getType()) != 2 ||
        (isOnHost ? !takesFactor(element) : !takesFactor(element) && !takesMore(element)))
      return;
    takeChain();
    if (!isOnHost && addend && isReadByOneKernel(chain.back()->getResult(0))) {
      leavesAddend = true;
      takeChain();
    }
    takeScales();
    if (isOnHost ? addsToStored() : chain.size() > 1 || !scales.empty())
      replace();
  }

private:
  /// From the product on, what the library can do.
  void takeChain() {
    chain.assign(1, product);
    alpha = addend = beta = bias = Value();
    alphaSign = betaSign = 1;
    activation.reset();
    reshape = ReshapeOp();
    for (;;) {
      SmallVector<Operation *> moves = getMoves();
      Operation *last = moves.empty() ? chain.back() : moves.back();
      auto user = dyn_cast_if_present<UfuncOp>(getOnlyReader(last));
      ReshapeOp before = reshape;
      for (Operation *move : moves)
        if (auto other = dyn_cast<ReshapeOp>(move))
          reshape = other;
      if (!user || user.getType() != last->getResult(0).getType() || !take(user, last->getResult(0))) {
        reshape = before;
        return;
      }
      chain.append(moves);
      chain.push_back(user);
    }
  }

  /// What gives the product's rows the axes of a stack, and what stretches it to the extents that it has, up to the
  /// next function.
  SmallVector<Operation *> getMoves() {
    SmallVector<Operation *> moves;
    for (Operation *next = getOnlyReader(chain.back()); next; next = getOnlyReader(next)) {
      bool isReshape = isa<ReshapeOp>(next) && !isOnHost && moves.empty() && chain.size() == 1;
      auto broadcast = dyn_cast<BroadcastOp>(next);
      if (!isReshape && !(broadcast && stretchesNothing(broadcast)))
        break;
      moves.push_back(next);
    }
    return moves;
  }

  bool stretchesNothing(BroadcastOp op) {
    return op.getType() == op.getSource().getType() && llvm::all_of(llvm::enumerate(op.getExtents()), [&](auto extent) {
             return origins.ofIndex(extent.value()) == origins.of(op.getSource(), extent.index());
           });
  }

  /// The value that this one is, through stretches to the extents that it has, and views of all of it.
  Value getWhole(Value value) {
    for (;;) {
      if (auto broadcast = value.getDefiningOp<BroadcastOp>(); broadcast && stretchesNothing(broadcast))
        value = broadcast.getSource();
      else if (auto view = value.getDefiningOp<ViewOp>(); view && isViewOfAll(view))
        value = view.getSource();
      else
        return value;
    }
  }

  bool isViewOfAll(ViewOp view) {
    return view.getResult().getType() == view.getSource().getType() &&
           llvm::all_of(llvm::enumerate(view.getAxes()), [&](auto axis) {
             int64_t k = axis.index();
             return axis.value() == k && matchPattern(view.getOffsets()[k], m_Zero()) &&
                    matchPattern(view.getSteps()[k], m_One()) &&
                    origins.ofIndex(view.getExtents()[k]) == origins.of(view.getSource(), k);
           });
  }

  /// Whether functions, one kernel at most, make one result of the value: an array, or a reduction.
  static bool isReadByOneKernel(Value value) {
    auto isFunction = [](Operation *op) { return isa<UfuncOp, CastOp>(op); };
    if (llvm::any_of(value.getUsers(), [&](Operation *user) { return !isFunction(user) && !isa<ReduceOp>(user); }))
      return false;
    llvm::SetVector<Operation *> readers(value.user_begin(), value.user_end());
    Operation *last = nullptr;
    for (size_t k = 0; k < readers.size(); ++k) {
      if (isFunction(readers[k]))
        readers.insert(readers[k]->user_begin(), readers[k]->user_end());
      else if (std::exchange(last, readers[k]))
        return false;
    }
    return isa_and_nonnull<ReduceOp, NewOp, StoreOp>(last);
  }

  /// Whether the result is stored where the addend was loaded from, an array that the product does not read.
  bool addsToStored() {
    auto load = addend ? addend.getDefiningOp<LoadOp>() : LoadOp();
    Value result = chain.back()->getResult(0);
    auto store = result.hasOneUse() ? dyn_cast<StoreOp>(*result.user_begin()) : StoreOp();
    if (!load || !store || bias || activation || store->getBlock() != product->getBlock())
      return false;
    Value array = store.getArray();
    bool general = product->getParentOfType<func::FuncOp>()->hasAttr("np.general");
    return isSameRegion(load.getArray(), array) && llvm::none_of(matrices, [&](Value factor) {
             auto read = factor.getDefiningOp<LoadOp>();
             return read && mayOverlap(read.getArray(), array, general);
           });
  }

  /// The only reader of what the operation gives, if nothing between the two changes arrays; null if there is none.
  Operation *getOnlyReader(Operation *maker) {
    Value value = maker->getResult(0);
    Operation *user = value.hasOneUse() ? *value.user_begin() : nullptr;
    return user && user->getBlock() == product->getBlock() && leaveArrays(maker, user) ? user : nullptr;
  }

  bool take(UfuncOp user, Value value) {
    OperandRange inputs = user.getInputs();
    if (activation)
      return false;
    if (inputs.size() == 1)
      return user.getName() == Ufunc::negative && takeFactor(Value(), -1);
    if (inputs.size() != 2)
      return false;
    bool isFirst = inputs[0] == value;
    Value other = inputs[isFirst ? 1 : 0];
    switch (user.getName()) {
    case Ufunc::multiply:
      return isNumber(other) && takeFactor(other, 1);
    case Ufunc::add:
      return takeBias(other, user) || takeAddend(other, user, 1);
    case Ufunc::subtract:
      return isFirst ? takeAddend(other, user, -1) : takeAddend(other, user, 1, /*negates=*/true);
    case Ufunc::maximum:
      return takeRelu(other);
    default:
      return false;
    }
  }

  /// Factors of the two matrices, where nothing else reads the scaled ones.
  void takeScales() {
    for (int side : {0, 1}) {
      auto scale = matrices[side].getDefiningOp<UfuncOp>();
      if (!scale || scale.getName() != Ufunc::multiply || !scale->hasOneUse() ||
          scale.getType() != matrices[side].getType())
        continue;
      for (int k : {0, 1})
        if (Value matrix = scale.getInputs()[1 - k];
            isNumber(scale.getInputs()[k]) && matrix.getType() == matrices[side].getType()) {
          scales.push_back(scale.getInputs()[k]);
          matrices[side] = matrix;
          break;
        }
    }
  }

  bool isNumber(Value value) const { return value.getType() == element && takesFactor(element) && isHostNumber(value); }

  bool takeFactor(Value number, double sign) {
    if (!takesFactor(element) || alpha || addend || bias || alphaSign != 1)
      return false;
    alpha = number;
    alphaSign = sign;
    return true;
  }

  /// `negates`: the product is subtracted from the addend.
  bool takeAddend(Value value, Operation *reader, double sign, bool negates = false) {
    if (!takesAddend() || leavesAddend || addend || (negates && (alpha || alphaSign != 1 || bias)))
      return false;
    Value factor;
    if (auto scale = value.getDefiningOp<UfuncOp>(); scale && scale.getName() == Ufunc::multiply && value.hasOneUse())
      for (int k : {0, 1})
        if (isNumber(scale.getInputs()[k]) && isInMemory(scale.getInputs()[1 - k], reader)) {
          factor = scale.getInputs()[k];
          value = scale.getInputs()[1 - k];
          break;
        }
    if (reshape ? !(value = getRows(value, reader)) : !isInMemory(value, reader) || getRank(value.getType()) != 2)
      return false;
    if (value == product.getResult() || (!reshape && value.getType() != product.getType()))
      return false;
    addend = value;
    beta = factor;
    betaSign = sign;
    if (negates)
      alphaSign = -1;
    return true;
  }

  /// What gives the addend's elements by the product's rows: a contiguous array's load, or another product that the
  /// same axes are given to; null for others.
  Value getRows(Value value, Operation *reader) {
    value = getWhole(value);
    if (value.getType() != reshape.getType())
      return {};
    if (auto other = value.getDefiningOp<ReshapeOp>()) {
      auto rows = other.getSource().getDefiningOp<MatmulOp>();
      return rows && rows.getType() == product.getType() && origins.of(rows, 1) == origins.of(product, 1) ? rows
                                                                                                          : Value();
    }
    auto load = value.getDefiningOp<LoadOp>();
    return load && cast<ArrayType>(load.getArray().getType()).getContiguous() && leaveArrays(load, reader) ? value
                                                                                                           : Value();
  }

  /// A BLAS adds to its result.
  bool takesAddend() const { return isOnHost ? takesFactor(element) : takesMore(element); }

  bool takeBias(Value value, Operation *reader) {
    auto broadcast = value.getDefiningOp<BroadcastOp>();
    if (!takesMore(element) || bias || !broadcast)
      return false;
    Value row = broadcast.getSource();
    ArrayRef<int64_t> shape = getShape(row.getType());
    if (shape.empty() || shape.back() == 1 || row.getDefiningOp<MatmulOp>())
      return false;
    // An axis of extent 1 is one that is stretched: where the product's is as long, nothing says which of the two.
    bool isRow = shape.size() == 1 || (llvm::all_of(shape.drop_back(), [](int64_t extent) { return extent == 1; }) &&
                                       getShape(product.getType())[0] != 1);
    if (!isRow || (reshape && origins.ofIndex(reshape.getExtents().back()) != origins.of(product, 1)))
      return false;
    bias = row; // where it is computed, that takes a kernel for a row, and not for all of them
    isBiasLoaded = isInMemory(row, reader);
    return true;
  }

  bool takeRelu(Value other) {
    if (!takesMore(element) || other.getType() != element || !matchPattern(other, m_AnyZeroFloat()))
      return false;
    activation = Activation::relu;
    return true;
  }

  void replace() {
    OpBuilder builder(chain.back());
    Location loc = chain.back()->getLoc();
    auto factor = [&](Value number, double sign) -> Value {
      if (!number)
        return sign == 1 ? Value() : arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(sign)).getResult();
      if (!number.getType().isF64())
        number = builder.createOrFold<arith::ExtFOp>(loc, builder.getF64Type(), number);
      return sign == 1 ? number : builder.createOrFold<arith::NegFOp>(loc, number);
    };
    Value scaled = factor(alpha, alphaSign);
    for (Value scale : scales)
      scaled = scaled ? builder.createOrFold<arith::MulFOp>(loc, scaled, factor(scale, 1)) : factor(scale, 1);
    auto fused = MatmulOp::create(
        builder, loc, product.getType(), matrices[0], matrices[1], scaled, addend ? emitAddend(builder) : Value(),
        factor(beta, betaSign), bias ? emitBias(builder) : Value(),
        activation ? builder.getStringAttr(stringifyActivation(*activation)) : StringAttr(), product.getTf32());
    Value result = fused;
    if (reshape)
      result = ReshapeOp::create(builder, reshape.getLoc(), reshape.getType(), fused, reshape.getExtents());
    chain.back()->getResult(0).replaceAllUsesWith(result);
    for (Operation *op : llvm::reverse(chain))
      op->erase();
    origins.forget();
  }

  Value emitAddend(OpBuilder &builder) {
    auto load = addend.getDefiningOp<LoadOp>();
    if (!reshape || !load)
      return emitLoaded(builder, addend);
    Location loc = addend.getLoc();
    auto type = ArrayType::get(addend.getContext(), getShape(product.getType()), element, /*contiguous=*/true);
    Value rows = ReshapeOp::create(builder, loc, type, load.getArray(), getExtents(builder, loc, product));
    return LoadOp::create(builder, loc, rows);
  }

  /// The bias without its axes of extent 1.
  Value emitBias(OpBuilder &builder) {
    Value row = isBiasLoaded ? emitLoaded(builder, bias) : bias;
    if (getRank(row.getType()) == 1)
      return row;
    Location loc = row.getLoc();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    int64_t last = getRank(row.getType()) - 1;
    Value extent = getExtents(builder, loc, row)[last];
    Type type = RankedTensorType::get({getShape(row.getType())[last]}, getElementType(row.getType()));
    Value vector = ViewOp::create(builder, loc, type, row, SmallVector<Value>(last + 1, zero), ArrayRef<int64_t>{last},
                                  ValueRange{extent}, ValueRange{one});
    return isBiasLoaded ? emitLoaded(builder, vector) : vector;
  }

  MatmulOp product;
  Value matrices[2]{product.getLhs(), product.getRhs()};
  SmallVector<Value> scales; // of the matrices
  Type element;
  bool isOnHost;
  ExtentOrigins &origins;
  SmallVector<Operation *> chain{product}; // the product, and the functions that its result goes through
  ReshapeOp reshape;                       // which gives its rows the axes of a stack
  Value alpha, addend, beta, bias;         // no alpha or beta: 1
  double alphaSign = 1, betaSign = 1;
  bool isBiasLoaded = false, leavesAddend = false;
  std::optional<Activation> activation;
};

struct FuseEpilogues : impl::FuseEpiloguesBase<FuseEpilogues> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return;
    bool isOnHost = getTargetProperties(getOperation()).hostSharesMemory;
    SmallVector<MatmulOp> products;
    getOperation()->walk([&](MatmulOp product) { products.push_back(product); });
    ExtentOrigins origins(getOperation());
    for (MatmulOp product : products)
      Epilogue(product, isOnHost, origins).fuse();
  }
};
} // namespace
} // namespace npcc
