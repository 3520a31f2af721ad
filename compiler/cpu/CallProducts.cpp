// npcc-call-products: a large matrix times a vector, both in memory, is a call of the library; what the kernel does
// with the sums stays a kernel.
//
//   np.kernel rows (%i) = (%n) {                          np.alternatives %isLarge {
//     %s = scf.parallel (%k) ... {                          %y = np.alloc(%n, 1)
//       %u = load %a[%i, %k]                                np.call_matmul %a, %x into %y
//       %v = load %x[%k]                          ->        np.kernel map (%i) = (%n) {
//       reduce add (mulf %u, %v) }                            %s = load %y[%i, 0]
//     store (addf %s, %b), %out[%i]                           store (addf %s, %b), %out[%i] }
//   }                                                       np.release %y
//                                                         } or { np.kernel rows ... }
//
// A library goes through several rows of the matrix at once, so that it loads the vector once for all of them, and
// reads memory from several places. It costs one more array, of one element for each row, unless the sums themselves
// are what is stored; a vector that the loop computes (`a.T @ (y - b)`) is stored before. Where a row is a column of
// what lies in memory, it is the same call. Matrices whose elements lie side by side along neither axis are left alone,
// because a library wants a copy of them, and so are kernels with other sums in the loop, which would read the matrix
// once more. Only sums that a program writes as products (`np.product`) may be added up in a library's order.
#include "compiler/cpu/CpuPasses.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_CALLPRODUCTS
#include "compiler/cpu/Passes.h.inc"
} // namespace npcc

namespace {

/// An array in memory, read or written at positions that go up in steps with those of loops.
class SteppedAccess {
public:
  SteppedAccess(Location loc, Value memory, ValueRange indices, np::KernelOp kernel)
      : loc(loc), memory(cast<TypedValue<MemRefType>>(memory)) {
    for (Value index : indices)
      forms.push_back(getLinearForm(index, kernel));
    isStepped = isInvariant(memory, kernel);
    for (const LinearForm &form : forms)
      for (const Term &term : form.terms) {
        bool isOutside = isInvariant(term.leaf, kernel);
        isStepped &= term.leaf.getType().isIndex() && !term.isSwitch() && (isOutside || isLoopPosition(term.leaf));
        if (!isOutside)
          positions.insert(term.leaf);
      }
  }

  /// Whether it moves with all of these, and with nothing else.
  bool movesWith(ArrayRef<Value> all) const {
    return isStepped && positions.size() == all.size() &&
           llvm::all_of(all, [&](Value position) { return positions.contains(position); });
  }

  /// How far apart neighbours along a position are, in elements.
  Value emitStride(OpBuilder &builder, Value position) {
    return emitSum(builder, [&](const LinearForm &form, Value stride) {
      Value sum;
      for (const Term &term : form.terms)
        if (term.leaf == position)
          sum = add(builder, sum, emitFactor(builder, term, stride));
      return sum;
    });
  }

  /// The elements along these positions, with 1 more axis of one element where there is only one.
  Value emitPart(OpBuilder &builder, ArrayRef<Value> along, ArrayRef<Value> sizes) {
    auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, memory);
    Value offset = add(builder, metadata.getOffset(), emitSum(builder, [&](const LinearForm &form, Value stride) {
                         Value sum =
                             form.constant ? multiply(builder, constant(builder, form.constant), stride) : Value();
                         for (const Term &term : form.terms)
                           if (!positions.contains(term.leaf))
                             sum = add(builder, sum, multiply(builder, term.leaf, emitFactor(builder, term, stride)));
                         return sum;
                       }));
    SmallVector<Value> extents(sizes), strides;
    for (Value position : along)
      strides.push_back(emitStride(builder, position));
    if (along.size() == 1) {
      extents.push_back(constant(builder, 1));
      strides.push_back(constant(builder, 1));
    }
    auto layout = StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic,
                                         SmallVector<int64_t>(2, ShapedType::kDynamic));
    auto type = MemRefType::get(SmallVector<int64_t>(2, ShapedType::kDynamic), getElement(), layout);
    return memref::ReinterpretCastOp::create(builder, loc, type, memory, offset, extents, strides);
  }

  Type getElement() { return memory.getType().getElementType(); }
  Value getMemory() { return memory; }

