//===- PlanContractionsTest.cpp - Steps compute what the whole does -------===//

#include "SameValues.h"

#include "gyre/Dialect/ContractBuilder.h"
#include "gyre/InitAll.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace gyre;
using namespace gyre::test;

namespace {
struct PlanContractions : testing::Test {
  PlanContractions() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// A function of one contract of `operands` operands, over few axes, so that
  /// they share most of them.
  OwningOpRef<ModuleOp> makeContract(unsigned operands);
  /// A NaN in each cell of an argument that no tuple of its contract names.
  void poisonUnlisted(ContractOp op, unsigned position, Array &array);

  int64_t below(int64_t n) { return random() % n; }

  MLIRContext context;
  std::mt19937_64 random;
  uint64_t poisoned = 0;
};
} // namespace

OwningOpRef<ModuleOp> PlanContractions::makeContract(unsigned operands) {
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  SmallVector<AxisAttr> axes;
  for (StringRef name : {"a", "b", "c", "d", "f"})
    axes.push_back(AxisAttr::get(&context, builder.getStringAttr(name),
                                 PolyAttr::constant(&context, 1 + below(3))));
  axes.push_back(AxisAttr::get(&context, builder.getStringAttr("e"),
                               PolyAttr::variable(builder.getStringAttr("E"))));
  SmallVector<bool> used(axes.size(), false);
  auto makeSubscript = [&](double share, SmallVectorImpl<PolyAttr> &dims) {
    SmallVector<Attribute> entries;
    for (auto [i, axis] : llvm::enumerate(axes)) {
      if (double(below(1000)) >= 1000 * share)
        continue;
      used[i] = true;
      bool grouped = !entries.empty() && below(4) == 0;
      SmallVector<Attribute> group;
      if (grouped)
        llvm::append_range(group, cast<ArrayAttr>(entries.pop_back_val()));
      group.push_back(axis.getName());
      PolyAttr size =
          grouped ? dims.pop_back_val().mul(axis.getSize()) : axis.getSize();
      entries.push_back(builder.getArrayAttr(group));
      dims.push_back(size);
    }
    return builder.getArrayAttr(entries);
  };
  SmallVector<Type> types;
  SmallVector<ArrayAttr> subscripts;
  SmallVector<StringRef> names;
  for (unsigned i = 0; i < operands; ++i) {
    SmallVector<PolyAttr> dims;
    subscripts.push_back(makeSubscript(0.5, dims));
    types.push_back(gyre::TensorType::get(dims, builder.getF64Type()));
    names.push_back(StringRef("pqrstuv").substr(i, 1));
  }
  SmallVector<PolyAttr> dims;
  ArrayAttr result = makeSubscript(0.35, dims);

  SmallVector<AxisAttr> tied;
  for (auto [i, axis] : llvm::enumerate(axes))
    if (used[i] && axis.getSize().getConstant() && below(5) < 3)
      tied.push_back(axis);
  Attribute relation;
  if (!tied.empty()) {
    SmallVector<StringAttr> tiedNames;
    SmallVector<int64_t> indices;
    SmallVector<double> coefficients;
    for (AxisAttr axis : tied)
      tiedNames.push_back(axis.getName());
    for (int64_t tuples = 1 + below(12); tuples > 0; --tuples) {
      for (AxisAttr axis : tied)
        indices.push_back(below(*axis.getSize().getConstant()));
      coefficients.push_back(below(2) ? 1.5 : -1.0);
    }
    TuplesAttr merged =
        TuplesAttr::getCanonical(&context, tiedNames, indices, coefficients);
    if (merged.size() > 0) // all may have cancelled
      relation = merged;
  }
  builder.setInsertionPointToEnd(module->getBody());
  Type resultType = gyre::TensorType::get(dims, builder.getF64Type());
  FuncOp func = FuncOp::create(builder, loc, "f",
                               builder.getFunctionType(types, {resultType}),
                               names, {"y"});
  Block &body = func.getBody().front();
  builder.setInsertionPointToEnd(&body);
  Value y = buildContract(builder, loc, body.getArguments(), subscripts, result,
                          axes, relation);
  ReturnOp::create(builder, loc, y);
  return module;
}

void PlanContractions::poisonUnlisted(ContractOp op, unsigned position,
                                      Array &array) {
  TuplesAttr tuples = op.getTuples();
  if (!tuples)
    return;
  auto subscript = cast<ArrayAttr>(op.getSubscripts()[position]);
  for (size_t cell = 0; cell < array.data.size(); ++cell) {
    // The index of each axis, innermost first.
    std::map<StringRef, int64_t> index;
    int64_t rest = cell;
    for (Attribute group : llvm::reverse(subscript))
      for (Attribute axis : llvm::reverse(cast<ArrayAttr>(group))) {
        int64_t size = op.getAxisSize(cast<StringAttr>(axis))
                           .getConstant()
                           .value_or(getSizes().lookup("E"));
        index[cast<StringAttr>(axis).getValue()] = rest % size;
        rest /= size;
      }
    bool listed = false;
    for (int64_t i = 0; i < tuples.size() && !listed; ++i) {
      listed = true;
      for (auto [axis, value] :
           llvm::zip_equal(tuples.getAxes(), tuples.tuple(i))) {
        auto it = index.find(axis.getValue());
        listed &= it == index.end() || it->second == value;
      }
    }
    if (listed)
      continue;
    array.data[cell] = std::nan("");
    ++poisoned;
  }
}

TEST_F(PlanContractions, KeepsTheValuesOfRandomProgramsAndTheirDerivatives) {
  PassManager passes(&context);
  passes.addPass(createSimplify());
  passes.addPass(createPlanContractions());
  expectSameValues(context, passes, 1000);
}

TEST_F(PlanContractions, LeavesNoContractOfManyOperands) {
  PassManager passes(&context);
  passes.addPass(createPlanContractions());
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    random.seed(seed);
    OwningOpRef<ModuleOp> module = makeContract(2 + seed % 6);
    OwningOpRef<ModuleOp> planned = module->clone();
    ASSERT_TRUE(succeeded(passes.run(*planned)));
    planned->walk([](ContractOp op) { EXPECT_LE(op.getInputs().size(), 2u); });

    auto func = cast<FuncOp>(module->getBody()->front());
    auto op = cast<ContractOp>(func.getBody().front().front());
    std::vector<Argument> arguments = makeArguments(func, random);
    for (auto [i, argument] : llvm::enumerate(arguments))
      poisonUnlisted(op, i, std::get<Array>(argument));
    compareValues(func, cast<FuncOp>(planned->getBody()->front()), arguments);
    if (HasFailure())
      return;
  }
  EXPECT_GT(poisoned, 300u);
}
