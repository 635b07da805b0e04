//===- Program.cpp - The host side of a program of kernels ----------------===//

#include "Program.h"

#include "CellCode.h"
#include "CellKernels.h"
#include "DeviceModule.h"

#include "gyre/Schedule/Registers.h"

#include "../Entry.h"

#include "gyre/runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace gyre::kernels {

/// Threads read rows and lanes in vectors of that many bytes at most. CPUs take
/// vectors that are aligned to their elements.
static constexpr int64_t kDeviceAlignment = 16;

Value Program::pointerOf(Value memref) {
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(*b, memref);
  address = arith::IndexCastOp::create(*b, b->getI64Type(), address);
  return LLVM::IntToPtrOp::create(
      *b, LLVM::LLVMPointerType::get(b->getContext()), address);
}

void Program::createBody(const std::string &target) {
  bool isDevice = target == "cuda";
  EntryAttr entry =
      makeEntry(func, workspace.buffers,
                {isDevice ? DeviceKind::CUDA : DeviceKind::CPU,
                 /*compact=*/true, isDevice ? kDeviceAlignment : 0});
  OpBuilder builder(func);
  body = createEntryBody(builder, func, entry);
  b = std::make_unique<Builder>(func.getLoc(), func.getContext());
  b->setInsertionPointToStart(&body.getBody().front());
  b->setInsertionPoint(func::ReturnOp::create(*b));

  unsigned next = 0;
  auto take = [&]() -> Value { return body.getArgument(next++); };
  for (BlockArgument argument : func.getBody().getArguments()) {
    if (isa<MapType>(argument.getType())) {
      for (Value &array : maps[argument])
        array = pointerOf(take());
    } else {
      pointers[argument] = pointerOf(take());
    }
  }
  for (Value value : func.getReturn().getOperands())
    pointers[value] = pointerOf(take());
  for (StringAttr name : entry.getSizes())
    sizes[name] = arith::IndexCastOp::create(*b, b->getI64Type(), take());
  Value start = pointerOf(take());
  Value offset = constant(*b, 0);
  for (EntryBufferAttr buffer : workspace.buffers) {
    bufferPointers.push_back(LLVM::GEPOp::create(
        *b, start.getType(), b->getI8Type(), start, offset));
    Value elements = size(buffer.getElements());
    Value bytes =
        arith::MulIOp::create(*b, elements, constant(*b, buffer.getBytes()));
    bytes = arith::AddIOp::create(*b, bytes, constant(*b, GYRE_ALIGNMENT - 1));
    bytes = arith::AndIOp::create(*b, bytes, constant(*b, -GYRE_ALIGNMENT));
    offset = arith::AddIOp::create(*b, offset, bytes);
  }
  for (auto [value, buffer] : workspace.bufferOf)
    pointers[value] = bufferPointers[buffer];
  workspace.stacks.visit([&](Value value, const Stacks::Place &place) {
    Type element = cast<TensorType>(value.getType()).getElementType();
    Value array = pointers.at(place.array);
    pointers[value] =
        LLVM::GEPOp::create(*b, array.getType(), getMemoryElement(element),
                            array, size(place.offset));
  });
}

Value Program::size(PolyAttr poly) {
  Value sum = constant(*b, 0);
  for (auto [coef, monomial] :
       llvm::zip_equal(poly.getCoefs(), poly.getMonomials())) {
    Value product = constant(*b, coef);
    for (StringAttr name : monomial.getAsRange<StringAttr>())
      product = arith::MulIOp::create(*b, product, sizes.at(name));
    sum = arith::AddIOp::create(*b, sum, product);
  }
  return sum;
}

std::string Program::getName(StringRef suffix) const {
  FuncOp op = func;
  return ("gyre_" + op.getSymName() + "_" + suffix).str();
}

void Program::addMap(Params &params, Value map) {
  auto &arrays = maps.find(map)->second;
  params.add(Params::index, map, arrays[0]);
  params.add(Params::order, map, arrays[1]);
  params.add(Params::ptr, map, arrays[2]);
}

Params Program::makeParams(CellsOp kernel) {
  Params params;
  CellInputs inputs(kernel);
  for (Value tensor : inputs.tensors)
    params.add(Params::tensor, tensor, pointers.at(tensor));
  for (Value map : inputs.maps)
    addMap(params, map);
  for (StringAttr name : inputs.sizes)
    params.addSize(PolyAttr::variable(name), sizes.at(name));
  for (auto [i, result] : llvm::enumerate(kernel.getResults()))
    params.add(Params::result, i, pointers.at(result));
  auto scratch = workspace.partialOf.find(kernel.getResult(0));
  if (scratch != workspace.partialOf.end())
    params.add(Params::partial, uintptr_t(0), bufferPointers[scratch->second]);
  return params;
}

