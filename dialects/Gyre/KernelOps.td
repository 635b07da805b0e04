//===- KernelOps.td - Fused kernels with an owner domain ---*- tablegen -*-===//

#ifndef GYRE_KERNELOPS_TD
#define GYRE_KERNELOPS_TD

include "Gyre/GyreTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def Gyre_DeliveryKind : I32EnumAttr<"DeliveryKind", "what becomes of a row's value", [
    I32EnumAttrCase<"row", 0>, I32EnumAttrCase<"segment", 1>, I32EnumAttrCase<"total", 2>
  ]> {
  let cppNamespace = "::gyre";
  let genSpecializedAttr = 0;
}

def Gyre_DeliveryAttr : Gyre_Attr<"Delivery", "delivery"> {
  let summary = "how a kernel delivers a value of its body";
  let description = [{
    `row A`: the value is written as row of dimension `A` of the result. `segment A`:
    the values of all rows that refer to the same node are summed, and the sums are
    dimension `A` of the result. `total 0`: the values of all rows are summed.

    ```mlir
    #gyre.delivery<segment 0>
    ```
  }];
  let parameters = (ins EnumParameter<Gyre_DeliveryKind>:$kind, "int64_t":$axis);
  let assemblyFormat = "`<` $kind $axis `>`";
}

def Gyre_Place : I32EnumAttr<"Place", "where the cells along an axis of a kernel's body are", [
    I32EnumAttrCase<"unrolled", 0>, I32EnumAttrCase<"lane", 1>
  ]> {
  let cppNamespace = "::gyre";
  let genSpecializedAttr = 0;
}

def Gyre_ScheduleAttr : Gyre_Attr<"Schedule", "schedule"> {
  let summary = "how a kernel is carried out";
  let description = [{
    `places` has an entry for each axis of the kernel's body (none without axes), in the order in
    which its values name them first (operands of an op first, dimension by dimension): `unrolled` axes
    become separate values, `lane` axes are spread, row-major, over `lanes` lanes (SIMD
    lanes of one thread, or threads) that hold `vector` cells each. At most `workers`
    workers share the rows, each a contiguous range of at least `span` rows; the cut
    depends on the number of rows alone. `teams` workers share a block of threads.
    More lanes than the 1024 threads of a block are in several blocks, each of which walks the rows
    for its own lanes; such a body has no sums over lanes.
    With `heavy`, for a GPU's kernel that delivers sums of its owner's nodes and nothing else, each
    node has a worker of its own, which adds the node's rows. Heavy nodes are shared: the rows are cut into
    at most `workers` ranges, each of at least `heavy` rows and of twice as many as nodes have on
    average, and nodes of more rows than a range are added range by range. `span` has no effect then, the
    cut depends on the numbers of rows and nodes, and a block has at most 256 threads.
    A GPU's code gets no more registers than leave room for `warps` warps on a
    multiprocessor (1 without it). With `alive`, the cells that the kernel delivers are
    cut into parts, each of which is computed by a walk of its own over all rows, and
    keeps no more than so many vectors alive at once.

    Constraints:
    * `[schedule-number]` all numbers are positive; `alive` and `heavy` may be 0, for no limit and for
      ranges of rows.

    ```mlir
    #gyre.schedule<places [unrolled, lane], vector 4, lanes 32, workers 1056, span 16, teams 4 warps 12>
    ```
  }];
  let parameters = (ins OptionalArrayRefParameter<"Place", "places">:$places,
    "int64_t":$vector, "int64_t":$lanes, "int64_t":$workers, "int64_t":$span, "int64_t":$teams,
    DefaultValuedParameter<"int64_t", "1">:$warps, DefaultValuedParameter<"int64_t", "0">:$alive,
    DefaultValuedParameter<"int64_t", "0">:$heavy);
  let assemblyFormat = [{
    `<` (`places` ` ` `[` $places^ `]` `,` ` `)? `vector` $vector `,` `lanes` $lanes `,`
      `workers` $workers `,` `span` $span `,` `teams` $teams
      (`warps` $warps^)? (`alive` $alive^)? (`heavy` $heavy^)? `>`
  }];
  let genVerifyDecl = 1;
}

