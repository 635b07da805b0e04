//===- EmitTest.cpp - What the command line cannot reach ------------------===//

#include "gyre/Emit/Emit.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace gyre;
using namespace mlir;

namespace {

class EmitTest : public testing::Test {
protected:
  EmitTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          errors += diagnostic.str() + "\n";
          return success();
        }) {
    llvm::sys::fs::createUniqueDirectory("gyre-emit", directory);
  }
  ~EmitTest() override { llvm::sys::fs::remove_directories(directory); }

  std::string path(llvm::StringRef name) {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, name);
    return path.str().str();
  }
  std::string read(llvm::StringRef name) {
    auto buffer = llvm::MemoryBuffer::getFile(path(name));
    return buffer ? (*buffer)->getBuffer().str() : "none";
  }
  size_t countFiles() {
    std::error_code error;
    size_t count = 0;
    for (llvm::sys::fs::directory_iterator it(directory, error), end;
         it != end && !error; it.increment(error))
      ++count;
    return count;
  }

  MLIRContext context;
  Location loc = UnknownLoc::get(&context);
  std::string errors;
  ScopedDiagnosticHandler handler;
  llvm::SmallString<128> directory;
};

TEST_F(EmitTest, BaselineMachineOfTheHost) {
  auto machine = createBaselineMachine(loc);
  ASSERT_TRUE(succeeded(machine));
  EXPECT_EQ((*machine)->getTargetFeatureString(), "");
  EXPECT_EQ((*machine)->getRelocationModel(), llvm::Reloc::PIC_);
}

TEST_F(EmitTest, UnknownArchitecture) {
  EXPECT_TRUE(failed(createBaselineMachine(loc, "abacus-unknown-linux")));
  EXPECT_NE(errors.find("[emit-target] expected code generation for "
                        "abacus-unknown-linux, got: "),
            std::string::npos)
      << errors;
}

TEST_F(EmitTest, FilesAreWrittenAndReplaced) {
  EXPECT_TRUE(succeeded(writeFiles(
      loc, {{path("a"), "1"}, {path("b"), "2", /*executable=*/true}})));
  EXPECT_TRUE(succeeded(writeFiles(loc, {{path("a"), "3"}})));
  EXPECT_EQ(read("a"), "3");
  EXPECT_EQ(read("b"), "2");
  EXPECT_FALSE(llvm::sys::fs::can_execute(path("a")));
  EXPECT_TRUE(llvm::sys::fs::can_execute(path("b")));
  EXPECT_EQ(countFiles(), 2u);
}

TEST_F(EmitTest, AllFilesOrNone) {
  ASSERT_FALSE(llvm::sys::fs::create_directory(path("c")));
  EXPECT_TRUE(failed(
      writeFiles(loc, {{path("a"), "1"}, {path("b"), "2"}, {path("c"), "3"}})));
  EXPECT_NE(errors.find("[emit-output] expected to write "), std::string::npos);
  EXPECT_EQ(countFiles(), 1u) << "only the directory";
}

} // namespace
