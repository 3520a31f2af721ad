#include "compiler/codegen/RuntimeFunctions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace npcc;

static LLVM::LLVMFuncOp makeDeclaration(ModuleOp module, StringRef name, Type result, TypeRange params) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Type returned = result ? result : LLVM::LLVMVoidType::get(module.getContext());
  return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name,
                                  LLVM::LLVMFunctionType::get(returned, llvm::to_vector(params)));
}

LLVM::LLVMFuncOp npcc::declareFunction(ModuleOp module, StringRef name, Type result, ArrayRef<Type> params) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  return function ? function : makeDeclaration(module, name, result, params);
}

LLVM::CallOp npcc::callFunction(OpBuilder &builder, Location loc, ModuleOp module, StringRef name, Type result, ValueRange arguments) {
  return LLVM::CallOp::create(builder, loc, declareFunction(module, name, result, llvm::to_vector(arguments.getTypes())), arguments);
}

LLVM::CallOp npcc::callFunction(OpBuilder &builder, Location loc, SymbolTable &symbols, StringRef name, Type result,
                                ValueRange arguments) {
  auto function = symbols.lookup<LLVM::LLVMFuncOp>(name);
  if (!function) {
    function = makeDeclaration(cast<ModuleOp>(symbols.getOp()), name, result, arguments.getTypes());
    symbols.insert(function);
  }
  return LLVM::CallOp::create(builder, loc, function, arguments);
}

static std::string getTextName(StringRef text) { return "text." + llvm::utohexstr(llvm::xxh3_64bits(text)); }

static LLVM::GlobalOp makeText(ModuleOp module, StringRef name, StringRef text) {
  std::string bytes = text.str() + '\0';
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  return LLVM::GlobalOp::create(builder, module.getLoc(), LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
                                /*isConstant=*/true, LLVM::Linkage::Internal, name, builder.getStringAttr(bytes));
}

Value npcc::getTextAddress(OpBuilder &builder, Location loc, ModuleOp module, StringRef text) {
  std::string name = getTextName(text);
  auto global = module.lookupSymbol<LLVM::GlobalOp>(name);
  return LLVM::AddressOfOp::create(builder, loc, global ? global : makeText(module, name, text));
}

Value npcc::getTextAddress(OpBuilder &builder, Location loc, SymbolTable &symbols, StringRef text) {
  std::string name = getTextName(text);
  auto global = symbols.lookup<LLVM::GlobalOp>(name);
  if (!global) {
    global = makeText(cast<ModuleOp>(symbols.getOp()), name, text);
    symbols.insert(global);
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

std::pair<StringRef, int> npcc::getSourcePosition(Location loc) {
  std::pair<StringRef, int> position{"", 0};
  loc->walk([&](Location inner) {
    if (auto range = dyn_cast<FileLineColRange>(inner)) {
      position = {range.getFilename().getValue(), int(range.getStartLine())};
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return position;
}

std::string npcc::getTraceLabel(StringRef name, Location loc) {
  auto [file, line] = getSourcePosition(loc);
  return line ? (name + "\t" + file + ":" + Twine(line)).str() : name.str();
}

npcc_error npcc::getErrorCode(StringRef name) {
  return llvm::StringSwitch<npcc_error>(name)
      .Case("IndexError", NPCC_INDEX_ERROR)
      .Case("ValueError", NPCC_VALUE_ERROR)
      .Case("TypeError", NPCC_TYPE_ERROR)
      .Case("MemoryError", NPCC_MEMORY_ERROR)
      .Case("ZeroDivisionError", NPCC_ZERO_DIVISION_ERROR)
      .Case("OverflowError", NPCC_OVERFLOW_ERROR)
      .Case("UnboundLocalError", NPCC_UNBOUND_LOCAL_ERROR)
      .Case("LinAlgError", NPCC_LINALG_ERROR)
      .Case("AssertionError", NPCC_ASSERTION_ERROR)
      .Case("NotImplementedError", NPCC_NOT_IMPLEMENTED_ERROR)
      .Case("AxisError", NPCC_AXIS_ERROR)
      .Case("AttributeError", NPCC_ATTRIBUTE_ERROR)
      .Case("KeyError", NPCC_KEY_ERROR)
      .Case("FloatingPointError", NPCC_FLOATING_POINT_ERROR)
      .Case("ArithmeticError", NPCC_ARITHMETIC_ERROR)
      .Case("LookupError", NPCC_LOOKUP_ERROR)
      .Case("RecursionError", NPCC_RECURSION_ERROR)
      .Case("StopIteration", NPCC_STOP_ITERATION)
      .Case("Exception", NPCC_EXCEPTION)
      .Case("npcc.ClassError", NPCC_CLASS_ERROR)
      .Default(NPCC_RUNTIME_ERROR);
}

npcc_dtype npcc::getMemoryDtype(Type type, bool isUnsigned) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() ? NPCC_COMPLEX64 : NPCC_COMPLEX128;
  if (isa<FloatType>(type))
    return type.isF16() ? NPCC_FLOAT16 : type.isBF16() ? NPCC_BFLOAT16 : type.isF32() ? NPCC_FLOAT32 : NPCC_FLOAT64;
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return NPCC_BOOL;
  case 8:
    return isUnsigned ? NPCC_UINT8 : NPCC_INT8;
  case 16:
    return isUnsigned ? NPCC_UINT16 : NPCC_INT16;
  case 32:
    return isUnsigned ? NPCC_UINT32 : NPCC_INT32;
  default:
    return isUnsigned ? NPCC_UINT64 : NPCC_INT64;
  }
}

std::string npcc::getShapeFormat(size_t first, size_t count) {
  std::string text = "(";
  for (size_t axis = 0; axis < count; ++axis)
    text += (axis ? ",{" : "{") + std::to_string(first + axis) + "}";
  return text + (count == 1 ? ",)" : ")");
}

Value npcc::allocateOnStack(OpBuilder &builder, Operation *op, Type elementType, int64_t count) {
  OpBuilder::InsertionGuard guard(builder);
  auto function = op->getParentOfType<FunctionOpInterface>();
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  Value size = LLVM::ConstantOp::create(builder, op->getLoc(), builder.getI64IntegerAttr(count));
  return LLVM::AllocaOp::create(builder, op->getLoc(), LLVM::LLVMPointerType::get(builder.getContext()), elementType, size);
}
