#ifndef NPCC_DIALECTS_NP_NPBASE_TD
#define NPCC_DIALECTS_NP_NPBASE_TD
// What the operations of all families are made of.
include "dialects/Np/NpInterfaces.td"
include "dialects/Np/NpTypes.td"
include "mlir/IR/BuiltinTypes.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/MemorySlotInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Np_Op<string mnemonic, list<Trait> traits = []> : Op<Np_Dialect, mnemonic, traits>;

def Np_Array : Type<CPred<"::llvm::isa<::npcc::np::ArrayType>($_self)">, "array reference">;
def Np_Generator : Type<CPred<"::llvm::isa<::npcc::np::GeneratorType>($_self)">, "generator of random numbers">;
def Np_Slot : Type<CPred<"::llvm::isa<::npcc::np::SlotType>($_self)">, "slot">;
def Np_ArrayOrValue : AnyTypeOf<[Np_Array, AnyRankedTensor]>;
def Np_Scalar : AnyTypeOf<[AnyInteger, AnyFloat, AnyComplex]>;
def Np_ValueOrScalar : AnyTypeOf<[AnyRankedTensor, Np_Scalar]>;
// Also what the memory form (after lowering to loops) uses.
def Np_Any : AnyTypeOf<[Np_Array, AnyRankedTensor, AnyMemRef]>;

// What is written where no memory is: see Np.h.
def Np_Failure : Resource<"::npcc::np::Failure">;
def Np_Output : Resource<"::npcc::np::Output">;
def Np_References : Resource<"::npcc::np::References">;
def Np_Random : Resource<"::npcc::np::Random">;

// Operations on values: what an element costs, which defaults of ValueOpInterface they replace, and more traits.
class Np_ValueOp<string mnemonic, string cost, list<string> replaced, list<Trait> traits = [Pure]>
    : Np_Op<mnemonic, !listconcat([ReifyRankedShapedTypeOpInterface, DeclareOpInterfaceMethods<Np_ValueOpInterface, replaced>], traits)> {
  let extraClassDeclaration = "static constexpr ElementCost elementCost = ElementCost::" # cost # [{;
    ::llvm::LogicalResult reifyResultShapes(::mlir::OpBuilder &builder, ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return reifyExtents(*this, builder, shapes);
    }
  }];
}
defvar InferType = InferTypeOpAdaptor;
// Passes that find out an extent may do so for an operand first: the result's type then knows less than what is
// inferred, not something else.
defvar InferTypeButExtents = InferTypeOpAdaptorWithIsCompatible;

//===---- Words ----------------------------------------------------------------------------------------------------===//

// A string of a fixed set: the text and the memory hold the word, C++ asks for and gives an enumeration's case.
class Np_Word<string enum, string summary, string predicate = "::npcc::np::symbolize" # enum # "($_self)">
    : StringBasedAttr<CPred<!subst("$_self", "::llvm::cast<::mlir::StringAttr>($_self).getValue()", predicate)>, summary> {
  let returnType = "::npcc::np::" # enum;
  let convertFromStorage = "*::npcc::np::symbolize" # enum # "($_self.getValue())";
  let constBuilderCall = "$_builder.getStringAttr(::npcc::np::stringify" # enum # "($0))";
}
// Rows of Ufuncs.def. An unknown name is told by the verifier of np.ufunc, which names it.
def Np_Ufunc : Np_Word<"Ufunc", "an elementwise function", "true">;
def Np_Combiner : Np_Word<"Ufunc", "an elementwise function that reductions combine by", "::npcc::np::isCombiner($_self)">;
def Np_Reduction : Np_Word<"Reduction", "a reduction">;

class Np_Words<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::npcc::np";
}
def Np_PartKinds : Np_Words<"PartKind", "what np.part is of its source", [
    I32EnumAttrCase<"diagonal", 0>, I32EnumAttrCase<"real", 1>, I32EnumAttrCase<"imag", 2>, I32EnumAttrCase<"view", 3>,
    I32EnumAttrCase<"read_only", 4>, I32EnumAttrCase<"line", 5>]>;
// Told by the verifier of np.part too.
def Np_PartKind : Np_Word<"PartKind", "diagonal, real, imag, view, read_only or line", "true">;
def Np_BroadcastKinds : Np_Words<"BroadcastKind", "what extents are broadcast for", [
    I32EnumAttrCase<"ufunc", 0>, I32EnumAttrCase<"store", 1>, I32EnumAttrCase<"output", 2>,
    I32EnumAttrCase<"positions", 3>, I32EnumAttrCase<"indices", 4>]>;
def Np_BroadcastKind : Np_Word<"BroadcastKind", "ufunc, store, output, positions or indices">;

def Np_ElementOrders : Np_Words<"ElementOrder", "the order in which elements lie", [I32EnumAttrCase<"C", 0>, I32EnumAttrCase<"F", 1>]>;
def Np_ElementOrder : Np_Word<"ElementOrder", "C or F">;
def Np_Activations : Np_Words<"Activation", "what the elements of a product go through at last", [I32EnumAttrCase<"relu", 0>]>;
def Np_Activation : Np_Word<"Activation", "relu">;
#endif
