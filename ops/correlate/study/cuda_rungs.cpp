// SPDX-License-Identifier: Apache-2.0
// The paper's CUDA programs: every choice of aggregation, layout, memory and tile it describes.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/kernel.hpp"
#include "ops/correlate/study/shift_launch.hpp"

namespace tessera {
namespace {

/// A thread adds all pixels of its overlap, one after the other.
double whole_overlap(const CorrelateCase& c) { return 1.0 * c.side() * c.side(); }

std::string layout_word(const std::string& layout) {
  return layout == "co" ? "together" : "separate";
}
std::string load_word(std::string_view path) {
  return std::string(path == "texture" ? path : path.substr(path.find('-') + 1));
}
int shared_percent(std::string_view path) {
  return path.starts_with("small") ? kSmallL1 : kLargeL1;
}

std::vector<std::string> files(const std::vector<std::string>& beginnings) {
  std::vector<std::string> all{ladder_file("shift_")};
  for (const std::string& beginning : beginnings) all.push_back(ladder_file(beginning));
  return all;
}

PreparedRung local(const CorrelateCase& c, const std::string& layout, const std::string& load,
                   int percent, Stream& s) {
  return launched(c,
                  {.unit = "c1_local",
                   .entry = fmt::format("local_{}_{}", layout_word(layout), load),
                   .tile = tile_sides(kTiles[0], c.shifts()),
                   .shared_percent = percent,
                   .chain = whole_overlap(c)},
                  s);
}

PreparedRung shared_sum(const CorrelateCase& c, const std::string& layout, Stream& s) {
  ShiftLaunch launch{.unit = "c2_shared_sum",
                     .entry = "shared_sum_" + layout_word(layout),
                     .tile = tile_sides(kTiles[0], c.shifts())};
  const int threads = threads_of(launch.tile);
  launch.chain = 1.0 * c.side() * blocks_for(c.side(), threads) + threads;
  return launched(c, launch, s);
}

PreparedRung global_sum(const CorrelateCase& c, const std::string& layout, Stream& s) {
  ShiftLaunch launch{.unit = "c3_global_sum",
                     .entry = "global_sum_" + layout_word(layout),
                     .tile = tile_sides(kTiles[0], c.shifts())};
  constexpr int kPixelsAThread = 9;  // of an odd side, three rows and three columns at most
  launch.chain = kPixelsAThread + threads_of(launch.tile) + blocks_for(c.shifts(), launch.tile.y);
  PreparedRung rung = launched(c, launch, s);
  const GpuKernel& clear = find_kernel(s.device(), {launch.unit, "global_sum_clear", "", ""});
  const unsigned blocks = blocks_for(c.shifts() * c.shifts(), kMostShiftThreads);
  rung.run = [&clear, blocks, args = shift_arguments(c, launch.tile), add = rung.run](Stream& on) {
    clear.launch(on, {blocks, 1, 1}, {kMostShiftThreads, 1, 1}, 0, args);
    add(on);
  };
  return rung;
}

void add_sums(std::vector<CorrelateRung>& rungs) {
  for (const std::string layout : kLayouts)
    rungs.push_back({"sum.local." + layout, "one thread per shift", files({"c1_"}),
                     [layout](const CorrelateCase& c, Stream& s) {
                       return local(c, layout, "ca", kAsTheDriverLikes, s);
                     }});
  for (const std::string layout : kLayouts)
    rungs.push_back(
        {"sum.shared." + layout, "one block per shift", files({"c2_"}),
         [layout](const CorrelateCase& c, Stream& s) { return shared_sum(c, layout, s); }});
  for (const std::string layout : kLayouts)
    rungs.push_back(
        {"sum.global." + layout, "all blocks on each shift", files({"c3_"}),
         [layout](const CorrelateCase& c, Stream& s) { return global_sum(c, layout, s); }});
}

void add_shared(std::vector<CorrelateRung>& rungs, const std::string& layout, int tile) {
  rungs.push_back({fmt::format("shared.{}.{}", layout, kTiles[tile].name),
                   "src and mask rows in shared memory", files({"c5_"}),
                   [layout, tile](const CorrelateCase& c, Stream& s) {
                     const TileSides sides = tile_sides(kTiles[tile], c.shifts());
                     return launched(c,
                                     {.unit = "c5_shared_rows",
                                      .entry = "shared_rows_" + layout_word(layout),
                                      .tile = sides,
                                      .shared_rows = 1 + sides.y,
                                      .chain = whole_overlap(c)},
                                     s);
                   }});
}

void add_local(std::vector<CorrelateRung>& rungs, const std::string& layout,
               const std::string& path) {
  rungs.push_back({fmt::format("local.{}.{}", layout, path), "nothing in shared memory",
                   files({"c1_"}), [layout, path](const CorrelateCase& c, Stream& s) {
                     return local(c, layout, load_word(path), shared_percent(path), s);
                   }});
}

void add_row(std::vector<CorrelateRung>& rungs, const std::string& layout, const std::string& path,
             const ShiftTile& tile) {
  rungs.push_back(
      {fmt::format("row.{}.{}.{}", layout, path, tile.name), "mask row in shared memory",
       files({"c4_"}), [layout, path, tile](const CorrelateCase& c, Stream& s) {
         return launched(
             c,
             {.unit = "c4_mask_row",
              .entry = fmt::format("mask_row_{}_{}", layout_word(layout), load_word(path)),
              .tile = tile_sides(tile, c.shifts()),
              .shared_rows = 1,
              .shared_percent = shared_percent(path),
              .chain = whole_overlap(c)},
             s);
       }});
}

void add_unrolled(std::vector<CorrelateRung>& rungs, const std::string& blocks, int thread_rows) {
  rungs.push_back({"unrolled." + blocks, "two shifts per thread", files({"c5_", "c6_"}),
                   [thread_rows](const CorrelateCase& c, Stream& s) {
                     return launched(c,
                                     {.unit = "c6_unrolled",
                                      .entry = "unrolled_together",
                                      .tile = {c.shifts(), thread_rows},
                                      .shifts_a_thread = 2,
                                      .shared_rows = 1 + 2 * thread_rows,
                                      .chain = whole_overlap(c)},
                                     s);
                   }});
}

std::vector<CorrelateRung> make_rungs() {
  std::vector<CorrelateRung> rungs;
  add_sums(rungs);
  for (const char* layout : kLayouts)
    for (const int tile : {0, 1}) add_shared(rungs, layout, tile);
  for (const char* layout : kLayouts)
    for (const char* path : kPaths) add_local(rungs, layout, path);
  for (const char* layout : kLayouts)
    for (const char* path : kPaths)
      for (const ShiftTile& tile : kTiles) add_row(rungs, layout, path, tile);
  add_unrolled(rungs, "62", 2);
  add_unrolled(rungs, "125", 1);
  for (const char* method : {"direct", "fft"}) rungs.push_back(our_cuda_rung(method));
  return rungs;
}

}  // namespace

TileSides tile_sides(const ShiftTile& tile, int shifts) {
  const int longer = shifts >> tile.halvings, shorter = 2 << tile.halvings;
  return tile.upright ? TileSides{shorter, longer} : TileSides{longer, shorter};
}

const std::vector<CorrelateRung>& correlate_cuda_rungs() {
  static const std::vector<CorrelateRung> rungs = make_rungs();
  return rungs;
}

}  // namespace tessera
