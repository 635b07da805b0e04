//===- EnterSupport.h - A kernel's signature and a good call ----*- C++ -*-===//

#ifndef GYRE_TEST_UNIT_RUNTIME_ENTERSUPPORT_H
#define GYRE_TEST_UNIT_RUNTIME_ENTERSUPPORT_H

#include "Support.h"
#include "gyre/Runtime/EntryTable.h"

#include <array>

namespace gyre::test {

inline entry::Dimension constant(int64_t value) {
  return {std::to_string(value), {{value, {}}}};
}

/// The signature
///   @mix(x: N x 2 x f32, src: [e: E] to N, nbr: [n: N, k: 3] to E padded,
///        wigner: E x (2*E*N+1) x f64, s: f32) -> (gx: N x 2 x f32, u: E x f64)
/// with workspace for E x 2 x f32 and N x i8.
inline entry::Table mixTable() {
  entry::Builder builder("mix");
  const int64_t n = builder.addSize("N"), e = builder.addSize("E");
  const entry::Dimension nodes{"N", {{1, {n}}}}, edges{"E", {{1, {e}}}};
  const entry::Dimension odd{"2*E*N+1", {{2, {e, n}}, {1, {}}}};
  builder.addArgument("x", GYRE_DTYPE_F32, {nodes, constant(2)});
  builder.addMap("src", {edges}, nodes, false);
  builder.addMap("nbr", {nodes, constant(3)}, edges, true);
  builder.addArgument("wigner", GYRE_DTYPE_F64, {edges, odd});
  builder.addArgument("s", GYRE_DTYPE_F32, {});
  builder.addResult("gx", GYRE_DTYPE_F32, {nodes, constant(2)});
  builder.addResult("u", GYRE_DTYPE_F64, {edges});
  builder.addWorkspaceBuffer(4, {"2*E", {{2, {e}}}});
  builder.addWorkspaceBuffer(1, nodes);
  return builder.encode();
}

enum MixOperand { kX, kSrc, kNbr, kWigner, kS, kGx, kU };

/// A good call of @mix with N = 4 and E = 3, for tests to look at or to spoil.
class MixCall : public ::testing::Test {
protected:
  const entry::Table table = mixTable();
  Memory xData{32}, wignerData{600}, sData{4}, gxData{32}, uData{24},
      workspaceData{128};
  TensorView x{xData.data(), GYRE_DTYPE_F32, {4, 2}};
  TensorView wigner{wignerData.data(), GYRE_DTYPE_F64, {3, 25}};
  TensorView s{sData.data(), GYRE_DTYPE_F32, {}};
  TensorView gx{gxData.data(), GYRE_DTYPE_F32, {4, 2}};
  TensorView u{uData.data(), GYRE_DTYPE_F64, {3}};
  std::vector<int32_t> srcData = {0, 3, 0};
  std::vector<int32_t> nbrData = {0, 1, 3, 2, 3, 3, 1, 1, 3, 0, 2, 1};
  TensorView srcIndex{srcData.data(), GYRE_DTYPE_I32, {3}};
  TensorView nbrIndex{nbrData.data(), GYRE_DTYPE_I32, {4, 3}};
  BuiltMap src{srcIndex.get(), 4}, nbr{nbrIndex.get(), 3, true};
  gyre_context ctx{workspaceData.data(), workspaceData.bytes, nullptr, 0};
  std::vector<void *> args = {x.get(), &src.map, &nbr.map, wigner.get(),
                              s.get(), gx.get(), u.get()};
  std::vector<int64_t> frame =
      std::vector<int64_t>(static_cast<size_t>(table.frameWords) + 1, kGuard);
  static constexpr int64_t kGuard = 0x5a5a5a5a;

  int32_t enter() { return enterWith(args.data(), &ctx, frame.data()); }

  int32_t enterWith(void *const *operands, const gyre_context *context,
                    int64_t *words) {
    return gyre_rt_enter(table.words.data(), table.names.c_str(), operands,
                         context, words);
  }

  /// Expects success, and that the frame's end was respected.
  void expectOk() {
    EXPECT_EQ(enter(), GYRE_OK) << gyre_last_error();
    EXPECT_EQ(frame.back(), kGuard);
  }

  /// Expects an error, and that nothing of the caller's was written.
  void expectError(gyre_status status, const std::string &text) {
    expectOutcome(enter(), status, text);
  }

  void expectOutcome(int32_t got, gyre_status status, const std::string &text) {
    EXPECT_EQ(got, status);
    EXPECT_EQ(gyre_last_error(), text);
    for (const Memory *memory :
         {&xData, &wignerData, &sData, &gxData, &uData, &workspaceData})
      EXPECT_TRUE(memory->untouched());
    EXPECT_EQ(frame.back(), kGuard);
  }

  std::vector<int64_t> frameAt(int64_t offset, int64_t count) const {
    const auto begin = frame.begin() + offset;
    return {begin, begin + count};
  }
  int64_t offsetOf(MixOperand operand) const {
    return table.operandOffsets[operand];
  }

  static int64_t word(const void *pointer) {
    return static_cast<int64_t>(reinterpret_cast<uintptr_t>(pointer));
  }
};

using Words = std::vector<int64_t>;

} // namespace gyre::test

#endif // GYRE_TEST_UNIT_RUNTIME_ENTERSUPPORT_H
