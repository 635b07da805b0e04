//===- Ahead.h - Rows copied to shared memory ahead of time -----*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_AHEAD_H
#define GYRE_LIB_LOWERING_KERNELS_AHEAD_H

#include "OwnWords.h"

#include "gyre/Schedule/Lanes.h"

namespace gyre::kernels {

/// While a team computes a row, what the next ones read is on its way from
/// memory to the memory that the block shares: no thread waits for it, and it
/// takes no registers. That is one row, or more where little is computed. Cells
/// along the lanes are copied by the thread that needs them; those of the
/// owner's nodes when a row is of another node than the one before. Words that
/// lanes share are copied a word a thread, in the order in which the body uses
/// them, and are read back several at once.
class Ahead {
public:
  Ahead(Builder &b, const Plan &plan, const Params &params, Team &team,
        OwnWords &words, mlir::ValueRange coordinates);

  /// Of shared memory, for one team.
  int64_t getBytes() const;

  /// Starts the first copies for a team, the number `number` in its block,
  /// whose rows are at positions [lo, hi) of the owner's order, or of all rows.
  /// What positions carry from one to the next.
  Values begin(mlir::Value number, mlir::Value lo, mlir::Value hi);
  /// The rows from here on are of this node of the owner.
  void enterNode(mlir::Value node);
  /// Waits for the row at a position, and starts to copy a later one. Returns
  /// the row, and changes what is carried.
  mlir::Value enter(mlir::Value position, Values &carried);
  /// A node of the row that was entered.
  mlir::Value nodeOf(mlir::Value map) const;
  /// Waits for what is still on its way.
  void end();

  /// Whether a cell is one of the owner's node.
  bool isOfOwner(cells::NodeId node) const;
  /// A node of the row that was entered, null if it is not copied. Shared ones
  /// must be asked for in the order of their uses.
  mlir::Value load(cells::NodeId node);

private:
  /// Words of one value: offsets in their row, in the order of their uses.
  struct Stream {
    mlir::Value value;
    llvm::SmallVector<int32_t> offsets;
    /// Where the stream is in the memory of a row, in bytes, and what was read
    /// last.
    int64_t begin = 0;
    size_t used = 0;
    mlir::Value group;
  };

  void planLanes();
  void planStreams();
  void chooseDepth();
  std::optional<int64_t> getCopied(cells::NodeId node) const;
  /// Takes so many bytes; where they begin, none if there is no room.
  std::optional<int64_t> allocate(int64_t &used, int64_t bytes);
  /// The memory of a position's row: `depth` + 1 take turns.
  mlir::Value pieceOf(mlir::Value position);
  mlir::Value at(mlir::Value piece, int64_t begin);
  /// The same, and on by so many bytes for each thread before this one.
  mlir::Value ofThread(mlir::Value piece, int64_t begin, int64_t bytes);
  /// `isShared`: other threads read of the same words, or the same again.
  void copy(mlir::Value to, mlir::Value from, int64_t bytes, bool isShared);
  void copyRow(mlir::Value piece, const Body &from);
  void copyLanes(mlir::Value piece, const Body &from, bool ofOwner);
  /// A body that points to a row and its nodes.
  Body point(mlir::Value row, mlir::ValueRange nodes);
  mlir::Value rowAt(mlir::Value position);
  Values nodesOf(mlir::Value row);
  Values pack(mlir::ValueRange rows, mlir::ValueRange nodes);

  Builder &b;
  const Plan &plan;
  const Params &params;
  Team &team;
  OwnWords &words;
  mlir::ValueRange coordinates;
  mlir::Value owner;
  int64_t threads;
  /// Maps whose nodes rows are read at, but for the owner.
  llvm::SmallVector<mlir::Value> maps;
  /// Where in the memory of a row or of a node lane cells are, in bytes.
  llvm::MapVector<cells::NodeId, int64_t> lanes;
  llvm::SmallVector<Stream, 2> streams;
  llvm::DenseMap<cells::NodeId, unsigned> streamOf;
  /// Of one row, of one node, and the most for all.
  int64_t rowBytes = 0, nodeBytes = 0, room = 0;
  /// How many rows are on their way while one is computed.
  int64_t depth = 1;
  mlir::Value memory, hi;
  /// Of the row that was entered.
  mlir::Value rowPiece, node;
  Values nodes;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_AHEAD_H
