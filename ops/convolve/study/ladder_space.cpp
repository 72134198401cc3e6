// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/ladder_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kMostThreads = 1024, kMostTiles = 10, kMostPassTiles = 20;

std::vector<LadderCandidate> candidates_up_to(int most_tiles) {
  std::vector<LadderCandidate> candidates;
  for (int block_x = 16; block_x <= 64; block_x *= 2)
    for (int block_y = 4; block_y <= 64 && block_x * block_y <= kMostThreads; block_y *= 2)
      for (int tiles = 1; tiles <= most_tiles && block_x * block_y > 64; ++tiles)
        candidates.push_back({block_x, block_y, tiles});
  return candidates;
}

std::string shape_text(const LadderShape& shape) {
  return fmt::format("{}, {}, {}, {}", shape.block_x, shape.block_y, shape.tiles, shape.tile_row);
}

// Compiled for its number of threads: without that, large blocks would get more registers than a
// multiprocessor has. The compilers of 2012 gave a thread at most 63.
std::string threads_of(const LadderShape& shape) {
  return fmt::format("{}", shape.block_x * shape.block_y);
}

std::vector<SearchedRung> all_searched() {
  const auto whole = [](StudySize filter) { return filter; };
  return {{"1",
           {{32, 32, 1}},
           whole,
           [](StudySize, const LadderCandidate&) { return LadderShape{}; },
           [](StudySize, const LadderShape&) {
             return KernelName{"r01_naive", "naive", "", ""};
           }},
          {"8", candidates_up_to(kMostTiles), whole,
           [](StudySize filter, const LadderCandidate& c) {
             return padded_shape(filter.width, filter.height, c.block_x, c.block_y, c.tiles);
           },
           [](StudySize filter, const LadderShape& shape) {
             return unrolled_kernel("r08_unrolled", "unrolled", filter, shape);
           }},
          {"s1", candidates_up_to(kMostPassTiles),
           [](StudySize filter) {
             return StudySize{filter.width, 1};
           },
           [](StudySize filter, const LadderCandidate& c) {
             return padded_shape(filter.width, 1, c.block_x, c.block_y, c.tiles);
           },
           [](StudySize filter, const LadderShape& shape) {
             return pass_kernel(true, filter.width, shape);
           }},
          {"s2", candidates_up_to(kMostPassTiles),
           [](StudySize filter) {
             return StudySize{1, filter.height};
           },
           [](StudySize filter, const LadderCandidate& c) {
             return column_shape(filter.height, c.block_x, c.block_y, c.tiles);
           },
           [](StudySize filter, const LadderShape& shape) {
             return pass_kernel(false, filter.height, shape);
           }}};
}

void add_new(std::vector<StudySize>& sizes, StudySize size) {
  if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
}

void add_squares(std::vector<StudySize>& sizes) {
  for (int side = kLeastSide; side <= kMostSide; side += 2) add_new(sizes, {side, side});
}

}  // namespace

const std::vector<SearchedRung>& searched_rungs() {
  static const std::vector<SearchedRung> rungs = all_searched();
  return rungs;
}

const SearchedRung& searched_rung(const std::string& id) {
  for (const SearchedRung& rung : searched_rungs())
    if (rung.id == id) return rung;
  throw Error(ErrorKind::failure, fmt::format("rung {} is not searched", id));
}

std::vector<StudySize> search_sizes(const std::string& text) {
  std::vector<StudySize> sizes;
  for (const std::string& word : split_text(text, ',')) {
    if (word == "squares" || word == "all") {
      add_squares(sizes);
      if (word == "squares") continue;
      for (int width = kLeastSide; width <= kMostSide; width += 2)
        for (int height = kLeastSide; height <= kMostSide; height += 2)
          add_new(sizes, {width, height});
    } else {
      for (const StudySize& size : parse_sizes(word, kMostSide)) add_new(sizes, size);
    }
  }
  return sizes;
}

KernelName unrolled_kernel(const std::string& unit, const std::string& body, StudySize filter,
                           const LadderShape& shape) {
  return {unit, "",
          fmt::format("{}<UnrolledKnobs{{{}, {}, {}}}>", body, filter.width, filter.height,
                      shape_text(shape)),
          "LadderConstants", threads_of(shape)};
}

KernelName pass_kernel(bool along_x, int taps, const LadderShape& shape) {
  return {along_x ? "r11_horizontal" : "r12_vertical", "",
          fmt::format("{}<PassKnobs{{{}, {}}}>", along_x ? "horizontal" : "vertical", taps,
                      shape_text(shape)),
          "LadderConstants", threads_of(shape)};
}

int shared_bytes_of(const std::string& architecture) {
  static const std::map<std::string, int> kKilobytes{
      {"sm_75", 64},  {"sm_80", 163},  {"sm_86", 99},   {"sm_87", 163},  {"sm_89", 99},
      {"sm_90", 227}, {"sm_90a", 227}, {"sm_100", 227}, {"sm_103", 227}, {"sm_120", 99}};
  const auto found = kKilobytes.find(architecture);
  return found == kKilobytes.end() ? 0 : found->second * 1024;
}

}  // namespace tessera
