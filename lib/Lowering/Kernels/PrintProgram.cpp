//===- PrintProgram.cpp - gyre-print-program ------------------------------===//

#include "CellKernels.h"
#include "Workspace.h"

#include "gyre/Tiles/Product.h"
#include "gyre/Transforms/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_PRINTPROGRAM
#include "gyre/Transforms/Passes.h.inc"

using kernels::Plan;

namespace {

/// Prints the program of one function; Passes.td says what a line means.
class Printer {
public:
  Printer(FuncOp func, llvm::raw_ostream &os)
      : func(func), os(os), stacks(kernels::Stacks::get(func)) {}

  LogicalResult print();

private:
  void
  forEachKernel(ArrayRef<Plan> plans,
                function_ref<void(unsigned, Operation *, const Plan *)> visit);
  void nameValues(ArrayRef<Plan> plans);
  void printPrecision(Operation *kernel);
  void printKernel(const Plan &plan);
  void printReads(const Plan &plan);
  void printAxes(const Plan &plan);
  void printDeliveries(KernelOp kernel);
  void printCells(CellsOp kernel);
  void printWorkspace(ArrayRef<Plan> plans);
  /// Starts a line of a kernel's block, or of the workspace's.
  llvm::raw_ostream &line(StringRef label) {
    return os << "    " << llvm::left_justify(label, 11);
  }

  FuncOp func;
  llvm::raw_ostream &os;
  kernels::Stacks stacks;
  /// Arguments and results by their names, values between kernels as `K.R`:
  /// result R of kernel K.
  llvm::DenseMap<Value, std::string> names;
};

} // namespace

/// The parts of a kernel are kernels of their own; one of cells has no plan.
void Printer::forEachKernel(
    ArrayRef<Plan> plans,
    function_ref<void(unsigned, Operation *, const Plan *)> visit) {
  unsigned number = 0;
  for (Operation &op : func.getBody().front()) {
    for (; !plans.empty() && KernelOp(plans.front().kernel) == &op;
         plans = plans.drop_front())
      visit(number++, &op, &plans.front());
    if (isa<CellsOp>(op))
      visit(number++, &op, nullptr);
  }
}

void Printer::nameValues(ArrayRef<Plan> plans) {
  for (auto [i, argument] : llvm::enumerate(func.getBody().getArguments()))
    names[argument] = func.getArgName(i).str();
  for (auto [i, value] : llvm::enumerate(func.getReturn().getOperands()))
    names.try_emplace(value, func.getResName(i).str());
  forEachKernel(plans, [&](unsigned number, Operation *op, const Plan *) {
    for (auto [r, result] : llvm::enumerate(op->getResults()))
      names.try_emplace(result, llvm::formatv("{0}.{1}", number, r));
  });
}

void Printer::printReads(const Plan &plan) {
  line("reads");
  llvm::ListSeparator comma;
  for (auto &[value, view] : plan.views) {
    auto row = value.getDefiningOp<RowOp>();
    if (!row) {
      os << comma << names.at(value);
      continue;
    }
    std::string index =
        row.getMap() ? names.at(row.getMap()) + "[row]" : std::string("row");
    os << comma << names.at(row.getX()) << "[";
    for (int64_t i = 0; i < int64_t(row.getAxis()); ++i)
      os << ":, ";
    os << index << "]";
  }
  os << "\n";
}

void Printer::printAxes(const Plan &plan) {
  line("axes");
  llvm::ListSeparator comma;
  for (auto [axis, place] : llvm::enumerate(plan.schedule.getPlaces()))
    os << comma << plan.axes.size(axis) << " " << stringifyPlace(place);
  os << "\n";
}

void Printer::printDeliveries(KernelOp kernel) {
  line("delivers");
  llvm::ListSeparator comma;
  for (auto [i, result] : llvm::enumerate(kernel.getResults())) {
    DeliveryAttr delivery = kernel.getDelivery(i);
    os << comma << names.at(result) << " "
       << stringifyDeliveryKind(delivery.getKind()) << " "
       << delivery.getAxis();
  }
  os << "\n";
}

void Printer::printPrecision(Operation *kernel) {
  llvm::SmallDenseSet<Operation *> ofMatrixUnits;
  if (auto cells = dyn_cast<CellsOp>(kernel); cells && cells.getTile())
    if (auto pieces = tiles::Pieces::get(cells))
      for (const tiles::Piece &piece : pieces->pieces)
        for (const tiles::Product &term : piece.terms)
          if (term.getMatrixMode())
            ofMatrixUnits.insert(term.op);
  SmallVector<std::pair<Precision, bool>, 2> found;
  kernel->walk([&](ContractOp op) {
    if (!op.getPrecision())
      return;
    std::pair<Precision, bool> own(*op.getPrecision(),
                                   ofMatrixUnits.contains(op));
    if (!llvm::is_contained(found, own))
      found.push_back(own);
  });
  if (found.empty())
    return;
  line("precision");
  llvm::ListSeparator comma;
  for (auto [precision, onUnits] : found) {
    os << comma << stringifyPrecision(precision);
    if (onUnits)
      os << " on matrix units";
    else if (precision != Precision::ieee && precision != Precision::fp64)
      os << " as ieee";
  }
  os << "\n";
}

