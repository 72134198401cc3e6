// SPDX-License-Identifier: Apache-2.0
// Sums in double: products of the template minus its mean by convolve, and the spread of every
// window by merging moments. Group after group of rows; a group subtracts the middle of its own
// values first, which changes no exact sum and keeps a bright image from using up the digits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "core/rows.hpp"
#include "core/stop.hpp"
#include "ops/correlate/match/cpu/match_group.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

/// Before functions are dispatched.
std::string applied_isa() {
  apply_isa_environment();
  return current_isa();
}

class MatchCpu : public RowsRunner {
 public:
  MatchCpu(const MatchProblem& problem, const char* method)
      : problem_(problem),
        method_(method),
        isa_(applied_isa()),
        step_(match_group_rows(problem)),
        weights_(problem),
        spread_(problem, tile_columns(), step_),
        passes_(match_passes()) {
    PlanBytes::add(2 * weights_.values.size() * sizeof(double));
    const auto pixels = static_cast<std::size_t>(problem.pixels());
    for (int c = 0; c < problem.channels(); ++c)
      products_.push_back(match_products(problem_, weights_.values.data() + c * pixels, method_));
  }

  std::string describe() const override {
    return fmt::format("{}, {} rows per group, products: {}", isa_, step_,
                       products_[0].describe().substr(std::string("convolve ").size()));
  }
  int row_step() const override { return step_; }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    const Rows rows = out.rows();
    const bool one = rows.first / step_ == (rows.end - 1) / step_ && out.view.size.planes == 1;
    const GroupSums sums(one ? stream.threads() : 1);
    for_pieces(rows, step_, out.view.size.planes, stream,
               [&](int plane, Rows part) { run_group(in, out, plane, part, sums); });
  }

 private:
  // Windows of a tile stay in the second-level cache while they are merged.
  int tile_columns() const {
    return std::clamp(2 * problem_.width, 256, std::max(256, problem_.output.size.width));
  }

  /// The rows asked for; whole groups are computed, or the middle would depend on strips.
  void run_group(const Piece& in, const MutablePiece& out, int plane, Rows asked,
                 const GroupSums& sums) const {
    const MatchProblem& p = problem_;
    const int first = asked.first / step_ * step_;
    const int end = std::min(first + step_, p.output.size.height);
    const long long samples = 1LL * p.row_width() * (step_ + p.height - 1) * p.channels();
    const long long places = 1LL * p.output.size.width * step_;
    const Scratch memory = host_scratch((2 * samples + places) * sizeof(double));
    auto* const loaded = memory.as<double>();
    MatchGroup group{
        .rows = end - first, .centred = loaded + samples, .result = loaded + 2 * samples};
    auto rows = find_rows("match", p.needs({first, end}), in.rows(), p.image.size.height, p.border);
    rows.resize(step_ + p.height - 1, rows.back());  // of a last group: read, but not used
    group.pixels = load_match_rows(p, in, plane, rows, loaded);
    find_values(group, samples, sums);
    store(group, out, plane, asked, first);
  }

  void find_values(MatchGroup& group, long long samples, const GroupSums& sums) const {
    const double* const from = group.pixels.first;
    MatchRange range{INFINITY, -INFINITY, false};
    passes_.range(from, samples, range);
    group.missing = range.missing;
    if (range.least > range.most || weights_.squares == 0) {
      std::fill_n(group.result, 1LL * group.rows * problem_.output.size.width, 0.0);
      return;
    }
    const double middle = range.least / 2 + range.most / 2;
    group.largest = std::max(range.most - middle, middle - range.least);
    passes_.centre(from, samples, middle, group.centred);
    poll_stop();
    if (group.missing || !problem_.whole())
      masked().run(group, products_, sums);
    else
      run_whole(group, sums);
  }

  void run_whole(const MatchGroup& group, const GroupSums& sums) const {
    const int width = problem_.output.size.width;
    MatchPixels centred = group.pixels;
    centred.first = group.centred;
    double bound = 0;
    for (std::size_t c = 0; c < products_.size(); ++c) {
      sums(products_[c], centred.first + c * centred.channel, group.result, c > 0);
      bound += products_[c].error_bound(group.largest);
    }
    const MatchNorm by{std::sqrt(weights_.squares), bound / kMatchTrusted};
    const Scratch memory = host_scratch(spread_.scratch_bytes());
    const int step = tile_columns();
    for (int x = 0; x < width; x += step) {
      poll_stop();
      const int columns = std::min(step, width - x);
      const Moments found = spread_.find(centred, x, columns, group.rows, memory.as<double>());
      for (int y = 0; y < group.rows; ++y) {
        double* const line = group.result + 1LL * y * width + x;
        if (!passes_.normalise(by, found.squares + 1LL * y * step, columns, line))
          sum_again(group, x, y, columns, line);
      }
    }
  }

  void sum_again(const MatchGroup& group, int x, int y, int columns, double* line) const {
    for (int i = 0; i < columns; ++i) {
      if (!std::isnan(line[i])) continue;
      poll_stop();
      MatchPixels window = group.pixels;
      window.first += y * window.row + x + i;
      line[i] = match_at(problem_, window);
    }
  }

  void store(const MatchGroup& group, const MutablePiece& out, int plane, Rows asked,
             int first) const {
    const int width = problem_.output.size.width;
    for (int y = asked.first; y < asked.end; ++y) {
      const double* from = group.result + 1LL * (y - first) * width;
      void* const to = out.view.address(0, y - out.first_row, plane);
      for (int x = 0; x < width; ++x)
        if (out.view.type == Type::f32)
          static_cast<float*>(to)[x * out.view.pixel] = static_cast<float>(from[x]);
        else
          static_cast<double*>(to)[x * out.view.pixel] = from[x];
    }
  }

  /// Made when pixels first do not count.
  const MaskedMatch& masked() const {
    const std::lock_guard lock(mutex_);
    if (!masked_) masked_ = std::make_unique<const MaskedMatch>(problem_, weights_, method_);
    return *masked_;
  }

  MatchProblem problem_;
  std::string method_, isa_;
  int step_;
  MatchWeights weights_;
  WindowSpread spread_;
  MatchPasses passes_;
  std::vector<Convolve> products_;  ///< one per channel
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const MaskedMatch> masked_;
};

}  // namespace

std::unique_ptr<const RowsRunner> make_match_direct_cpu(const MatchProblem& problem) {
  return std::make_unique<MatchCpu>(problem, "direct");
}
std::unique_ptr<const RowsRunner> make_match_fft_cpu(const MatchProblem& problem) {
  return std::make_unique<MatchCpu>(problem, "fft");
}

}  // namespace tessera
