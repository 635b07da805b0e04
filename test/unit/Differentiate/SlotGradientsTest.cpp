//===- SlotGradientsTest.cpp - Gradients of rows without a winner ---------===//
//
// docs/operators.md 9.3: ties go to the lowest slot, NaN never wins, a row
// without a value above -inf has slot 0, and no gradient reaches a pad.
//
//===----------------------------------------------------------------------===//

#include "../Interpreter/Support.h"

#include "gyre/Differentiate/Differentiate.h"

using namespace mlir;
using namespace gyre;
using namespace gyre::test;

namespace {
class SlotGradients : public InterpreterTest {
protected:
  /// Runs function `name` once all derivatives are carried out.
  std::vector<Array> derive(const std::string &text, StringRef name,
                            std::vector<Argument> arguments) {
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module || failed(carryOutDerivatives(*module)))
      return {};
    auto func = cast<FuncOp>(SymbolTable::lookupSymbolIn(*module, name));
    FailureOr<std::vector<Array>> results = interpret(func, arguments);
    return succeeded(results) ? *results : std::vector<Array>();
  }

  void expectDerived(const std::string &text, StringRef name,
                     std::vector<Argument> arguments, const Array &expected) {
    std::vector<Array> results = derive(text, name, std::move(arguments));
    ASSERT_EQ(results.size(), 1u) << messages;
    expectEqual(results[0], expected);
  }
};

/// Its derivative takes (x, m, gy), that one's (x, m, hx): both are linear in
/// the last.
const char *const kPool = R"(
  !m = !gyre.map<[k: K, n: M] to N, padded>
  !x = !gyre.tensor<B x K x M x f64>
  !y = !gyre.tensor<B x M x f64>
  !s = !gyre.tensor<B x M x i8>
  gyre.func @pool(%x: !x, %m: !m) -> (y: !y, slot: !s) {
    %y, %slot = gyre.max_slot %x axis 1 over %m[k] : !x, !m -> !y, !s
    gyre.return %y, %slot : !y, !s
  }
  gyre.derive @pool_bwd = vjp @pool wrt (x) given (y as gy)
  gyre.derive @pool_bwd2 = vjp @pool_bwd wrt (gy as dgy) given (gx as hx)
)";

/// Outputs: all pads; a pad, then nothing above -inf; NaN in each slot; a pad,
/// then a tie; NaN, then values.
Array values() {
  return array({1, 3, 5}, {9, 9, kNaN, 9, kNaN,  //
                           9, -kInf, kNaN, 2, 1, //
                           9, kNaN, kNaN, 2, 3});
}
IndexMap neighbours() {
  return paddedMap({3, 5}, 4,
                   {4, 4, 0, 4, 0, //
                    4, 1, 1, 1, 1, //
                    4, 2, 2, 2, 2});
}

TEST_F(SlotGradients, OfPaddedRows) {
  expectDerived(kPool, "pool_bwd",
                {values(), neighbours(), array({1, 5}, {kNaN, kNaN, 5, 7, 9})},
                array({1, 3, 5}, {0, 0, 5, 0, 0, //
                                  0, 0, 0, 7, 0, //
                                  0, 0, 0, 0, 9}));
}

TEST_F(SlotGradients, SecondOrderReadsWhatTheFirstWrote) {
  Array h = array({1, 3, 5}, {kNaN, kNaN, 3, kNaN, 5, //
                              kNaN, 7, 8, 9, 10,      //
                              kNaN, 12, 13, 14, 15});
  expectDerived(kPool, "pool_bwd2", {values(), neighbours(), h},
                array({1, 5}, {0, 0, 3, 9, 15}));
}

TEST_F(SlotGradients, WithoutPadsSlotZeroTakesAll) {
  const char *const text = R"(
    !x = !gyre.tensor<K x M x f64>
    !y = !gyre.tensor<M x f64>
    gyre.func @max(%x: !x) -> (y: !y) {
      %y, %slot = gyre.max_slot %x axis 0 : !x -> !y, !gyre.tensor<M x i8>
      gyre.return %y : !y
    }
    gyre.derive @max_bwd = vjp @max wrt (x)
  )";
  expectDerived(text, "max_bwd",
                {array({2, 4}, {kNaN, -kInf, 1, kNaN, //
                                kNaN, -kInf, 1, 0}),
                 array({4}, {1, 2, 3, 4})},
                array({2, 4}, {1, 2, 3, 0, 0, 0, 0, 4}));
}
} // namespace
