// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/pools.hpp"
#include "jobs/no_sink.hpp"
#include "jobs/noise/noise_shared_nodes.hpp"
#include "tessera/error.hpp"

namespace tessera {

NoiseMaker::NoiseMaker(const ImageInfo& image, const NoiseOptions& options) {
  if (options.mode != NoiseMode::grid) {
    plan_.emplace(image, options);
    return;
  }
  grid_.emplace(image, options);
}

const ImageInfo& NoiseMaker::maps() const { return grid_ ? grid_->output() : plan_->output(); }

std::string NoiseMaker::describe() const { return grid_ ? grid_->describe() : plan_->describe(); }

Backend NoiseMaker::backend() const { return grid_ ? grid_->backend() : plan_->backend(); }

std::string NoiseMaker::method() const { return grid_ ? grid_->method() : plan_->method(); }

int NoiseMaker::device() const { return grid_ ? grid_->device() : plan_->device(); }

long long NoiseMaker::nodes() const { return grid_ ? grid_->node_count() : 0; }

long long NoiseMaker::node_bytes() const {
  // Values, and while gaps are filled the place of the nearest value.
  const auto of_one = static_cast<long long>(sizeof(double)) * maps().size.planes +
                      static_cast<long long>(sizeof(int));
  return nodes() * of_one + patch_bytes();
}

long long NoiseMaker::refined() const {
  return std::ranges::count_if(nodes_.patches, [&](const NoisePatch& patch) {
    return patch.first_plane + patch.planes == nodes_.planes;  // with two passes those of the noise
  });
}

long long NoiseMaker::patch_bytes() const {
  long long bytes = 0;
  for (const NoisePatch& patch : nodes_.patches)
    bytes +=
        static_cast<long long>(sizeof(NoisePatch)) +
        static_cast<long long>(sizeof(double)) * std::ssize(patch.values) +
        static_cast<long long>(sizeof(int)) * (std::ssize(patch.columns) + std::ssize(patch.rows));
  return bytes;
}

/// Nodes, cells between them, and again with two passes. A sweep over cells is left out if there
/// are none to refine.
int NoiseMaker::sweeps() const { return !grid_ ? 0 : grid_->two_pass() ? 4 : 2; }

void NoiseMaker::look(int sweep, RowSource& source, Stream& stream, StageSeconds& seconds,
                      const RowsDone& progress) {
  if (sweep == 0) nodes_ = grid_->nodes();
  NoSink nowhere;
  const bool rms = sweep >= 2;
  if (sweep % 2 == 0) {
    measured_.clear();
    stream_timed(source, nowhere, rows_of_nodes(rms), stream, seconds, progress);
    join_node_rows(nodes_, measured_);
    return grid_->settle(nodes_, stream);
  }
  // Neighbours of refined cells may follow, in sweeps whose number is not known before.
  RowsDone first = progress;
  while (grid_->find_cells(nodes_, rms)) {
    const std::size_t half = stream.memory_limit() / 2;
    Stream strips(stream.device(), stream.threads(), half);
    const std::size_t before = nodes_.patches.size();
    stream_timed(source, nowhere, rows_of_cells(rms, static_cast<double>(half)), strips, seconds,
                 std::exchange(first, RowsDone()));
    join_patches(nodes_, before);
    check_room(static_cast<double>(half));
  }
  if (const int rows = grid_->input().size.height; first) first(rows, rows);
}

/// The rows of nodes within some rows of the image.
Rows NoiseMaker::nodes_in(Rows image_rows) const {
  const auto place = [&](int row) {
    return static_cast<int>(std::ranges::lower_bound(nodes_.rows, row) - nodes_.rows.begin());
  };
  return {place(image_rows.first), place(image_rows.end)};
}

// Counted in rows of the image, as strips are: a strip of nodes then reads roughly its own rows.
// Its output of one byte per row is not used.
StripPlan NoiseMaker::rows_of_nodes(bool rms) {
  const ImageInfo nothing{{1, grid_->input().size.height, 1, 1}, Type::u8, kHost};
  return {
      {grid_->input()},
      {nothing},
      [this](Rows rows) {
        const Rows nodes = nodes_in(rows);
        return nodes.count() > 0 ? grid_->needs(nodes) : Rows{rows.first, rows.first + 1};
      },
      [this](int row) { return grid_->source_row(row); },
      [this, rms](std::span<const Piece> in, std::span<const MutablePiece> out, Stream& stream) {
        const Rows nodes = nodes_in(out[0].rows());
        if (nodes.count() == 0) return;
        measured_.push_back(nodes);
        if (!rms) return grid_->measure(nodes_, in[0], nodes, stream);
        grid_->measure_rms(nodes_, in[0], nodes, stream);
      }};
}

/// The same for rows of cells, each counted with its first row of nodes.
StripPlan NoiseMaker::rows_of_cells(bool rms, double room) {
  StripPlan plan = rows_of_nodes(rms);
  const auto cells_in = [this](Rows image_rows) {
    const Rows nodes = nodes_in(image_rows);
    return Rows{nodes.first, std::min(nodes.end, grid_->cell_rows())};
  };
  plan.needs = [this, cells_in](Rows rows) {
    const Rows cells = cells_in(rows);
    return cells.count() > 0 ? grid_->needs({cells.first, cells.end + 1})
                             : Rows{rows.first, rows.first + 1};
  };
  plan.run = [this, rms, room, cells_in](std::span<const Piece> in,
                                         std::span<const MutablePiece> out, Stream& stream) {
    const Rows cells = cells_in(out[0].rows());
    if (!rms)
      grid_->refine(nodes_, in[0], cells, stream);
    else
      grid_->refine_rms(nodes_, in[0], cells, stream);
    check_room(room);
  };
  return plan;
}

void NoiseMaker::check_room(double room) const {
  if (static_cast<double>(patch_bytes()) > room)
    throw Error(ErrorKind::resources,
                fmt::format("noise: mode grid keeps its refined cells in memory, {} of them so "
                            "far, and they need more than {}; give a larger --memory-limit or "
                            "--refine, or --mode exact, which keeps only strips",
                            nodes_.patches.size(), bytes_text(room)));
}

StripPlan NoiseMaker::rows() const {
  if (plan_) return strip_plan(*plan_);
  return {{grid_->input()},
          {grid_->output()},
          [](Rows rows) { return rows; },
          [](int row) { return row; },
          [this](std::span<const Piece> in, std::span<const MutablePiece> out, Stream& stream) {
            draw(in[0], out[0], stream);
          }};
}

void NoiseMaker::draw(const Piece& in, const MutablePiece& out, Stream& stream) const {
  grid_->draw(nodes_, out.rows(), out.view, stream);
  stream.wait();
  grid_->mask(in.view.rows(out.first_row - in.first_row, out.view.size.height), out.view, stream);
}

}  // namespace tessera
