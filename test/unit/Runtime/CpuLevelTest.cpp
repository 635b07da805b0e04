//===- CpuLevelTest.cpp - gyre_rt_cpu_level -------------------------------===//

#include "gyre/runtime.h"

#include "gtest/gtest.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace {

/// What the kernel says that the first processor can do.
std::set<std::string> readFlags() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line))
    if (line.rfind("flags", 0) == 0)
      break;
  std::istringstream words(line.substr(std::min(line.size(), line.find(':'))));
  std::set<std::string> flags;
  for (std::string word; words >> word;)
    flags.insert(word);
  return flags;
}

TEST(CpuLevel, IsWhatTheProcessorHas) {
  std::set<std::string> flags = readFlags();
  auto has = [&](std::initializer_list<const char *> names) {
    for (const char *name : names)
      if (!flags.count(name))
        return false;
    return true;
  };
  bool v3 = has({"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"});
  bool v4 =
      v3 && has({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"});
  EXPECT_EQ(gyre_rt_cpu_level(), v4 ? 4 : v3 ? 3 : 1);
}

} // namespace
