//===- TypesTest.cpp - Tensors as upstream code sees them -----------------===//

#include "gyre/Dialect/Gyre.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace gyre {
namespace {

class TypesTest : public ::testing::Test {
protected:
  TypesTest() { context.loadDialect<GyreDialect>(); }

  TensorType parse(StringRef text) {
    return cast<TensorType>(parseType(text, &context));
  }

  MLIRContext context;
};

TEST_F(TypesTest, ShapeShowsConstantSizes) {
  TensorType type = parse("!gyre.tensor<E x 4 x 3*L + 1 x act>");
  constexpr int64_t dynamic = ShapedType::kDynamic;
  EXPECT_EQ(type.getShape(), ArrayRef<int64_t>({dynamic, 4, dynamic}));
  EXPECT_TRUE(type.hasRank());
  EXPECT_EQ(type.rank(), 3);
  EXPECT_EQ(parse("!gyre.tensor<f32>").rank(), 0);
}

TEST_F(TypesTest, EqualSizesMakeEqualTypes) {
  EXPECT_EQ(parse("!gyre.tensor<(L+1)*(L+1) x f32>"),
            parse("!gyre.tensor<1 + L*L + L + L x f32>"));
  EXPECT_NE(parse("!gyre.tensor<E x f32>"), parse("!gyre.tensor<N x f32>"));
  EXPECT_NE(parse("!gyre.tensor<E x act>"), parse("!gyre.tensor<E x acc>"));
}

TEST_F(TypesTest, ClonesKeepNames) {
  TensorType type = parse("!gyre.tensor<E x 4 x f32>");
  Type mask = IntegerType::get(&context, 1);
  EXPECT_EQ(type.cloneWith(std::nullopt, mask),
            parse("!gyre.tensor<E x 4 x i1>"));
  EXPECT_EQ(type.cloneWith(type.getShape(), mask),
            parse("!gyre.tensor<E x 4 x i1>"));
  // Of another shape, where sizes are the same.
  EXPECT_EQ(type.cloneWith(ArrayRef<int64_t>({ShapedType::kDynamic, 5}), mask),
            parse("!gyre.tensor<E x 5 x i1>"));
  // A size that nobody named.
  EXPECT_EQ(type.cloneWith(ArrayRef<int64_t>({7, ShapedType::kDynamic}), mask),
            parse("!gyre.tensor<7 x _ x i1>"));
  EXPECT_EQ(type.cloneWith(ArrayRef<int64_t>({ShapedType::kDynamic}), mask),
            parse("!gyre.tensor<_ x i1>"));
}

TEST_F(TypesTest, ParametersCountAsFloats) {
  Type act = parse("!gyre.tensor<act>").getElementType();
  EXPECT_TRUE(isa<FloatType>(act));
  EXPECT_EQ(cast<FloatType>(act).getWidth(), 64u);
  EXPECT_FALSE(TensorType::isSupportedFloat(act));
  EXPECT_TRUE(TensorType::isSupportedFloat(BFloat16Type::get(&context)));
  EXPECT_FALSE(TensorType::isSupportedFloat(Float80Type::get(&context)));
}

TEST_F(TypesTest, InferenceRefusesWhatIsNoSize) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  SmallVector<Type> inferred;
  Type element = Float32Type::get(&context);
  PolyAttr over = PolyAttr::overflow(&context);
  EXPECT_TRUE(failed(
      TensorType::infer(UnknownLoc::get(&context), over, element, inferred)));
  EXPECT_EQ(message,
            "[tensor-size] expected sizes of at least 0, got overflow");
  EXPECT_TRUE(failed(TensorType::infer(std::nullopt, over, element, inferred)));
  EXPECT_TRUE(inferred.empty());
  PolyAttr size = PolyAttr::variable(StringAttr::get(&context, "E"));
  EXPECT_TRUE(
      succeeded(TensorType::infer(std::nullopt, size, element, inferred)));
  EXPECT_EQ(inferred.front(), parse("!gyre.tensor<E x f32>"));
}

} // namespace
} // namespace gyre
