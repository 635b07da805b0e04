//===- SugarFormulas.cpp - The primitives that the named ops are ----------===//
//
// The formulas are those of docs/operators.md 1.4, 4.1, 4.2 and 6.
//
//===----------------------------------------------------------------------===//

#include "Formula.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace gyre {

/// The relation of `r`, `d` and the position `p` of an entry where only those
/// are stored that are read. Degree `l` begins at `3 l^2 - 2`, but degree 0,
/// which has one order.
static Value rotateByPacked(OpBuilder &builder, RotateOp op) {
  Formula f(builder, op.getLoc());
  Size L = {op.getDegree()}, zero = L.number(0);
  Size l = f.iterator("l", L), j = f.iterator("j", L);
  Iterator some = {l, L.number(1), L}, columns = {j, zero, 2 * l};
  Size d = l * l + j, begin = 3 * (l * l) - 2 + j, row = 2 * l + 1;
  RelationAttr relation =
      f.relation("r p d", {{{zero, zero, zero}, {}},
                           {{l, begin + row, d}, {some, columns}},
                           {{L + l, begin, d}, {some, columns}},
                           {{2 * L + l, begin + 2 * row, d}, {some, columns}}});
  return f.contract({{op.getWigner(), "e p"}, {op.getX(), "e d c"}}, "e r c",
                    {{"r", 3 * L + 1}}, relation);
}

/// Reduced row `r` reads coefficient `k(r)` of the edge frame: for the orders
/// 0, -1 and +1 in turn, all degrees that have them, and all `2l + 1`
/// coefficients `d` of the node of that degree.
Value RotateOp::decompose(OpBuilder &builder) {
  if (getWigner().getType().rank() == 2)
    return rotateByPacked(builder, *this);
  Formula f(builder, getLoc());
  Size L = {getDegree()};
  Size l = f.iterator("l", L), j = f.iterator("j", L);
  Iterator all = {l, L.number(0), L}, some = {l, L.number(1), L};
  Iterator columns = {j, L.number(0), 2 * l};
  RelationAttr relation = f.relation(
      "r k d", {{{l, l * l + l, l * l + j}, {all, columns}},
                {{L + l, l * l + l - 1, l * l + j}, {some, columns}},
                {{2 * L + l, l * l + l + 1, l * l + j}, {some, columns}}});
  return f.contract({{getWigner(), "e k d"}, {getX(), "e d c"}}, "e r c",
                    {{"r", 3 * L + 1}}, relation);
}

/// Without a basis: each row takes the radial value of its degree.
static Value expandRadial(OpBuilder &builder, DegreeMixOp op) {
  Formula f(builder, op.getLoc());
  Size L = {op.getDegree()};
  Size l = f.iterator("l", L);
  Iterator all = {l, L.number(0), L}, some = {l, L.number(1), L};
  RelationAttr relation = f.relation(
      "l r", {{{l, l}, {all}}, {{l, L + l}, {some}}, {{l, 2 * L + l}, {some}}});
  return f.contract({{op.getKernel(), "e l c"}, {op.getX(), "e r c"}}, "e r c",
                    {}, relation);
}

/// With a basis: slot `s` of the compact kernel mixes input row `i` into output
/// row `o` of the same order; the orders -1 and +1 share the second block.
static Value expandMixed(OpBuilder &builder, DegreeMixOp op) {
  Formula f(builder, op.getLoc());
  Size L = {op.getDegree()};
  Size i = f.iterator("i", L), o = f.iterator("o", L);
  Iterator allIn = {i, L.number(0), L}, allOut = {o, L.number(0), L};
  Iterator someIn = {i, L.number(1), L}, someOut = {o, L.number(1), L};
  Size block = (L + 1) * (L + 1);
  Size shared = block + (i - 1) * L + o - 1;
  RelationAttr relation = f.relation(
      "s i o", {{{i * (L + 1) + o, i, o}, {allIn, allOut}},
                {{shared, L + i, L + o}, {someIn, someOut}},
                {{shared, 2 * L + i, 2 * L + o}, {someIn, someOut}}});
  return f.contract({{op.getKernel(), "e (s p)"},
                     {op.getBasis(), "p c"},
                     {op.getX(), "e i c"}},
                    "e o c", {{"s", block + L * L}, {"o", 3 * L + 1}},
                    relation);
}

Value DegreeMixOp::decompose(OpBuilder &builder) {
  return getBasis() ? expandMixed(builder, *this)
                    : expandRadial(builder, *this);
}

/// A row is a scalar chunk (`r = 0`) and three planes, whose positions are
/// those of the gates: row `r` of degree `l` is gated by group `g = l - 1`.
Value GatedActivationOp::decompose(OpBuilder &builder) {
  Location loc = getLoc();
  Value z = getZ(), gate = getGate();
  if (!gate)
    return SiluOp::create(builder, loc, z);
  Formula f(builder, loc);
  Size L = {getDegree()}, C = {getChannels()};
  Size l = f.iterator("l", L), rows = 3 * L + 1;
  Iterator some = {l, L.number(1), L};
  RelationAttr scalar = f.relation("r", {{{L.number(0)}, {}}});
  RelationAttr planes = f.relation("r g", {{{l, l - 1}, {some}},
                                           {{L + l, l - 1}, {some}},
                                           {{2 * L + l, l - 1}, {some}}});
  Value s =
      f.contract({{z, "f e (r c)"}}, "f e c", {{"r", rows}, {"c", C}}, scalar);
  Value q = f.contract({{s, "f e c"}, {gate, "f c g"}}, "f e g");
  Value sigma = SigmoidOp::create(builder, loc, q);
  Value gated =
      f.contract({{z, "f e (r c)"}, {sigma, "f e (g c)"}}, "f e (r c)",
                 {{"r", rows}, {"c", C}, {"g", L}}, planes);
  Value activated = SiluOp::create(builder, loc, s);
  Value scalars =
      f.contract({{activated, "f e c"}}, "f e (r c)", {{"r", rows}}, scalar);
  return arith::AddFOp::create(builder, loc, scalars, gated);
}

} // namespace gyre
