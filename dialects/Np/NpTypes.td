#ifndef NPCC_DIALECTS_NP_NPTYPES_TD
#define NPCC_DIALECTS_NP_NPTYPES_TD
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/OpBase.td"

def Np_Dialect : Dialect {
  let name = "np";
  let cppNamespace = "::npcc::np";
  let summary = "NumPy's arrays and operations";
  let description = [{
    Three kinds of values:

    * **arrays** (`!np.array<?x?xf64>`) are references to memory, as NumPy's are: several may name the same elements, and a
      store through one is seen by the others;
    * **values** (`tensor<?x?xf64>`; `tensor<f64>` is a NumPy scalar or the value of a 0-d array) are the results of operations and
      never change;
    * **scalars** (`f64`, `i64`, `i1`, `complex<f64>`) are Python's and live on the host.

    Element types are builtin: `i1` is bool, `i8` to `i64` are signed, `ui8` to `ui64` unsigned, `f16`, `bf16`, `f32`, `f64`, `complex<f32>`,
    `complex<f64>`. Extents and positions are `index`.
  }];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = "void registerTypes();";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

class Np_Type<string name, string typeMnemonic, list<Trait> traits = []> : TypeDef<Np_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Np_ArrayType : Np_Type<"Array", "array"> {
  let summary = "a reference to a strided array";
  let description = [{
    `!np.array<?x?xf64>` is C-contiguous, `!np.array<?x?xf64, strided>` may have any strides (a view, or an argument of which nothing
    is known). An extent is `?`, or `1` where the axis is known to broadcast. Rank 0 is `!np.array<f64>`.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "bool":$contiguous);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    /// The type of the value that a load of the whole array gives.
    ::mlir::RankedTensorType getValueType() const {
      return ::mlir::RankedTensorType::get(getShape(), getElementType());
    }
  }];
}

def Np_SlotType : Np_Type<"Slot", "slot"> {
  let summary = "a Python name: a place for one value";
  let parameters = (ins "::mlir::Type":$valueType);
  let assemblyFormat = "`<` $valueType `>`";
}

def Np_GeneratorType : Np_Type<"Generator", "generator"> {
  let summary = "a source of random numbers: a handle to a state that is on the host";
  let description = [{
    `kind` is the class that it is to Python: "Generator", "RandomState", "BitGenerator" or "SeedSequence". The state is the runtime's, or that of an
    object of NumPy's; it lives at least as long as the call. Lowered to a pointer to `npcc_generator` (npcc_rt.h).
  }];
  let parameters = (ins StringRefParameter<"the class">:$kind);
  let assemblyFormat = "`<` $kind `>`";
}
#endif
