//===- ParallelForTest.cpp - Parallel loops and their hook ----------------===//

#include "Support.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace {

using Range = std::pair<int64_t, int64_t>;

/// Collects the ranges that a loop hands out, sorted.
std::vector<Range> rangesOf(int64_t count, int64_t grain) {
  struct State {
    std::mutex mutex;
    std::vector<Range> ranges;
  } state;
  EXPECT_EQ(gyre_parallel_for(
                count, grain,
                [](void *data, int64_t begin, int64_t end) {
                  auto &state = *static_cast<State *>(data);
                  std::lock_guard<std::mutex> lock(state.mutex);
                  state.ranges.emplace_back(begin, end);
                },
                &state),
            GYRE_OK);
  std::sort(state.ranges.begin(), state.ranges.end());
  return state.ranges;
}

/// Installs a hook for the duration of a test.
class HookScope {
public:
  explicit HookScope(const gyre_parallel_for_hook *hook) {
    EXPECT_EQ(gyre_set_parallel_for(hook), GYRE_OK);
  }
  ~HookScope() { gyre_set_parallel_for(nullptr); }
};

/// Runs the blocks last to first on one thread, and counts them.
struct Backwards {
  std::atomic<int64_t> blocks{0};
  gyre_parallel_for_hook hook{&run, this};

  static void run(void *data, int64_t blocks, gyre_block_function block,
                  void *task) {
    static_cast<Backwards *>(data)->blocks += blocks;
    for (int64_t i = blocks; i-- > 0;)
      block(task, i);
  }
};

const std::vector<Range> kTenByFour = {{0, 4}, {4, 8}, {8, 10}};

TEST(ParallelFor, CutsIntoGrains) {
  EXPECT_EQ(rangesOf(10, 4), kTenByFour);
  EXPECT_EQ(rangesOf(8, 4), (std::vector<Range>{{0, 4}, {4, 8}}));
  EXPECT_EQ(rangesOf(3, 100), (std::vector<Range>{{0, 3}}));
  EXPECT_TRUE(rangesOf(0, 1).empty());
}

TEST(ParallelFor, LargestCountDoesNotOverflow) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(rangesOf(most, most - 1),
            (std::vector<Range>{{0, most - 1}, {most - 1, most}}));
}

TEST(ParallelFor, CoversEveryIterationOnce) {
  std::vector<std::atomic<int>> visits(10007);
  ASSERT_EQ(gyre_parallel_for(
                static_cast<int64_t>(visits.size()), 13,
                [](void *data, int64_t begin, int64_t end) {
                  auto &all =
                      *static_cast<std::vector<std::atomic<int>> *>(data);
                  for (int64_t i = begin; i < end; ++i)
                    ++all[static_cast<size_t>(i)];
                },
                &visits),
            GYRE_OK);
  for (const std::atomic<int> &count : visits)
    ASSERT_EQ(count, 1);
}

TEST(ParallelFor, HookGetsTheSameCut) {
  Backwards backwards;
  HookScope scope(&backwards.hook);
  EXPECT_EQ(rangesOf(10, 4), kTenByFour);
  EXPECT_EQ(backwards.blocks, 3);
}

TEST(ParallelFor, NullHookRestoresTheDefault) {
  Backwards backwards;
  {
    HookScope scope(&backwards.hook);
  }
  EXPECT_EQ(rangesOf(10, 4), kTenByFour);
  EXPECT_EQ(backwards.blocks, 0);
}

TEST(ParallelFor, NestedLoopsWork) {
  std::atomic<int64_t> sum{0};
  ASSERT_EQ(gyre_parallel_for(
                8, 1,
                [](void *data, int64_t, int64_t) {
                  gyre_parallel_for(
                      100, 7,
                      [](void *inner, int64_t begin, int64_t end) {
                        *static_cast<std::atomic<int64_t> *>(inner) +=
                            end - begin;
                      },
                      data);
                },
                &sum),
            GYRE_OK);
  EXPECT_EQ(sum, 800);
}

TEST(ParallelFor, HookMayChangeWhileLoopsRun) {
  Backwards backwards;
  std::atomic<bool> stop{false};
  std::thread setter([&] {
    while (!stop) {
      gyre_set_parallel_for(&backwards.hook);
      gyre_set_parallel_for(nullptr);
    }
  });
  for (int i = 0; i < 200; ++i)
    ASSERT_EQ(rangesOf(10, 4), kTenByFour);
  stop = true;
  setter.join();
  gyre_set_parallel_for(nullptr);
}

TEST(ParallelFor, RefusesBadArguments) {
  const gyre_range_function body = [](void *, int64_t, int64_t) { FAIL(); };
  EXPECT_EQ(gyre_parallel_for(1, 1, nullptr, nullptr),
            GYRE_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(gyre_last_error(), "[loop-body] gyre_parallel_for: argument "
                                  "`body`: expected a function, got NULL");
  EXPECT_EQ(gyre_parallel_for(-1, 1, body, nullptr),
            GYRE_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(gyre_last_error(), "[loop-count] gyre_parallel_for: argument "
                                  "`count`: expected at least 0, got -1");
  EXPECT_EQ(gyre_parallel_for(1, 0, body, nullptr),
            GYRE_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(gyre_last_error(), "[loop-grain] gyre_parallel_for: argument "
                                  "`grain`: expected at least 1, got 0");
  const gyre_parallel_for_hook empty{nullptr, nullptr};
  EXPECT_EQ(gyre_set_parallel_for(&empty), GYRE_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(gyre_last_error(),
               "[hook-null] gyre_set_parallel_for: argument `hook`: expected a "
               "function `run`, got NULL");
}

} // namespace