private:
  Value constant(OpBuilder &builder, int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value add(OpBuilder &builder, Value a, Value b) {
    return !a ? b : !b ? a : builder.createOrFold<arith::AddIOp>(loc, a, b);
  }
  Value multiply(OpBuilder &builder, Value a, Value b) { return builder.createOrFold<arith::MulIOp>(loc, a, b); }
  Value emitFactor(OpBuilder &builder, const Term &term, Value stride) {
    Value factor = term.scale ? multiply(builder, stride, term.scale) : stride;
    return term.factor == 1 ? factor : multiply(builder, factor, constant(builder, term.factor));
  }

  /// The sum over the axes of the memory; 0 where there is nothing to add.
  Value emitSum(OpBuilder &builder, llvm::function_ref<Value(const LinearForm &, Value stride)> each) {
    SmallVector<Value> strides = emitStrides(builder);
    Value sum;
    for (auto [form, stride] : llvm::zip_equal(forms, strides))
      sum = add(builder, sum, each(form, stride));
    return sum ? sum : constant(builder, 0);
  }

  /// Of the memory. Those of a contiguous one are what a first call knows: products of extents.
  SmallVector<Value> emitStrides(OpBuilder &builder) {
    int64_t rank = memory.getType().getRank();
    if (!memory.getType().getLayout().isIdentity())
      return llvm::to_vector_of<Value>(memref::ExtractStridedMetadataOp::create(builder, loc, memory).getStrides());
    SmallVector<Value> strides(rank);
    Value stride = constant(builder, 1);
    for (int64_t axis = rank; axis-- > 0;) {
      strides[axis] = stride;
      if (axis > 0)
        stride = multiply(builder, stride, builder.createOrFold<memref::DimOp>(loc, memory, axis));
    }
    return strides;
  }

  Location loc;
  TypedValue<MemRefType> memory;
  SmallVector<LinearForm> forms;
  llvm::SmallSetVector<Value, 2> positions; // of loops
  bool isStepped = false;
};

/// The product of a kernel: sums of elements of a matrix times those of a vector.
class Product {
public:
  Product(scf::ParallelOp sums, np::KernelOp kernel) : sums(sums), kernel(kernel), loc(sums.getLoc()) {}

  bool find(bool general) {
    if (!sums->hasAttr("np.product") || kernel.getNumLoops() != 1 || kernel.getCold() || sums.getNumLoops() != 1 ||
        sums.getNumResults() != 1 || !matchPattern(sums.getLowerBound()[0], m_Zero()) ||
        !matchPattern(sums.getStep()[0], m_One()) || !isInvariant(sums.getUpperBound()[0], kernel) ||
        !isZero(sums.getInitVals()[0]) || !isSum())
      return false;
    Operation *multiply = sums.getBody()->getTerminator()->getOperand(0).getDefiningOp();
    if (!isa_and_nonnull<arith::MulFOp, complex::MulOp>(multiply) || multiply->getBlock() != sums.getBody())
      return false;
    row = kernel.getInductionVars()[0];
    column = sums.getInductionVars()[0];
    Value other; // the factor that is not the matrix
    for (Value each : multiply->getOperands()) {
      auto load = each.getDefiningOp<memref::LoadOp>();
      if (!matrix && load && load->getBlock() == sums.getBody()) {
        SteppedAccess stepped(load.getLoc(), load.getMemRef(), load.getIndices(), kernel);
        if (stepped.movesWith({row, column})) {
          matrix.emplace(stepped);
          continue;
        }
      }
      if (other)
        return false;
      other = each;
    }
    // The call comes before anything that the kernel does.
    return matrix && hasOnlyProduct() && !mayWriteTo(kernel, matrix->getMemory(), general) &&
           findVector(other, general);
  }

