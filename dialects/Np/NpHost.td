#ifndef NPCC_DIALECTS_NP_NPHOST_TD
#define NPCC_DIALECTS_NP_NPHOST_TD
// What the host alone does: output, strings, Python's own objects, libraries.
include "dialects/Np/NpBase.td"

def Np_PrintOp : Np_Op<"print", [MemoryEffects<[MemWrite<Np_Output>]>]> {
  let summary = "print()";
  let description = [{
    `pieces` are written one after the other: each is a literal text (a string attribute), or an array attribute
    [position of an operand, format spec, ...], where "unsigned" may follow, "bare" for a complex number without
    parentheses, or "text" for a string's number (np.text). All separators and the end are literals already.
  }];
  let arguments = (ins Variadic<Np_Scalar>:$arguments, ArrayAttr:$pieces);
  let assemblyFormat = "$pieces `(` $arguments `)` attr-dict (`:` type($arguments)^)?";
}

// Strings are the host's: the table is read as standard output is.
def Np_TextOp : Np_Op<"text", [MemoryEffects<[MemRead<Np_Output>]>]> {
  let summary = "a string that is known at run time only, by its number";
  let description = [{
    What np.print would write of the pieces, where "text" may follow an operand's format too: it is a string's number.
    Equal strings have equal numbers, a character alone has its code point's, and None is below 0.
  }];
  let arguments = (ins Variadic<Np_Scalar>:$arguments, ArrayAttr:$pieces);
  let results = (outs I64:$number);
  let assemblyFormat = "$pieces `(` $arguments `)` attr-dict (`:` type($arguments)^)?";
}
def Np_TextFunctionOp : Np_Op<"text_function", [MemoryEffects<[MemRead<Np_Output>]>]> {
  let summary = "what the runtime makes of strings and integers";
  let description = [{
    `function` is the end of a name in `runtime/npcc_rt.h` ("at" of `npcc_rt_text_at`), or `name:types` of one of
    Python's methods, as `npcc_rt_text_method` takes it. Strings are their numbers.
  }];
  let arguments = (ins StrAttr:$function, Variadic<I64>:$arguments);
  let results = (outs I64:$result);
  let assemblyFormat = "$function `(` $arguments `)` attr-dict";
}

def Np_PythonOp : Np_Op<"python", [MemoryEffects<[MemRead<Np_Output>, MemWrite<Np_Output>, MemWrite<Np_Failure>]>]> {
  let summary = "a part of the program that Python runs";
  let description = [{
    An expression or statement on Python's own objects, for what compiled code has no types for. `part` is `python
    text:types>type`: the text says what is run (npcc/objects.py), the letters what the arguments and the result are
    (frontend/module/parts.c). Objects are numbers.
  }];
  let arguments = (ins StrAttr:$part, Variadic<I64>:$arguments);
  let results = (outs I64:$result);
  let assemblyFormat = "$part `(` $arguments `)` attr-dict";
}
def Np_ClockOp : Np_Op<"clock", [MemoryEffects<[MemRead<Np_Output>, MemWrite<Np_Output>]>]> {
  let summary = "a clock of Python's module time, in seconds";
  let description = "`kind` is \"time\", \"perf_counter\", \"monotonic\" or \"process_time\". Waits for the device, so that what was begun before has ended.";
  let arguments = (ins StrAttr:$kind);
  let results = (outs F64:$seconds);
  let assemblyFormat = "$kind attr-dict";
}

def Np_RoutineOp : Np_Op<"routine", [AttrSizedOperandSegments]> {
  let summary = "a routine of the runtime's libraries on arrays: linear algebra, Fourier transforms";
  let description = [{
    `routine` is one of `runtime/Routines.h`, which says what its operands are. The inputs are only read and may have
    any strides; the outputs may be read too. `failed` is the number, from 1, of the first matrix of a stack that has no
    result, or 0. In the loop form, whose memory says nothing of signs, `unsignedOperands` are the numbers of those that
    hold unsigned integers. Where there is an `error` the routine raises it itself, with `message`, for
    a matrix without a result, and nobody reads `failed`: the host need not wait for it (npcc-record-failures).
  }];
  let arguments = (ins StrAttr:$routine, Arg<Variadic<Np_Any>, "", [MemRead]>:$inputs,
                       Arg<Variadic<Np_Any>, "", [MemRead, MemWrite]>:$outputs,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$unsignedOperands,
                       OptionalAttr<StrAttr>:$error, OptionalAttr<StrAttr>:$message);
  let builders = [OpBuilder<(ins "::mlir::Type":$failed, "::llvm::StringRef":$routine, "::mlir::ValueRange":$inputs,
                                 "::mlir::ValueRange":$outputs),
                            [{
    build($_builder, $_state, failed, routine, inputs, outputs, ::llvm::ArrayRef<int64_t>(), {}, {});
  }]>];
  let results = (outs I64:$failed);
  let assemblyFormat = "$routine `(` $inputs `)` `to` `(` $outputs `)` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
#endif
