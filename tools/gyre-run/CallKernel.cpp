//===- CallKernel.cpp - Calling and timing what a manifest describes ------===//

#include "Call.h"
#include "Files.h"
#include "Modes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace llvm;

namespace gyre {
namespace {

/// The copies of a call that runs take in turn, at most.
constexpr int64_t kMaxCopies = 4096;
/// Runs before those that count.
constexpr int64_t kWarmUp = 5;

/// What `--bench` found.
struct Report {
  std::string device;
  StringMap<int64_t> sizes;
  int64_t runs = 0, copies = 0, bytes = 0;
  double median = 0, least = 0, most = 0;
  /// The middle half of the runs, relative to the median.
  double spread = 0;
  /// Bytes a second that the machine copies, reads and writes counted, and
  /// that it fills.
  double copied = 0, filled = 0;

  void setTimes(std::vector<double> seconds) {
    llvm::sort(seconds);
    auto at = [&](size_t quarter) {
      return seconds[quarter * (seconds.size() - 1) / 4];
    };
    least = at(0);
    median = at(2);
    most = at(4);
    spread = median > 0 ? (at(3) - at(1)) / median : 0;
  }
  double gigabytesPerSecond() const {
    return median > 0 ? 1e-9 * static_cast<double>(bytes) / median : 0;
  }
};

} // namespace

static void print(raw_ostream &os, const Report &report,
                  const CompiledFunction &function) {
  os << function.name << " on " << report.device << ": median "
     << format("%.3f", 1e6 * report.median) << " us (min "
     << format("%.3f", 1e6 * report.least) << ", max "
     << format("%.3f", 1e6 * report.most) << ", middle half "
     << format("%.1f", 100 * report.spread) << " %), "
     << format("%.1f", report.gigabytesPerSecond()) << " GB/s over "
     << report.bytes << " compulsory bytes; " << report.runs << " runs on "
     << report.copies << " copies; a copy moves "
     << format("%.1f", 1e-9 * report.copied) << " GB/s, a fill "
     << format("%.1f", 1e-9 * report.filled) << "\n";
}

static void printJSON(raw_ostream &os, const Report &report,
                      const CompiledFunction &function) {
  json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("function", function.name);
    json.attribute("target", function.target);
    json.attribute("device", report.device);
    json.attributeObject("sizes", [&] {
      for (const std::string &name : function.sizes)
        json.attribute(name, report.sizes.lookup(name));
    });
    json.attribute("runs", report.runs);
    json.attribute("copies", report.copies);
    json.attribute("bytes", report.bytes);
    json.attribute("median_s", report.median);
    json.attribute("min_s", report.least);
    json.attribute("max_s", report.most);
    json.attribute("spread", report.spread);
    json.attribute("gb_per_s", report.gigabytesPerSecond());
    json.attribute("copy_gb_per_s", 1e-9 * report.copied);
    json.attribute("fill_gb_per_s", 1e-9 * report.filled);
  });
  os << "\n";
}

/// What moves nothing but bytes: no function that does is faster.
static Error measureCeilings(int64_t runs, Machine &machine, Report &report) {
  constexpr int64_t kRuns = 20;
  const int64_t bytes = machine.passBytes();
  Expected<Block> from = machine.allocate(bytes), to = machine.allocate(bytes);
  if (Error error = joinErrors(from.takeError(), to.takeError()))
    return error;
  const auto measure = [&](int64_t moved, double &perSecond,
                           function_ref<Error(int64_t)> call) -> Error {
    for (int64_t i : {0, 1})
      if (Error error = call(i))
        return error;
    Expected<std::vector<double>> seconds =
        machine.time(std::min(runs, kRuns), call);
    if (!seconds)
      return seconds.takeError();
    Report times;
    times.setTimes(std::move(*seconds));
    perSecond =
        times.median > 0 ? static_cast<double>(moved) / times.median : 0;
    return Error::success();
  };
  if (Error error = measure(bytes, report.filled, [&](int64_t i) {
        return machine.spoil(i % 2 ? to->get() : from->get(), bytes);
      }))
    return error;
  return measure(2 * bytes, report.copied, [&](int64_t) {
    return machine.copy(to->get(), from->get(), bytes);
  });
}

