// npcc-wrap-entries: gives each public function the entry that the runtime calls (npcc_entry in npcc_rt.h), by the name
// in its attribute `np.entry`, if it has one.
//
//   func.func @norm(%a: memref<?xf64>, %s: f64) -> memref<f64>
// stays, and there is also
//   func.func @norm.entry(%slots: !llvm.ptr) {
//     %a = load the descriptor at slots[0]; %s = load the scalar at slots[1]
//     %r = func.call @norm(%a, %s)
//     store the descriptor of %r at slots[2]
//   }
// With the result attribute `np.scalar`, it stores the element of %r instead, by npcc_rt_read.
#include "compiler/codegen/FunctionInfo.h"
#include "compiler/codegen/HostLowering.h"
#include "compiler/codegen/RuntimeFunctions.h"
#include "dialects/Np/ElementBytes.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_WRAPENTRIES
#include "compiler/codegen/Passes.h.inc"
} // namespace npcc

namespace {
struct WrapEntries : npcc::impl::WrapEntriesBase<WrapEntries> {
  void runOnOperation() override {
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (function.isPublic() && !function.isDeclaration()) {
        wrap(function);
        // What they say has been heard, and LLVM does not know them.
        function.removeArgAttrsAttr();
        function.removeResAttrsAttr();
        function.setPrivate();
      }
  }

  void wrap(func::FuncOp function) {
    MLIRContext *context = &getContext();
    LLVMTypeConverter converter(context);
    addHostTypes(converter);
    Location loc = function.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(context), i8 = IntegerType::get(context, 8);
    OpBuilder builder(function);
    builder.setInsertionPointAfter(function);
    auto given = function->getAttrOfType<StringAttr>("np.entry");
    std::string name = given ? given.str() : getEntrySymbol(function.getName());
    auto entry = func::FuncOp::create(builder, loc, name, builder.getFunctionType({pointer}, {}));
    Block *body = entry.addEntryBlock();
    builder.setInsertionPointToStart(body);
    unsigned next = 0;
    auto nextSlot = [&]() -> Value {
      Value address = LLVM::GEPOp::create(builder, loc, pointer, pointer, body->getArgument(0),
                                          ArrayRef<LLVM::GEPArg>{int32_t(next++)});
      return LLVM::LoadOp::create(builder, loc, pointer, address);
    };
    SmallVector<Value> arguments;
    for (Type type : function.getArgumentTypes()) {
      Value slot = nextSlot();
      if (type.isInteger(1)) { // a byte in memory
        Value byte = LLVM::LoadOp::create(builder, loc, i8, slot);
        arguments.push_back(LLVM::TruncOp::create(builder, loc, type, byte));
        continue;
      }
      Value value = LLVM::LoadOp::create(builder, loc, converter.convertType(type), slot);
      arguments.push_back(
          value.getType() == type ? value : UnrealizedConversionCastOp::create(builder, loc, type, value).getResult(0));
    }
    auto call = func::CallOp::create(builder, loc, function, arguments);
    for (auto [k, result] : llvm::enumerate(call.getResults())) {
      Value slot = nextSlot(), value = result;
      Type type = converter.convertType(result.getType());
      if (type != result.getType())
        value = UnrealizedConversionCastOp::create(builder, loc, type, result).getResult(0);
      if (function.getResultAttr(k, "np.scalar") && isa<MemRefType>(result.getType())) {
        giveElement(builder, loc, cast<MemRefType>(result.getType()), value, slot);
        continue;
      }
      if (type.isInteger(1))
        value = LLVM::ZExtOp::create(builder, loc, i8, value);
      LLVM::StoreOp::create(builder, loc, value, slot);
    }
    func::ReturnOp::create(builder, loc);
  }

  /// A NumPy scalar was computed into memory of the function's device.
  void giveElement(OpBuilder &builder, Location loc, MemRefType type, Value descriptor, Value slot) {
    LLVMTypeConverter converter(&getContext());
    Type element = converter.convertType(type.getElementType()), pointer = slot.getType();
    Value base = LLVM::ExtractValueOp::create(builder, loc, descriptor, 0);
    Value data = LLVM::ExtractValueOp::create(builder, loc, descriptor, 1);
    Value offset = LLVM::ExtractValueOp::create(builder, loc, descriptor, 2);
    Value address = LLVM::GEPOp::create(builder, loc, pointer, element, data, ArrayRef<LLVM::GEPArg>{offset});
    Value bytes =
        LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(getElementBytes(type.getElementType())));
    callFunction(builder, loc, getOperation(), "npcc_rt_read", nullptr, {slot, address, bytes});
    callFunction(builder, loc, getOperation(), "npcc_rt_release", nullptr, {base});
  }
};
} // namespace
