//===- ErrorTest.cpp - The text of the last error -------------------------===//

#include "Support.h"
#include "gyre/Runtime/EntryTable.h"

#include <cstring>
#include <string>
#include <thread>

namespace {

using namespace gyre::test;

TEST(Error, TextIsPerThreadAndEmptyAtFirst) {
  gyre_map_bytes(nullptr, 1, 0, nullptr);
  const std::string here = gyre_last_error();
  EXPECT_NE(here, "");
  std::string before, after;
  std::thread([&] {
    before = gyre_last_error();
    gyre_parallel_for(0, 0, nullptr, nullptr);
    after = gyre_last_error();
  }).join();
  EXPECT_EQ(before, "");
  EXPECT_EQ(after, "[loop-body] gyre_parallel_for: argument `body`: expected a "
                   "function, got NULL");
  EXPECT_EQ(gyre_last_error(), here);
}

TEST(Error, SuccessLeavesTheTextAlone) {
  gyre_map_bytes(nullptr, 1, 0, nullptr);
  const std::string text = gyre_last_error();
  TensorView index(nullptr, GYRE_DTYPE_I32, {4});
  int64_t bytes;
  ASSERT_EQ(gyre_map_bytes(index.get(), 1, 0, &bytes), GYRE_OK);
  EXPECT_EQ(gyre_last_error(), text);
}

TEST(Error, LongTextIsCut) {
  gyre::entry::Builder builder(std::string(5000, 'f'));
  const gyre::entry::Table table = builder.encode();
  EXPECT_EQ(gyre_rt_enter(table.words.data(), table.names.c_str(), nullptr,
                          nullptr, nullptr),
            GYRE_ERROR_INVALID_ARGUMENT);
  const std::string text = gyre_last_error();
  EXPECT_EQ(text.size(), 1023u);
  EXPECT_EQ(text.substr(0, 14), "[frame-null] f");
  EXPECT_EQ(text.substr(1020), "...");
}

} // namespace
