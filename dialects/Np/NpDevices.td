#ifndef NPCC_DIALECTS_NP_NPDEVICES_TD
#define NPCC_DIALECTS_NP_NPDEVICES_TD
// Programs over many devices.
include "dialects/Np/NpBase.td"

def Np_RankOp : Np_Op<"rank", [Pure]> {
  let summary = "this device's position in the group";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}
def Np_DeviceCountOp : Np_Op<"device_count", [Pure]> {
  let summary = "the number of devices in the group";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}
def Np_ExchangeHaloOp : Np_Op<"exchange_halo"> {
  let summary = "fill the rows around a tile's own ones from the devices that own them";
  let description = [{
    The array's first axis holds `before` ghost rows, the tile's own rows, and `after` ghost rows; the rows of
    consecutive devices follow each other. A halo of all rows gathers the whole array.
  }];
  let arguments = (ins Arg<AnyTypeOf<[Np_Array, AnyMemRef]>, "", [MemRead, MemWrite]>:$tile, Index:$before, Index:$after);
  let assemblyFormat = "$tile `before` $before `after` $after attr-dict `:` type($tile)";
}
#endif
