//===- Register.cpp - All rules -------------------------------------------===//

#include "gyre/Differentiate/Rules.h"

void gyre::registerDifferentiationRules(mlir::DialectRegistry &registry) {}
