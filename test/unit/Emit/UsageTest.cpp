//===- UsageTest.cpp - What ptxas says of kernels -------------------------===//

#include "CudaToolkit.h"

#include "gtest/gtest.h"

using namespace gyre::emit;

namespace {

TEST(ReadUsage, TakesEachKernelApart) {
  llvm::StringMap<KernelUsage> kernels = readUsage(
      R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'f_0' for 'sm_90a'
ptxas info    : Function properties for helper
    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Function properties for f_0
    48 bytes stack frame, 40 bytes spill stores, 44 bytes spill loads
ptxas info    : Used 168 registers, used 1 barriers, 49152 bytes smem, 380 bytes cmem[0]
ptxas info    : Compile time = 5803.125 ms
ptxas info    : Compiling entry function 'f_1' for 'sm_90a'
ptxas info    : Function properties for f_1
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers, used 0 barriers
ptxas info    : Compile time = 1.5 ms
)");
  ASSERT_EQ(kernels.size(), 2u);
  KernelUsage first = kernels.lookup("f_0"), second = kernels.lookup("f_1");
  EXPECT_EQ(first.registers, 168);
  EXPECT_EQ(first.spillBytes, 84);
  EXPECT_EQ(first.sharedBytes, 49152);
  EXPECT_EQ(first.milliseconds, 5803.125);
  EXPECT_EQ(second.registers, 12);
  EXPECT_EQ(second.spillBytes, 0);
  EXPECT_EQ(second.sharedBytes, 0);
  EXPECT_EQ(second.milliseconds, 1.5);
}

TEST(ReadUsage, OfOtherWordsIsEmpty) {
  EXPECT_TRUE(readUsage("").empty());
  EXPECT_TRUE(readUsage("    4 bytes spill stores\nUsed 7 registers").empty());
}

} // namespace
