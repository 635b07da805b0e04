//===- DeviceTable.cpp - Kernels as constant data -------------------------===//

#include "DeviceTable.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;

namespace gyre::emit {

gpu::KernelTableAttr getKernels(gpu::BinaryOp binary) {
  return cast<gpu::ObjectAttr>(binary.getObjects()[0]).getKernels();
}

StringRef getArch(gpu::ObjectAttr object) {
  DictionaryAttr properties = object.getProperties();
  auto arch = properties ? properties.getAs<StringAttr>("arch") : StringAttr();
  return arch ? arch.getValue() : StringRef();
}

namespace {

/// Builds the globals of one table; all names start with that of the binary.
class TableBuilder {
public:
  explicit TableBuilder(gpu::BinaryOp binary)
      : b(binary.getLoc(), binary.getContext()), binary(binary),
        pointer(LLVM::LLVMPointerType::get(b.getContext())),
        word(b.getI64Type()) {
    b.setInsertionPointAfter(binary);
  }

  LLVM::GlobalOp build();

private:
  /// A global whose value `fill` returns, or null for zeros.
  LLVM::GlobalOp create(const Twine &name, Type type, bool isConstant,
                        function_ref<Value()> fill) {
    auto global =
        LLVM::GlobalOp::create(b, type, isConstant, LLVM::Linkage::Internal,
                               getName(name), Attribute());
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&global.getInitializerRegion());
    Value value = fill ? fill() : LLVM::ZeroOp::create(b, type).getResult();
    LLVM::ReturnOp::create(b, value);
    b.setInsertionPointAfter(global);
    return global;
  }
  LLVM::GlobalOp text(const Twine &name, StringRef contents,
                      unsigned alignment = 0) {
    std::string terminated = contents.str();
    terminated.push_back('\0');
    return LLVM::GlobalOp::create(
        b, LLVM::LLVMArrayType::get(b.getI8Type(), terminated.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, getName(name),
        b.getStringAttr(terminated), alignment);
  }
  /// A struct or an array of these values.
  Value pack(Type type, ArrayRef<Value> values) {
    Value packed = LLVM::UndefOp::create(b, type);
    for (auto [i, value] : llvm::enumerate(values))
      packed = LLVM::InsertValueOp::create(b, packed, value,
                                           ArrayRef<int64_t>{int64_t(i)});
    return packed;
  }
  Value address(LLVM::GlobalOp global) {
    return LLVM::AddressOfOp::create(b, global);
  }
  Value count(size_t value) {
    return LLVM::ConstantOp::create(b, word, int64_t(value));
  }
  std::string getName(const Twine &name) {
    return (binary.getSymName() + "__" + name).str();
  }

  ImplicitLocOpBuilder b;
  gpu::BinaryOp binary;
  Type pointer, word;
};

} // namespace

LLVM::GlobalOp TableBuilder::build() {
  MLIRContext *context = b.getContext();
  SmallVector<LLVM::GlobalOp> archs, codes, names;
  for (auto [i, attr] : llvm::enumerate(binary.getObjects())) {
    auto object = cast<gpu::ObjectAttr>(attr);
    archs.push_back(text("arch_" + Twine(i), getArch(object)));
    codes.push_back(text("image_" + Twine(i), object.getObject().getValue(),
                         /*alignment=*/64));
  }
  for (auto [i, kernel] : llvm::enumerate(getKernels(binary)))
    names.push_back(text("name_" + Twine(i), kernel.getName().getValue()));

  auto imageType =
      LLVM::LLVMStructType::getLiteral(context, {pointer, pointer});
  auto imagesType = LLVM::LLVMArrayType::get(imageType, codes.size());
  LLVM::GlobalOp images = create("images", imagesType, true, [&] {
    SmallVector<Value> values;
    for (auto [arch, code] : llvm::zip_equal(archs, codes))
      values.push_back(pack(imageType, {address(arch), address(code)}));
    return pack(imagesType, values);
  });
  auto namesType = LLVM::LLVMArrayType::get(pointer, names.size());
  LLVM::GlobalOp kernels = create("kernels", namesType, true, [&] {
    SmallVector<Value> values;
    for (LLVM::GlobalOp name : names)
      values.push_back(address(name));
    return pack(namesType, values);
  });
  size_t stateWords = names.size() * (codes.size() + 1);
  LLVM::GlobalOp state =
      create("state", LLVM::LLVMArrayType::get(word, stateWords), false, {});
  auto codeType = LLVM::LLVMStructType::getLiteral(
      context, {word, pointer, word, pointer, pointer});
  return create("code", codeType, true, [&] {
    return pack(codeType,
                {count(codes.size()), address(images), count(names.size()),
                 address(kernels), address(state)});
  });
}

LLVM::GlobalOp createDeviceTable(gpu::BinaryOp binary) {
  return TableBuilder(binary).build();
}

/// Which machine code it is, of all that was ever measured.
static std::string hash(StringRef code) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(code)),
                     /*LowerCase=*/true);
}

ArrayAttr describeKernels(gpu::BinaryOp binary) {
  Builder b(binary.getContext());
  SmallVector<Attribute> described;
  for (Attribute attr : binary.getObjects()) {
    auto object = cast<gpu::ObjectAttr>(attr);
    for (gpu::KernelMetadataAttr kernel : object.getKernels()) {
      if (!kernel.getMetadata())
        continue;
      SmallVector<NamedAttribute> values(kernel.getMetadata().getValue());
      values.push_back(b.getNamedAttr("name", kernel.getName()));
      values.push_back(
          b.getNamedAttr("arch", b.getStringAttr(getArch(object))));
      values.push_back(b.getNamedAttr(
          "sha256", b.getStringAttr(hash(object.getObject().getValue()))));
      described.push_back(b.getDictionaryAttr(values));
    }
  }
  return b.getArrayAttr(described);
}

} // namespace gyre::emit