/// Times a function on copies of its operands that together are too large for
/// the cache, each run on the copy that was used longest ago.
static Error bench(const RunOptions &options, const CompiledFunction &function,
                   const Library &library, Machine &machine,
                   const Inputs &inputs, Call &first) {
  Report report;
  report.device = machine.name();
  report.sizes = inputs.sizes;
  report.runs = options.runs;
  report.bytes = options.bytes ? options.bytes : first.compulsoryBytes();
  if (Error error = measureCeilings(options.runs, machine, report))
    return error;
  const int64_t each = std::max<int64_t>(first.compulsoryBytes(), 1);
  report.copies = std::min(2 * machine.cacheBytes() / each + 1, kMaxCopies);
  std::vector<std::unique_ptr<Call>> others;
  for (int64_t i = 1; i < report.copies; ++i) {
    others.push_back(std::make_unique<Call>(function, library, machine));
    if (Error error = others.back()->prepare(inputs))
      return error;
    if (options.graph)
      if (Error error = others.back()->record())
        return error;
  }
  auto run = [&](int64_t i) {
    const int64_t copy = i % report.copies;
    return copy == 0 ? first.run()
                     : others[static_cast<size_t>(copy) - 1]->run();
  };
  // Each copy once: what a first call checks, and loads, is not timed.
  for (int64_t i = 0; i < std::max(report.copies, kWarmUp); ++i)
    if (Error error = run(i))
      return error;
  if (Error error = machine.finish())
    return error;
  Expected<std::vector<double>> seconds = machine.time(report.runs, run);
  if (!seconds)
    return seconds.takeError();
  report.setTimes(std::move(*seconds));
  if (options.json.empty()) {
    print(outs(), report, function);
    return Error::success();
  }
  std::error_code code;
  raw_fd_ostream os(options.json, code);
  if (code)
    return makeError("[run-output] expected to write " + options.json +
                     ", got: " + code.message());
  printJSON(os, report, function);
  return Error::success();
}

/// Other calls of a function, which are never waited for.
class Load {
public:
  /// So many for each call that they disturb.
  static constexpr int kCalls = 4;

  Error prepare(const RunOptions &options, const CompiledFunction &function,
                const Library &library, const Inputs &inputs) {
    auto created = createMachine(function.target, options.device);
    if (!created)
      return created.takeError();
    machine = std::move(*created);
    call = std::make_unique<Call>(function, library, *machine);
    return call->prepare(inputs);
  }
  Error enqueue() {
    for (int i = 0; i < kCalls; ++i)
      if (Error error = call->run())
        return error;
    return Error::success();
  }
  Error finish() { return machine->finish(); }

private:
  std::unique_ptr<Machine> machine; // its stream is another one
  std::unique_ptr<Call> call;
};

static Error runFirst(const RunOptions &options,
                      const CompiledFunction &function, const Library &library,
                      const Inputs &inputs, Call &call) {
  if (!options.load)
    return call.runFirst(options.graph, options.repeat);
  Load load;
  if (Error error = load.prepare(options, function, library, inputs))
    return error;
  if (Error error = call.runFirst(options.graph, options.repeat,
                                  [&] { return load.enqueue(); }))
    return error;
  return load.finish();
}

static Error checkOptions(const RunOptions &options) {
  if (options.func.empty())
    return makeError("[run-mode] expected --func or --gradcheck, got neither");
  if (options.in.empty() == options.random.empty())
    return makeError("[run-mode] expected either --in or --random, got " +
                     Twine(options.in.empty() ? "none" : "both"));
  if (options.random.empty() && options.references != References::Uniform)
    return makeError("[run-mode] expected --random with --references, got "
                     "none");
  if (options.out.empty() && !options.bench && !options.repeat)
    return makeError(
        "[run-mode] expected --out, --bench or --repeat, got none");
  if (!options.bench && !options.json.empty())
    return makeError("[run-mode] expected --bench with --json, got none");
  if (options.repeat < 2 && options.repeat != 0)
    return makeError("[run-mode] expected at least 2 runs to compare, got " +
                     Twine(options.repeat));
  if (options.load && !options.repeat)
    return makeError("[run-mode] expected --repeat with --load, got none");
  if (options.runs < 1)
    return makeError("[run-mode] expected at least 1 run, got " +
                     Twine(options.runs));
  return Error::success();
}

static Expected<Inputs> makeInputs(const RunOptions &options,
                                   const CompiledFunction &function) {
  Expected<StringMap<int64_t>> sizes = parseSizes(options.size);
  if (!sizes)
    return sizes.takeError();
  if (options.random.empty())
    return Inputs::read(function, options.in, *sizes);
  Expected<uint64_t> seed = parseSeed(options.random);
  if (!seed)
    return seed.takeError();
  return Inputs::random(function, *seed, options.references, *sizes);
}

static Error call(const RunOptions &options) {
  if (Error error = checkOptions(options))
    return error;
  auto function = CompiledFunction::read(options.input, options.func);
  if (!function)
    return function.takeError();
  Library library;
  if (Error error = library.load(*function))
    return error;
  Expected<Inputs> inputs = makeInputs(options, *function);
  if (!inputs)
    return inputs.takeError();
  auto machine = createMachine(function->target, options.device);
  if (!machine)
    return machine.takeError();
  Call call(*function, library, **machine);
  if (options.keepMemory)
    call.keepMemory();
  if (Error error = call.prepare(*inputs))
    return error;
  if (Error error = runFirst(options, *function, library, *inputs, call))
    return error;
  if (!options.out.empty())
    if (Error error = call.writeResults(options.out))
      return error;
  if (!options.bench)
    return Error::success();
  return bench(options, *function, library, **machine, *inputs, call);
}

int callKernel(const RunOptions &options) {
  if (Error error = call(options))
    return reportError(toString(std::move(error)));
  return 0;
}

} // namespace gyre