void Printer::printKernel(const Plan &plan) {
  KernelOp kernel = plan.kernel;
  os << " over " << kernel.getRows().str();
  if (Value owner = kernel.getOwner())
    os << " by " << names.at(owner);
  os << "\n";
  printReads(plan);
  printAxes(plan);
  int64_t loads = llvm::count_if(plan.graph.getNodes(), [](auto &node) {
    return node.kind == cells::Node::load;
  });
  int64_t terms = llvm::count_if(plan.order.steps, [](auto &step) {
    return step.kind == cells::Step::term;
  });
  line("cells") << loads << " read, " << terms << " terms of sums, "
                << plan.order.mostAlive << " vectors alive\n";
  ScheduleAttr schedule = plan.schedule;
  if (!plan.isLast)
    line("part") << "goes on in the next kernel\n";
  line("lanes") << schedule.getLanes() << " of " << schedule.getVector()
                << " cells\n";
  if (schedule.getHeavy() > 0)
    line("workers") << "one a node; up to " << schedule.getWorkers()
                    << " ranges, of " << schedule.getHeavy()
                    << " rows or more, of heavy nodes\n";
  else
    line("workers") << "up to " << schedule.getWorkers() << ", of "
                    << schedule.getSpan() << " rows or more, "
                    << schedule.getTeams() << " a block\n";
  printPrecision(kernel);
  printDeliveries(kernel);
}

void Printer::printCells(CellsOp kernel) {
  os << " of cells";
  if (stacks.isDone(kernel))
    os << ", whose parts are there";
  if (stacks.getAddend(kernel))
    os << ", in place";
  os << "\n";
  line("reads");
  llvm::ListSeparator comma;
  kernels::CellInputs inputs(kernel);
  for (Value value : llvm::concat<const Value>(inputs.tensors, inputs.maps))
    os << comma << names.at(value);
  os << "\n";
  line("computes");
  llvm::ListSeparator then;
  for (Operation &op : kernel.getBody().front().without_terminator())
    os << then << op.getName();
  os << "\n";
  if (kernel.getParts())
    line("parts") << *kernel.getParts() << "\n";
  if (std::optional<TileAttr> tile = kernel.getTile())
    line("tile") << tile->getRows() << " x " << tile->getColumns()
                 << " of depth " << tile->getDepth() << ", a thread "
                 << tile->getThreadRows() << " x " << tile->getThreadColumns()
                 << ", " << tile->getStages() << " stages\n";
  printPrecision(kernel);
  line("delivers");
  llvm::ListSeparator and_;
  for (Value result : kernel.getResults())
    os << and_ << names.at(result);
  os << "\n";
}

void Printer::printWorkspace(ArrayRef<Plan> plans) {
  auto workspace = kernels::Workspace::get(func, plans);
  if (workspace.buffers.empty())
    return;
  os << "  workspace\n";
  for (auto [i, buffer] : llvm::enumerate(workspace.buffers)) {
    os << "    " << buffer.getElements().str() << " elements of "
       << buffer.getBytes() << " bytes:";
    llvm::ListSeparator comma(",");
    for (Operation &op : func.getBody().front())
      for (Value result : op.getResults()) {
        auto value = workspace.bufferOf.find(result);
        if (value != workspace.bufferOf.end() && value->second == i)
          os << comma << " " << names.at(result);
        auto partial = workspace.partialOf.find(result);
        if (partial != workspace.partialOf.end() && partial->second == i)
          os << comma << (isa<CellsOp>(op) ? " parts of " : " partial rows of ")
             << names.at(result);
      }
    os << "\n";
  }
}

LogicalResult Printer::print() {
  FailureOr<std::vector<Plan>> plans = kernels::planKernels(func);
  if (failed(plans))
    return failure();
  nameValues(*plans);
  os << "program " << func.getSymName() << "\n";
  forEachKernel(*plans, [&](unsigned number, Operation *op, const Plan *plan) {
    os << "  kernel " << number;
    if (plan)
      printKernel(*plan);
    else
      printCells(cast<CellsOp>(op));
  });
  printWorkspace(*plans);
  return success();
}

namespace {
struct PrintProgram : impl::PrintProgramBase<PrintProgram> {
  explicit PrintProgram(llvm::raw_ostream &os = llvm::errs()) : os(os) {}

  void runOnOperation() override {
    for (FuncOp func : getOperation().getOps<FuncOp>())
      if (failed(Printer(func, os).print()))
        return signalPassFailure();
    os.flush();
    markAllAnalysesPreserved();
  }

private:
  llvm::raw_ostream &os;
};
} // namespace

std::unique_ptr<Pass> createPrintProgram(llvm::raw_ostream &os) {
  return std::make_unique<PrintProgram>(os);
}

} // namespace gyre