def Gyre_TileAttr : Gyre_Attr<"Tile", "tile"> {
  let summary = "how a product of matrices is carried out on tiles";
  let description = [{
    A block of threads computes `rows` x `columns` cells of a product of matrices, and each of
    its threads `threadRows` x `threadColumns` of these, in registers. What the sums read is
    copied to the memory that the block shares, `depth` terms at a time; so many `stages` are
    there at once, one that is multiplied and others on their way. Registers leave room for
    `warps` warps on a multiprocessor.

    On matrix units a warp computes 8 times `threadRows` rows and 4 times `threadColumns` columns,
    and its threads have as many of the cells as is said. With `warpgroups` four warps at a time
    multiply together, which read columns from the memory that the block shares (`wgmma` of sm_90a).

    Constraints:
    * `[tile-number]` all numbers are positive, and `stages` two or more; `depth` and the cells of a thread come in fours.
    * `[tile-warpgroups]` threads of warpgroups have 2 rows and a quarter of the block's columns; warpgroups are whole, `stages` three or more, columns 256 at most, and `depth` comes in 32s.
    * `[tile-threads]` threads share a block's rows and columns evenly, in whole warps, at most 1024.

    ```mlir
    #gyre.tile<block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16>
    ```
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns, "int64_t":$depth,
    "int64_t":$threadRows, "int64_t":$threadColumns, "int64_t":$stages, "int64_t":$warps,
    DefaultValuedParameter<"bool", "false">:$warpgroups);
  let assemblyFormat = [{
    `<` `block` $rows `x` $columns `depth` $depth `,` `thread` $threadRows `x` $threadColumns `,`
      `stages` $stages `warps` $warps (`warpgroups` $warpgroups^)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getThreads() const {
      return getRows() / getThreadRows() * (getColumns() / getThreadColumns());
    }
  }];
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

def Gyre_KernelOpsDoc : OpDocGroup {
  let summary = "Kernels";
  let description = "What `gyre-fuse` makes of functions.";
}

let opDocGroup = Gyre_KernelOpsDoc in {

def Gyre_KernelOp : Gyre_Op<"kernel", [SingleBlock, RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "a fused kernel: one body, run for each row";
  let description = [{
    Runs its body once for each of `over` rows (edges, or nodes) and delivers what the
    body ends with. The body is the algebra without the rows' axis: `gyre.row` brings
    the row's part of a value, values without that axis are used as they are.

    With an owner, `by` a map of these rows, a worker walks the rows of a node one after
    the other: sums over the map stay in registers, and rows of nodes are loop-invariant.
    Sums of a node, and totals, are taken in a fixed order.

    Constraints:
    * `[kernel-owner]` the axes of the owner are the rows; only kernels with an owner deliver segments.
    * `[kernel-delivery]` one delivery for each value of the body and each result; at least one.
    * `[kernel-result]` a result is the value's type, with the rows (or the owner's target) at the axis of its delivery.

    ```mlir
    %gx, %gw = gyre.kernel over E by %src : !gyre.map<[e: E] to N>
        deliver [#gyre.delivery<segment 0>, #gyre.delivery<row 0>] : !gx, !gw {
      %w = gyre.row %wigner axis 0 : !wigner
      ...
      gyre.deliver %a, %b : !gyre.tensor<16 x 64 x f32>, !gyre.tensor<16 x 16 x f32>
    }
    ```
  }];
  let arguments = (ins Gyre_PolyAttr:$rows, Optional<Gyre_Map>:$owner,
    TypedArrayAttrBase<Gyre_DeliveryAttr, "deliveries">:$deliveries,
    OptionalAttr<Gyre_ScheduleAttr>:$schedule);
  let results = (outs Variadic<Gyre_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `over` custom<Poly>($rows) (`by` $owner^ `:` custom<FullType>(type($owner)))?
    `deliver` $deliveries (`schedule` $schedule^)? attr-dict `:` type($results) $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The op that ends the body.
    DeliverOp getDeliver();
    DeliveryAttr getDelivery(unsigned i) { return ::llvm::cast<DeliveryAttr>(getDeliveries()[i]); }
  }];
}

def Gyre_RowOp : Gyre_Op<"row", [Pure, ParentOneOf<["KernelOp"]>, InferTypeOpAdaptor]> {
  let summary = "the part of a value that belongs to the kernel's row";
  let description = [{
    Dimension `axis` of `x`, of as many rows as the kernel has, is replaced by nothing.
    With a map, it is the row of the node that the kernel's row refers to: a
    `gyre.gather` without the rows' axis. A padded reference reads 0.

    Constraints:
    * `[row-axis]` `axis` is a dimension of `x`.
    * `[row-size]` its size is that of the kernel's rows, or the map's target.

    ```mlir
    %xe = gyre.row %x axis 0 over %src : !gyre.tensor<N x 16 x 64 x f32>, !gyre.map<[e: E] to N>
    ```
  }];
  let arguments = (ins Gyre_Tensor:$x, I64Attr:$axis, Optional<Gyre_Map>:$map);
  let results = (outs Gyre_Tensor:$result);
  let assemblyFormat = [{
    $x `axis` custom<PlainInteger>($axis) (`over` $map^)? attr-dict `:` custom<FullType>(type($x))
    (`,` custom<FullType>(type($map))^)?
  }];
  let hasVerifier = 1;
}

def Gyre_CellsOp : Gyre_Op<"cells", [SingleBlock, RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "a kernel that computes each cell of its results by itself";
  let description = [{
    Its body is the algebra on whole values, any of it, and stores none of them: each
    cell of what it delivers is computed by one worker, from the cells that it depends
    on, back to values from outside. Sums are loops, in a fixed order.

    Results of other sizes are of cells that have others in common, as several functions of one product
    of matrices.

    With `parts`, the sum over axes of runtime size is cut into so many ranges; the parts of a
    cell are computed side by side and added in their order.

    With a `tile`, cells are computed a block at a time: what is delivered are products of
    matrices, or elementwise functions of one, or concatenations of such (what counts as one,
    `include/gyre/Tiles/Product.h` says), and rows and columns are shared by the threads of
    the block. A cell's terms are still added in their order; on matrix units, in the order that
    these have for a few terms, and these sums in theirs.

    Constraints:
    * `[cells-delivery]` the body ends with one or more values, and each result is of its value's type.
    * `[cells-parts]` `parts` is positive, and there only where the one value that is delivered is a contract
      that sums an axis of runtime size.

    ```mlir
    %gw = gyre.cells parts 64 : !gyre.tensor<64 x 192 x f32> {
      %0 = gyre.contract %u[e, i], %g[e, o] -> [i, o] : !u, !g
      gyre.deliver %0 : !gyre.tensor<64 x 192 x f32>
    }
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$parts, OptionalAttr<Gyre_TileAttr>:$tile);
  let results = (outs Variadic<Gyre_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
    "(`parts` $parts^)? (`tile` $tile^)? attr-dict `:` type($results) $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The op that ends the body.
    DeliverOp getDeliver();
    /// The contract whose sum over axes of runtime size can be cut; null if there is none.
    ContractOp getSum();
  }];
}

def Gyre_DeliverOp : Gyre_Op<"deliver", [Pure, ParentOneOf<["KernelOp", "CellsOp"]>, Terminator]> {
  let summary = "ends a kernel's body with what it delivers";
  let description = [{
    See `gyre.kernel` and `gyre.cells`.

    ```mlir
    gyre.deliver %a : !gyre.tensor<16 x 64 x f32>
    ```
  }];
  let arguments = (ins Variadic<Gyre_Tensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

} // opDocGroup

#endif // GYRE_KERNELOPS_TD
