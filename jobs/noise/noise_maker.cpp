// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_maker.hpp"

#include <algorithm>

#include "jobs/no_sink.hpp"

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

int NoiseMaker::device() const { return grid_ ? grid_->device() : plan_->device(); }

long long NoiseMaker::nodes() const { return grid_ ? grid_->node_count() : 0; }

long long NoiseMaker::node_bytes() const {
  // Values, and while gaps are filled the place of the nearest value.
  const auto of_one = static_cast<long long>(sizeof(double)) * maps().size.planes +
                      static_cast<long long>(sizeof(int));
  return nodes() * of_one;
}

int NoiseMaker::sweeps() const { return !grid_ ? 0 : grid_->two_pass() ? 2 : 1; }

void NoiseMaker::look(int sweep, RowSource& source, Stream& stream, StageSeconds& seconds,
                      const RowsDone& progress) {
  if (sweep == 0) nodes_ = grid_->nodes();
  NoSink nowhere;
  stream_timed(source, nowhere, rows_of_nodes(sweep), stream, seconds, progress);
  grid_->settle(nodes_, stream);
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
StripPlan NoiseMaker::rows_of_nodes(int sweep) {
  const ImageInfo nothing{{1, grid_->input().size.height, 1, 1}, Type::u8, kHost};
  return {
      {grid_->input()},
      {nothing},
      [this](Rows rows) {
        const Rows nodes = nodes_in(rows);
        return nodes.count() > 0 ? grid_->needs(nodes) : Rows{rows.first, rows.first + 1};
      },
      [this](int row) { return grid_->source_row(row); },
      [this, sweep](std::span<const Piece> in, std::span<const MutablePiece> out, Stream& stream) {
        const Rows nodes = nodes_in(out[0].rows());
        if (nodes.count() == 0) return;
        if (sweep == 0) return grid_->measure(nodes_, in[0], nodes, stream);
        grid_->measure_rms(nodes_, in[0], nodes, stream);
      }};
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
