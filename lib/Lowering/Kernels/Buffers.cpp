//===- Buffers.cpp - Buffers that take turns in memory --------------------===//

#include "Buffers.h"

#include <numeric>

using namespace mlir;

namespace gyre::kernels {

unsigned Buffers::add(EntryBufferAttr buffer, Life life) {
  buffers.push_back({buffer, life});
  return buffers.size() - 1;
}

static PolyAttr countBytes(EntryBufferAttr buffer) {
  return buffer.getElements().mul(
      PolyAttr::constant(buffer.getContext(), buffer.getBytes()));
}

/// Whether a buffer fits the other's memory, whatever the sizes are.
static bool fits(EntryBufferAttr buffer, EntryBufferAttr memory) {
  return llvm::all_of(countBytes(memory).sub(countBytes(buffer)).getCoefs(),
                      [](int64_t coef) { return coef >= 0; });
}

/// Coefficients by the number of sizes that are multiplied, most first: what a
/// buffer is sorted by. Sizes of more than that many factors do not occur in
/// specs that are of use; they would only be sorted worse.
static std::array<int64_t, 5> rank(EntryBufferAttr buffer) {
  std::array<int64_t, 5> sums{};
  PolyAttr bytes = countBytes(buffer);
  for (auto [coef, monomial] :
       llvm::zip_equal(bytes.getCoefs(), bytes.getMonomials())) {
    size_t degree = std::min(monomial.size(), sums.size() - 1);
    sums[sums.size() - 1 - degree] += coef;
  }
  return sums;
}

Buffers::Places Buffers::place() const {
  // The largest first: what comes later fits their memory.
  std::vector<unsigned> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(rank(buffers[b].size), a) <
           std::pair(rank(buffers[a].size), b);
  });
  std::vector<std::vector<unsigned>> members;
  auto isFree = [&](ArrayRef<unsigned> place, Life life) {
    return llvm::none_of(
        place, [&](unsigned other) { return buffers[other].life.meets(life); });
  };
  for (unsigned number : order) {
    const Buffer &buffer = buffers[number];
    // The smallest that is free.
    auto place = llvm::find_if(llvm::reverse(members), [&](const auto &place) {
      return fits(buffer.size, buffers[place.front()].size) &&
             isFree(place, buffer.life);
    });
    if (place == members.rend())
      members.push_back({number});
    else
      place->push_back(number);
  }
  llvm::sort(members, [](const auto &a, const auto &b) {
    return *llvm::min_element(a) < *llvm::min_element(b);
  });
  Places places;
  places.placeOf.resize(buffers.size());
  for (auto [i, place] : llvm::enumerate(members)) {
    places.sizes.push_back(buffers[place.front()].size);
    for (unsigned number : place)
      places.placeOf[number] = i;
  }
  return places;
}

} // namespace gyre::kernels
