//===- ParallelFor.cpp - Parallel loops and their hook ----------*- C++ -*-===//

#include "Error.h"

#include <atomic>
#include <cinttypes>
#ifndef GYRE_RUNTIME_OPENMP
#include <algorithm>
#include <system_error>
#include <thread>
#endif

namespace gyre::runtime {
namespace {

/// A loop, cut into blocks of `grain` iterations before any hook sees it, so
/// that no hook can change which iterations share a block.
struct Loop {
  int64_t count;
  int64_t grain;
  gyre_range_function body;
  void *data;

  int64_t blocks() const { return count / grain + (count % grain != 0); }

  static void runBlock(void *task, int64_t block) {
    const Loop &loop = *static_cast<const Loop *>(task);
    const int64_t begin = block * loop.grain;
    const int64_t left = loop.count - begin;
    loop.body(loop.data, begin,
              begin + (left < loop.grain ? left : loop.grain));
  }
};

/// NULL for the runtime's own way.
std::atomic<const gyre_parallel_for_hook *> currentHook{nullptr};

#ifdef GYRE_RUNTIME_OPENMP

void runBlocks(int64_t blocks, gyre_block_function block, void *task) {
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t i = 0; i < blocks; ++i)
    block(task, i);
}

#else

constexpr int64_t kMaxThreads = 256;

/// Whether this thread is inside a block: a loop there adds no threads.
thread_local bool insideBlock = false;

int64_t threadCount() {
  static const auto threads =
      static_cast<int64_t>(std::thread::hardware_concurrency());
  return std::clamp<int64_t>(threads, 1, kMaxThreads);
}

void runBlocks(int64_t blocks, gyre_block_function block, void *task) {
  std::atomic<int64_t> next{0};
  const auto work = [&] {
    const bool wasInside = insideBlock;
    insideBlock = true;
    for (int64_t i;
         (i = next.fetch_add(1, std::memory_order_relaxed)) < blocks;)
      block(task, i);
    insideBlock = wasInside;
  };
  const int64_t helpers = insideBlock ? 0 : std::min(threadCount(), blocks) - 1;
  std::thread threads[kMaxThreads - 1];
  int64_t started = 0;
  try {
    for (; started < helpers; ++started)
      threads[started] = std::thread(work);
  } catch (const std::system_error &) {
    // No more threads to be had: those that are there, and this one, do it all.
  }
  work();
  for (int64_t i = 0; i < started; ++i)
    threads[i].join();
}

#endif

} // namespace
} // namespace gyre::runtime

using namespace gyre::runtime;

gyre_status gyre_set_parallel_for(const gyre_parallel_for_hook *hook) {
  if (hook && !hook->run)
    return Message("hook-null", {"gyre_set_parallel_for", "argument", "hook"})
        .add("expected a function `run`, got NULL")
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  currentHook.store(hook, std::memory_order_release);
  return GYRE_OK;
}

gyre_status gyre_parallel_for(int64_t count, int64_t grain,
                              gyre_range_function body, void *data) {
  if (!body)
    return Message("loop-body", {"gyre_parallel_for", "argument", "body"})
        .add("expected a function, got NULL")
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  if (count < 0)
    return Message("loop-count", {"gyre_parallel_for", "argument", "count"})
        .add("expected at least 0, got %" PRId64, count)
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  if (grain < 1)
    return Message("loop-grain", {"gyre_parallel_for", "argument", "grain"})
        .add("expected at least 1, got %" PRId64, grain)
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  if (count == 0)
    return GYRE_OK;
  Loop loop{count, grain, body, data};
  const int64_t blocks = loop.blocks();
  if (blocks == 1)
    body(data, 0, count);
  else if (const gyre_parallel_for_hook *hook =
               currentHook.load(std::memory_order_acquire))
    hook->run(hook->data, blocks, &Loop::runBlock, &loop);
  else
    runBlocks(blocks, &Loop::runBlock, &loop);
  return GYRE_OK;
}
