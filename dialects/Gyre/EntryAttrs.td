//===- EntryAttrs.td - What lowered functions are called with -*- tablegen -*-===//
//
// A lowered function keeps its signature in the algebra's terms: from it come the
// checks of its entry point, its line of the header and its part of the manifest.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_ENTRYATTRS_TD
#define GYRE_ENTRYATTRS_TD

include "Gyre/GyreTypes.td"

def Gyre_EntryOperandAttr : Gyre_Attr<"EntryOperand", "entry_operand"> {
  let summary = "an argument or a result, by the name that callers know";
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::Type":$type);
  let assemblyFormat = "`<` $name `,` $type `>`";
}

def Gyre_EntryBufferAttr : Gyre_Attr<"EntryBuffer", "entry_buffer"> {
  let summary = "a buffer of the workspace, `elements` times `bytes` large";
  let description = [{
    A buffer of elements of no bytes takes no place; it says that `elements` must not
    be negative.
  }];
  let parameters = (ins "int64_t":$bytes, "PolyAttr":$elements);
  let assemblyFormat = "`<` $bytes `,` $elements `>`";
}

def Gyre_EntryAttr : Gyre_Attr<"Entry", "entry"> {
  let summary = "the signature of a lowered function";
  let description = [{
    `gyre.entry` of a `func.func` that came from a `gyre.func`. Its arguments are, in
    this order: for each argument a memref, or for a map three (`index`, `order`,
    `ptr`); for each result a memref; each size of `sizes` as an `index`; the
    workspace, `memref<?xi8>`, whose buffers lie one after the other, each on a
    multiple of 64 bytes.

    Constraints:
    * `[entry-size]` each size of an operand or a buffer is listed.

    ```mlir
    #gyre.entry<"scale" sizes ["E"] arguments [<"x", !gyre.tensor<E x 4 x f32>>]
        results [<"y", !gyre.tensor<E x 4 x f32>>] workspace [<4, <4*E>>]>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name,
    OptionalArrayRefParameter<"::mlir::StringAttr", "runtime sizes, in the order of the ABI">:$sizes,
    OptionalArrayRefParameter<"EntryOperandAttr", "arguments">:$arguments,
    OptionalArrayRefParameter<"EntryOperandAttr", "results">:$results,
    OptionalArrayRefParameter<"EntryBufferAttr", "buffers">:$workspace);
  let assemblyFormat = [{
    `<` $name (`sizes` `[` $sizes^ `]`)? (`arguments` `[` $arguments^ `]`)?
      (`results` `[` $results^ `]`)? (`workspace` `[` $workspace^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
}

#endif // GYRE_ENTRYATTRS_TD