  void call() {
    OpBuilder builder(kernel);
    auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
    Value rows = kernel.getExtents()[0], columns = sums.getUpperBound()[0];
    auto offer = np::AlternativesOp::create(builder, loc, TypeRange(), "a product by the library",
                                            emitIsLarge(builder, rows, columns));
    builder.setInsertionPointToStart(offer.getOfferedBlock());
    auto type = MemRefType::get({ShapedType::kDynamic, ShapedType::kDynamic}, matrix->getElement());
    auto makeArray = [&](Value length) -> Value {
      return np::AllocOp::create(builder, loc, type, ValueRange{length, index(1)});
    };
    Value computed = vector ? Value() : makeArray(columns);
    if (computed)
      emitVector(builder, computed);
    Value a = matrix->emitPart(builder, {row, column}, {rows, columns});
    Value x = computed ? computed : vector->emitPart(builder, {column}, {columns});
    std::optional<SteppedAccess> result = findResult();
    Value y = result ? result->emitPart(builder, {row}, {rows}) : makeArray(rows);
    np::CallMatmulOp::create(builder, loc, a, x, y, /*isUnsigned=*/false);
    if (computed)
      np::ReleaseOp::create(builder, loc, computed);
    if (!result)
      emitRest(builder, y);
    offer.setGeneral(kernel);
  }

private:
  /// A kernel that computes the vector.
  void emitVector(OpBuilder &builder, Value into) {
    OpBuilder::InsertionGuard guard(builder);
    auto made = np::KernelOp::create(builder, loc, ValueRange{sums.getUpperBound()[0]});
    made.setKind(np::KernelKind::map);
    builder.setInsertionPoint(made.getBody()->getTerminator());
    Value position = made.getInductionVars()[0], zero = arith::ConstantIndexOp::create(builder, loc, 0);
    IRMapping map;
    map.map(column, position);
    for (Operation &op : sums.getBody()->without_terminator())
      if (slice.contains(&op))
        builder.clone(op, map);
    memref::StoreOp::create(builder, loc, map.lookupOrDefault(factor), into, ValueRange{position, zero});
  }

  /// What the kernel does with the sums.
  void emitRest(OpBuilder &builder, Value y) {
    IRMapping map;
    auto rest = cast<np::KernelOp>(builder.clone(*kernel, map));
    rest.setKind(np::KernelKind::map);
    np::ReleaseOp::create(builder, loc, y);
    auto copy = cast<scf::ParallelOp>(map.lookup(sums.getOperation()));
    OpBuilder inside(copy);
    Value zero = arith::ConstantIndexOp::create(inside, loc, 0);
    Value sum = memref::LoadOp::create(inside, loc, y, ValueRange{rest.getInductionVars()[0], zero});
    copy.getResult(0).replaceAllUsesWith(sum);
    copy.erase();
  }

  /// An array along the loop's position, or what the loop computes of its position alone.
  bool findVector(Value value, bool general) {
    auto load = value.getDefiningOp<memref::LoadOp>();
    if (load && load->getBlock() == sums.getBody()) {
      SteppedAccess stepped(load.getLoc(), load.getMemRef(), load.getIndices(), kernel);
      if (stepped.movesWith({column})) {
        vector.emplace(stepped);
        return !mayWriteTo(kernel, stepped.getMemory(), general);
      }
    }
    factor = value;
    return isOfColumn(value, general);
  }

