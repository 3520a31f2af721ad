#ifndef NPCC_DIALECTS_NP_NPRANDOM_TD
#define NPCC_DIALECTS_NP_NPRANDOM_TD
// Generators of random numbers, and draws from them.
include "dialects/Np/NpBase.td"

def Np_NewGeneratorOp : Np_Op<"new_generator", [MemoryEffects<[MemRead<Np_Random>, MemWrite<Np_Random>, MemWrite<Np_Failure>]>,
                                               AttrSizedOperandSegments]> {
  let summary = "a new generator of random numbers, or another view of one";
  let description = [{
    `bits` is NumPy's bit generator ("PCG64", "PCG64DXSM", "Philox", "MT19937", "SFC64"), or "" where there is none or
    it is the parent's. `seeding` says where the state comes from:

    * "entropy": the operating system;
    * "integers": a `numpy.random.SeedSequence` of the integers in `seed` (int64, rank 1, contiguous), and "unsigned": of the bits of uint64;
    * "sequence": the parent, a SeedSequence;
    * "spawn": a new child of the parent's SeedSequence, of the parent's kind and bits;
    * "legacy": the one integer in `seed`, and "legacy_array": several, as `numpy.random.RandomState` takes them; "legacy_squeezed": several, or the one;
    * "share": the parent's own state, under another class.

    An integer that no seed may be is a ValueError, in NumPy's words. The state lives until the call ends.
  }];
  let arguments = (ins StrAttr:$bits, StrAttr:$seeding, Optional<Np_Generator>:$parent, Arg<Optional<Np_Any>, "", [MemRead]>:$seed);
  let results = (outs Np_Generator:$result);
  let assemblyFormat = [{
    $bits $seeding (`of` $parent^ `:` type($parent))? (`seed` $seed^ `:` type($seed))? attr-dict `->` type($result)
  }];
}
def Np_SeedGeneratorOp : Np_Op<"seed_generator", [MemoryEffects<[MemRead<Np_Random>, MemWrite<Np_Random>, MemWrite<Np_Failure>]>]> {
  let summary = "the state of a generator anew (numpy.random.seed)";
  let description = "`seeding` is \"entropy\", \"legacy\", \"legacy_array\" or \"legacy_squeezed\" of np.new_generator. A generator that is no MT19937 is a TypeError.";
  let arguments = (ins StrAttr:$seeding, Np_Generator:$generator, Arg<Optional<Np_Any>, "", [MemRead]>:$seed);
  let assemblyFormat = "$seeding `of` $generator `:` type($generator) (`seed` $seed^ `:` type($seed))? attr-dict";
}
def Np_CapturedGeneratorOp : Np_Op<"captured_generator", [MemoryEffects<[MemRead<Np_Random>, MemWrite<Np_Failure>]>]> {
  let summary = "a generator of the caller's that is no argument";
  let description = [{
    Number 0 is NumPy's global one, which `numpy.random.normal()` and its like draw from. The others are those that
    globals and closures name; the caller gives them with the call (npcc_call_options).
  }];
  let arguments = (ins I64Attr:$number);
  let results = (outs Np_Generator:$result);
  let assemblyFormat = "$number attr-dict `:` type($result)";
}

class Np_Drawing<string mnemonic, list<Trait> traits = []>
    : Np_Op<mnemonic, !listconcat([MemoryEffects<[MemRead<Np_Random>, MemWrite<Np_Random>, MemWrite<Np_Failure>]>], traits)>;

def Np_DrawOp : Np_Drawing<"draw", [AttrSizedOperandSegments]> {
  let summary = "random numbers into a whole array, in C order";
  let description = [{
    `distribution` is a row of runtime/random/Distributions.def, which says what the parameters are; `dtype` is NumPy's
    name of the array's. Parameters of elements are `scalars`, or they all are `arrays` (float64 or int64, contiguous)
    with as many elements as `out`. A parameter that is out of its bounds is a ValueError, in NumPy's words, before
    anything is drawn. Into no elements nothing is drawn, and parameters with any number of elements are looked at.
    Draws stay in order and are neither merged nor dropped: each changes the state.
  }];
  let arguments = (ins StrAttr:$distribution, StrAttr:$dtype, Np_Generator:$generator, Variadic<Np_Scalar>:$scalars,
                       Arg<Variadic<Np_Any>, "", [MemRead]>:$arrays, Arg<Np_Any, "", [MemWrite]>:$out);
  let assemblyFormat = [{
    $distribution $dtype `from` $generator `:` type($generator) (`(` $scalars^ `:` type($scalars) `)`)?
    (`of` `(` $arrays^ `:` type($arrays) `)`)? `into` $out `:` type($out) attr-dict
  }];
}
def Np_DrawInTurnsOp : Np_Drawing<"draw_in_turns", [AttrSizedOperandSegments]> {
  let summary = "random numbers of several distributions into whole arrays, in turns";
  let description = [{
    Turn k draws row k of the first array, then row k of the second, and so on: what a loop draws that has one np.draw
    after the other. `scalarCounts` says how many of `scalars` are each draw's. All arrays have as many rows as the
    first one. Parameters are looked at when their draw's turn comes: one that is out of its bounds is an error behind
    the draws before it.
  }];
  let arguments = (ins StrArrayAttr:$distributions, StrArrayAttr:$dtypes, DenseI32ArrayAttr:$scalarCounts,
                       Np_Generator:$generator, Variadic<Np_Scalar>:$scalars,
                       Arg<Variadic<Np_Any>, "", [MemWrite]>:$outs);
  let assemblyFormat = [{
    $distributions $dtypes `from` $generator `:` type($generator)
    `scalars` $scalarCounts (`(` $scalars^ `:` type($scalars) `)`)?
    `into` $outs `:` type($outs) attr-dict
  }];
  let hasVerifier = 1;
}
def Np_DrawScalarOp : Np_Drawing<"draw_scalar"> {
  let summary = "one random number, on the host";
  let description = "As np.draw of one element. Numbers narrower than 64 bits are given as float64, int64 or bool.";
  let arguments = (ins StrAttr:$distribution, StrAttr:$dtype, Np_Generator:$generator, Variadic<Np_Scalar>:$scalars);
  let results = (outs Np_Scalar:$result);
  let assemblyFormat = [{
    $distribution $dtype `from` $generator `:` type($generator) (`(` $scalars^ `:` type($scalars) `)`)? attr-dict `->` type($result)
  }];
}
#endif
