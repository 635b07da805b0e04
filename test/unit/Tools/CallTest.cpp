//===- CallTest.cpp - Runs of a function that are compared ----------------===//

#include "Call.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace gyre;

namespace {

/// The run that writes something else; runs so far.
int oddRun = 0, runs = 0;
/// Whether results and workspace were spoilt before each run.
bool allSpoilt = true;

bool isSpoilt(const void *data, size_t bytes) {
  const auto *bytesOf = static_cast<const unsigned char *>(data);
  for (size_t i = 0; i < bytes; ++i)
    if (bytesOf[i] != 0xff)
      return false;
  return true;
}

/// Two results, y of 3 f64 and z of 2 f32; element 1 of z is the odd one.
int32_t run(void *const *args, const gyre_context *context) {
  ++runs;
  auto *y =
      static_cast<double *>(static_cast<const gyre_tensor *>(args[0])->data);
  auto *z =
      static_cast<float *>(static_cast<const gyre_tensor *>(args[1])->data);
  allSpoilt &= isSpoilt(y, 24) && isSpoilt(z, 8) &&
               isSpoilt(context->workspace, 64) &&
               context->workspace_bytes == 64;
  std::memset(context->workspace, runs, 64);
  y[0] = y[1] = y[2] = z[0] = 1;
  z[1] = runs == oddRun ? 3 : 2;
  return GYRE_OK;
}

int32_t workspace(const int64_t *, int64_t *bytes) {
  *bytes = 64;
  return GYRE_OK;
}

CompiledFunction::Operand result(const char *name, const char *dtype,
                                 const char *size) {
  CompiledFunction::Operand operand;
  operand.name = name;
  operand.dtype = dtype;
  operand.shape.push_back(*SizeExpr::parse(size));
  return operand;
}

/// The error of `repeat` runs on the CPU of which one is odd, "" for none.
std::string repeat(int64_t repeat, int odd, bool spoils = true,
                   llvm::function_ref<llvm::Error()> disturb = nullptr) {
  oddRun = odd;
  runs = 0;
  allSpoilt = true;
  CompiledFunction function;
  function.results = {result("y", "f64", "3"), result("z", "f32", "2")};
  Library library;
  library.packed = run;
  library.workspace = workspace;
  std::unique_ptr<Machine> machine = createHostMachine();
  Call call(function, library, *machine);
  if (!spoils)
    call.keepMemory();
  if (llvm::Error error = call.prepare({}))
    return llvm::toString(std::move(error));
  return llvm::toString(call.runFirst(/*graph=*/false, repeat, disturb));
}

TEST(Call, RunsOnce) {
  EXPECT_EQ(repeat(0, 0), "");
  EXPECT_EQ(runs, 1);
  EXPECT_TRUE(allSpoilt);
}

TEST(Call, RepeatsOverSpoiltMemory) {
  EXPECT_EQ(repeat(5, 0), "");
  EXPECT_EQ(runs, 5);
  EXPECT_TRUE(allSpoilt);
}

TEST(Call, IsDisturbedBeforeEachRunThatIsCompared) {
  int disturbed = 0, before = 0;
  auto disturb = [&] {
    before += runs;
    return ++disturbed, llvm::Error::success();
  };
  EXPECT_EQ(repeat(4, 0, /*spoils=*/true, disturb), "");
  EXPECT_EQ(disturbed, 3);
  EXPECT_EQ(before, 1 + 2 + 3);
}

TEST(Call, KeepsMemory) {
  EXPECT_EQ(repeat(2, 0, /*spoils=*/false), "");
  EXPECT_EQ(runs, 2);
  EXPECT_FALSE(allSpoilt);
}

TEST(Call, NamesTheRunAndTheResultThatDiffer) {
  EXPECT_EQ(repeat(5, 3),
            "[run-repeat] expected the bits of run 1 for result `z` in run 3, "
            "got others, first in element 1");
  EXPECT_EQ(runs, 3);
  // The first run is what the others are compared with.
  EXPECT_EQ(repeat(5, 1),
            "[run-repeat] expected the bits of run 1 for result `z` in run 2, "
            "got others, first in element 1");
}

} // namespace
