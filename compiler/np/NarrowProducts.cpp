// npcc-narrow-products: products whose operands were narrow floats, or whose result becomes one, go to a library as
// what they are. Tensor cores multiply f16 and bf16 and sum in f32, which is what these casts say, and nobody has to
// write the wide operands to memory:
//
//   %x = np.cast %a : tensor<?x?xbf16> -> tensor<?x?xf32>
//   %y = np.cast %b : tensor<?x?xbf16> -> tensor<?x?xf32>                    %c = np.matmul %a, %b : tensor<?x?xbf16>,
//   tensor<?x?xbf16> %c = np.matmul %x, %y : tensor<?x?xf32>, ... -> tensor<?x?xf32>    -> -> tensor<?x?xbf16> %d =
//   np.cast %c : tensor<?x?xf32> -> tensor<?x?xbf16>
//
// The option `precision` says what products of f32 become that the program did not write so: "tf32" marks them, "bf16"
// rounds their operands. Products of vectors are sums, and stay exact.
#include "compiler/memory/Aliasing.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/NarrowFloats.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace npcc {
#define GEN_PASS_DEF_NARROWPRODUCTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
Type withElements(Type type, Type element) { return RankedTensorType::get(getShape(type), element); }

/// The element type that the value had before it was widened to f32; null if it was not.
Type getNarrowType(Value value) {
  if (auto cast = value.getDefiningOp<CastOp>()) {
    Type from = getElementType(cast.getInput().getType());
    return isa<RankedTensorType>(cast.getInput().getType()) && isNarrowFloat(from) ? from : Type();
  }
  if (auto view = value.getDefiningOp<ViewOp>())
    return isa<RankedTensorType>(view.getSource().getType()) ? getNarrowType(view.getSource()) : Type();
  if (auto reshape = value.getDefiningOp<ReshapeOp>())
    return isa<RankedTensorType>(reshape.getSource().getType()) ? getNarrowType(reshape.getSource()) : Type();
  return {};
}

/// Whether nothing between the two, in one block, may write to the array that is loaded.
bool holdsTheSame(LoadOp load, Operation *later) {
  if (load->getBlock() != later->getBlock())
    return false;
  bool isGeneral = load->getParentOfType<func::FuncOp>()->hasAttr("np.general");
  for (Operation *op = load->getNextNode(); op != later; op = op->getNextNode())
    if (mayWriteTo(op, load.getArray(), isGeneral))
      return false;
  return true;
}

/// The value as it was before, for which getNarrowType gave a type.
Value emitNarrow(Value value) {
  if (auto cast = value.getDefiningOp<CastOp>())
    return cast.getInput();
  OpBuilder builder(value.getDefiningOp());
  Operation *op = value.getDefiningOp();
  Value source = emitNarrow(op->getOperand(0));
  // A view of an array that holds the same as when it was loaded is no copy.
  if (auto view = dyn_cast<ViewOp>(op))
    if (auto load = source.getDefiningOp<LoadOp>(); load && holdsTheSame(load, view)) {
      auto type = ArrayType::get(view.getContext(), getShape(view.getType()), getElementType(source.getType()),
                                 /*contiguous=*/false);
      Value part = ViewOp::create(builder, view.getLoc(), type, load.getArray(), view.getOffsets(), view.getAxes(),
                                  view.getExtents(), view.getSteps());
      return LoadOp::create(builder, view.getLoc(), part);
    }
  IRMapping sources;
  sources.map(op->getOperand(0), source);
  Operation *same = builder.clone(*op, sources);
  same->getResult(0).setType(withElements(value.getType(), getElementType(source.getType())));
  return same->getResult(0);
}

struct NarrowProducts : impl::NarrowProductsBase<NarrowProducts> {
  using NarrowProductsBase::NarrowProductsBase;

  void runOnOperation() override {
    SmallVector<MatmulOp> products;
    getOperation()->walk([&](MatmulOp product) {
      if (getElementType(product.getType()).isF32())
        products.push_back(product);
    });
    for (MatmulOp product : products) {
      Type left = getNarrowType(product.getLhs()), right = getNarrowType(product.getRhs());
      if (left && left == right)
        narrow(product, emitNarrow(product.getLhs()), emitNarrow(product.getRhs()));
      else if (precision == "bf16")
        narrow(product, round(product, product.getLhs()), round(product, product.getRhs()));
      else if (precision == "tf32")
        product.setTf32(true);
    }
  }

  static Value round(MatmulOp product, Value operand) {
    OpBuilder builder(product);
    return CastOp::create(builder, product.getLoc(), withElements(operand.getType(), builder.getBF16Type()), operand);
  }

  static void narrow(MatmulOp product, Value left, Value right) {
    product.getLhsMutable().assign(left);
    product.getRhsMutable().assign(right);
    // The sums themselves, where something else reads them too.
    Value result = product.getResult();
    auto cast = result.hasOneUse() ? dyn_cast<CastOp>(*result.user_begin()) : CastOp();
    if (!cast || !isa<RankedTensorType>(cast.getType()) ||
        getElementType(cast.getType()) != getElementType(left.getType()))
      return;
    result.setType(cast.getType());
    cast.getResult().replaceAllUsesWith(result);
    cast.erase();
  }
};
} // namespace
} // namespace npcc