void Program::forEachKernel(function_ref<void(const Plan &)> rows,
                            function_ref<void(CellsOp)> cells) {
  ArrayRef<Plan> left = plans;
  for (Operation &op : func.getBody().front()) {
    b->setLoc(op.getLoc());
    for (; !left.empty() && KernelOp(left.front().kernel) == &op;
         left = left.drop_front())
      rows(left.front());
    if (auto kernel = dyn_cast<CellsOp>(op);
        kernel && !workspace.stacks.isDone(kernel))
      cells(kernel);
  }
}

/// A worker for each node, and before these two for each range of rows: a range
/// may have the end of one heavy node and the beginning of another.
void Program::shareNodes(Params &params, Value rows, Value most, int64_t heavy,
                         PolyAttr target) {
  Value one = constant(*b, 1), two = constant(*b, 2);
  Value nodes = size(target);
  Value mean = arith::CeilDivSIOp::create(
      *b, rows, arith::MaxSIOp::create(*b, nodes, one));
  Value span = arith::CeilDivSIOp::create(*b, rows, most);
  span = arith::MaxSIOp::create(*b, span, arith::MulIOp::create(*b, mean, two));
  span = arith::MaxSIOp::create(*b, span, constant(*b, heavy));
  Value ranges = arith::CeilDivSIOp::create(*b, rows, span);
  params.add(Params::span, uintptr_t(0), span);
  params.add(
      Params::workers, uintptr_t(0),
      arith::AddIOp::create(*b, nodes, arith::MulIOp::create(*b, ranges, two)));
}

Params Program::makeParams(const Plan &plan, StringRef name) {
  Params params;
  KernelOp kernel = plan.kernel;
  auto addMap = [&](Value map) {
    this->addMap(params, map);
    PolyAttr target = cast<MapType>(map.getType()).getTarget();
    params.addSize(target, size(target));
  };
  Value rows = size(kernel.getRows());
  params.addSize(kernel.getRows(), rows);
  for (auto &[value, view] : plan.views) {
    auto row = value.getDefiningOp<RowOp>();
    Value x = row ? row.getX() : value;
    params.add(Params::tensor, x, pointers.at(x));
    if (row) {
      PolyAttr count = cast<TensorType>(x.getType()).getDims()[row.getAxis()];
      params.addSize(count, size(count));
      if (row.getMap())
        addMap(row.getMap());
    }
  }
  if (kernel.getOwner())
    addMap(kernel.getOwner());
  for (auto [i, result] : llvm::enumerate(kernel.getResults())) {
    params.add(Params::result, i, pointers.at(result));
    if (plan.kind(i) != DeliveryKind::row)
      params.add(Params::partial, i,
                 bufferPointers[workspace.partialOf.at(result)]);
  }
  Value most = constant(*b, plan.schedule.getWorkers());
  if (int64_t heavy = plan.schedule.getHeavy()) {
    shareNodes(params, rows, most, heavy,
               cast<MapType>(kernel.getOwner().getType()).getTarget());
    return params;
  }
  // Each worker has a range of `span` rows; none is without rows.
  if (!name.empty())
    most.getDefiningOp()->setDiscardableAttr(
        schedule::kWorkersAttr,
        DeviceModule::getReference(func.getContext(), name));
  Value span = arith::CeilDivSIOp::create(*b, rows, most);
  span =
      arith::MaxSIOp::create(*b, span, constant(*b, plan.schedule.getSpan()));
  params.add(Params::span, uintptr_t(0), span);
  params.add(Params::workers, uintptr_t(0),
             arith::CeilDivSIOp::create(*b, rows, span));
  return params;
}

FailureOr<std::unique_ptr<Program>> Program::create(FuncOp func,
                                                    const std::string &target) {
  std::unique_ptr<Program> program(new Program);
  program->func = func;
  // Tiles are for blocks of threads.
  if (target != "cuda")
    func.walk([](CellsOp kernel) { kernel.removeTileAttr(); });
  FailureOr<std::vector<Plan>> plans = planKernels(func);
  if (failed(plans))
    return failure();
  for (const Plan &plan : *plans)
    if (failed(target == "cuda" ? plan.checkForCUDA() : plan.checkForCPU()))
      return failure();
  program->plans = std::move(*plans);
  program->workspace = Workspace::get(func, program->plans);
  program->createBody(target);
  return program;
}

} // namespace gyre::kernels
