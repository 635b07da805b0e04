//===- GyreOps.td - All ops, by family ---------------------*- tablegen -*-===//

#ifndef GYRE_OPS_TD
#define GYRE_OPS_TD

include "Gyre/SpecOps.td"        // spec, parameters, functions, declared derivatives
include "Gyre/IndexOps.td"       // gather, segment_sum, valid
include "Gyre/ContractOp.td"     // the one op for every product, reduction and broadcast
include "Gyre/ElementwiseOps.td" // what arith and math do not have
include "Gyre/ShapeOps.td"       // slice, pad, concat
include "Gyre/SlotOps.td"        // maxima that remember where they were
include "Gyre/RepeatOp.td"       // a static number of layers
include "Gyre/SugarOps.td"       // what users think in; gone after gyre-decompose
include "Gyre/KernelOps.td"      // fused kernels with an owner domain
include "Gyre/EntryAttrs.td"     // what lowered functions are called with

#endif // GYRE_OPS_TD