  /// Notes what computes the value, if that is the same for all rows.
  bool isOfColumn(Value value, bool general) {
    if (isInvariant(value, kernel) || value == column)
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != sums.getBody() || op->getNumRegions())
      return false;
    auto load = dyn_cast<memref::LoadOp>(op);
    bool isMovable = load ? isInvariant(load.getMemRef(), kernel) && !mayWriteTo(kernel, load.getMemRef(), general)
                          : isMemoryEffectFree(op);
    slice.insert(op);
    return isMovable && llvm::all_of(op->getOperands(), [&](Value operand) { return isOfColumn(operand, general); });
  }

  static bool isZero(Value value) {
    if (auto constant = value.getDefiningOp<complex::ConstantOp>())
      return llvm::all_of(constant.getValue(),
                          [](Attribute part) { return cast<FloatAttr>(part).getValue().isZero(); });
    return matchPattern(value, m_AnyZeroFloat());
  }

  bool isSum() {
    auto reduce = cast<scf::ReduceOp>(sums.getBody()->getTerminator());
    return isa<arith::AddFOp, complex::AddOp>(reduce.getReductions()[0].front().front());
  }

  /// Whether there is no other loop in the kernel, and nothing else in this one.
  bool hasOnlyProduct() {
    bool isOnly = !kernel.getBody()
                       ->walk([&](LoopLikeOpInterface loop) {
                         return loop == sums ? WalkResult::advance() : WalkResult::interrupt();
                       })
                       .wasInterrupted();
    return isOnly && llvm::all_of(sums.getBody()->without_terminator(),
                                  [](Operation &op) { return isa<memref::LoadOp>(op) || isMemoryEffectFree(&op); });
  }

  /// Where the sums go, if the kernel does nothing with them but store them: an array that is neither of the factors,
  /// as the kernel writes to none of them.
  std::optional<SteppedAccess> findResult() {
    std::optional<SteppedAccess> result;
    for (Operation &op : kernel.getBody()->without_terminator()) {
      auto store = dyn_cast<memref::StoreOp>(op);
      if (!store && (&op == sums || isMemoryEffectFree(&op)))
        continue;
      if (!store || result || store.getValue() != sums.getResult(0))
        return std::nullopt;
      result.emplace(store.getLoc(), store.getMemRef(), store.getIndices(), kernel);
    }
    return result && result->movesWith({row}) ? result : std::nullopt;
  }

  /// Large enough, and with elements side by side along one axis, so that a library takes it as it is.
  Value emitIsLarge(OpBuilder &builder, Value rows, Value columns) {
    auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) {
      return builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b);
    };
    auto both = [&](Value a, Value b) { return builder.createOrFold<arith::AndIOp>(loc, a, b); };
    auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
    Value along = matrix->emitStride(builder, column), across = matrix->emitStride(builder, row);
    auto isPlain = [&](Value near, Value far, Value extent) {
      return both(compare(arith::CmpIPredicate::eq, near, index(1)), compare(arith::CmpIPredicate::sge, far, extent));
    };
    Value size = builder.createOrFold<arith::MulIOp>(loc, rows, columns);
    const Tuning &tuning = getTargetProperties(kernel).tuning;
    Value isLarge = compare(arith::CmpIPredicate::sge, size, index(tuning.largeMatrix));
    for (Value side : {rows, columns})
      isLarge = both(isLarge, compare(arith::CmpIPredicate::sge, side, index(tuning.leastSide)));
    return both(isLarge,
                builder.createOrFold<arith::OrIOp>(loc, isPlain(along, across, columns), isPlain(across, along, rows)));
  }

  scf::ParallelOp sums;
  np::KernelOp kernel;
  Location loc;
  Value row, column;
  std::optional<SteppedAccess> matrix, vector;
  Value factor;                            // that is the vector, where that is no array
  llvm::SmallPtrSet<Operation *, 8> slice; // what computes it
};

struct CallProducts : npcc::impl::CallProductsBase<CallProducts> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return;
    SmallVector<np::KernelOp> kernels;
    getOperation().walk([&](np::KernelOp kernel) { kernels.push_back(kernel); });
    for (np::KernelOp kernel : kernels) {
      auto loops = kernel.getBody()->getOps<scf::ParallelOp>();
      if (!llvm::hasSingleElement(loops))
        continue;
      Product product(*loops.begin(), kernel);
      if (product.find(getOperation()->hasAttr("np.general")))
        product.call();
    }
  }
};
} // namespace
