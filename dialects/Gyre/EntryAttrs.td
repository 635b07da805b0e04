//===- EntryAttrs.td - What lowered functions are called with -*- tablegen -*-===//
//
// A lowered function keeps its signature in the algebra's terms: from it come the
// checks of its entry point, its line of the header and its part of the manifest.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_ENTRYATTRS_TD
#define GYRE_ENTRYATTRS_TD

include "Gyre/GyreTypes.td"

def Gyre_DeviceKind : I32EnumAttr<"DeviceKind", "kinds of device, numbered as in DLPack",
    [I32EnumAttrCase<"CPU", 1, "cpu">, I32EnumAttrCase<"CUDA", 2, "cuda">]> {
  let cppNamespace = "::gyre";
  let genSpecializedAttr = 0;
}

def Gyre_EntryOperandAttr : Gyre_Attr<"EntryOperand", "entry_operand"> {
  let summary = "an argument or a result, by the name that callers know";
  let description = [{
    A tensor may have any strides, and data aligned to its elements, unless the entry
    says more: `compact` for row-major without gaps, `align` for more bytes. Calls with
    other tensors are refused.

    Constraints:
    * `[entry-layout]` only tensors have a layout; `align` is a power of two.

    ```mlir
    #gyre.entry_operand<"x", !gyre.tensor<E x 4 x f32>, compact align 16>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::Type":$type,
    DefaultValuedParameter<"bool", "false", "row-major without gaps">:$compact,
    DefaultValuedParameter<"int64_t", "0", "bytes, 0 for those of an element">:$alignment);
  let builders = [
    AttrBuilder<(ins "::mlir::StringAttr":$name, "::mlir::Type":$type), [{
      return $_get($_ctxt, name, type, /*compact=*/false, /*alignment=*/0);
    }]>
  ];
  let assemblyFormat = "`<` $name `,` $type `` custom<EntryLayout>($compact, $alignment) `>`";
  let genVerifyDecl = 1;
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
    #gyre.entry<"scale" on cuda sizes ["E"] arguments [<"x", !gyre.tensor<E x f32>, compact>]>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name,
    DefaultValuedParameter<"DeviceKind", "DeviceKind::CPU">:$device,
    OptionalArrayRefParameter<"::mlir::StringAttr", "runtime sizes, in the order of the ABI">:$sizes,
    OptionalArrayRefParameter<"EntryOperandAttr", "arguments">:$arguments,
    OptionalArrayRefParameter<"EntryOperandAttr", "results">:$results,
    OptionalArrayRefParameter<"EntryBufferAttr", "buffers">:$workspace);
  let assemblyFormat = [{
    `<` $name (`on` $device^)? (`sizes` `[` $sizes^ `]`)? (`arguments` `[` $arguments^ `]`)?
      (`results` `[` $results^ `]`)? (`workspace` `[` $workspace^ `]`)? `>`
  }];
  let builders = [
    AttrBuilder<(ins "::mlir::StringAttr":$name, "::llvm::ArrayRef<::mlir::StringAttr>":$sizes,
      "::llvm::ArrayRef<EntryOperandAttr>":$arguments, "::llvm::ArrayRef<EntryOperandAttr>":$results,
      "::llvm::ArrayRef<EntryBufferAttr>":$workspace), [{
      return $_get($_ctxt, name, DeviceKind::CPU, sizes, arguments, results, workspace);
    }]>
  ];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool onCuda() const { return getDevice() == DeviceKind::CUDA; }
  }];
}

#endif // GYRE_ENTRYATTRS_TD
