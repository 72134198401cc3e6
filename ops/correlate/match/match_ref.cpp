// SPDX-License-Identifier: Apache-2.0
// The definition at every pixel. If it and a fast path differ by more than the bound, the fast path
// is wrong.
#include "core/pools.hpp"
#include "core/rows.hpp"
#include "core/samples.hpp"
#include "core/stop.hpp"
#include "ops/correlate/match/match_problem.hpp"

namespace tessera {
namespace {

class MatchReference : public RowsRunner {
 public:
  explicit MatchReference(const MatchProblem& problem) : problem_(problem) {}
  std::string describe() const override { return "in double, one thread"; }

  void run(const Piece& in, const MutablePiece& out, Stream&) const override {
    const MatchProblem& p = problem_;
    const Scratch memory = host_scratch(static_cast<std::size_t>(p.row_width()) * p.height *
                                        p.channels() * sizeof(double));
    for (int plane = 0; plane < out.view.size.planes; ++plane)
      for (int y = 0; y < out.view.size.height; ++y) {
        const int row = out.first_row + y;
        const auto rows =
            find_rows("match", p.needs({row, row + 1}), in.rows(), p.image.size.height, p.border);
        MatchPixels window = load_match_rows(p, in, plane, rows, memory.as<double>());
        for (int x = 0; x < out.view.size.width; ++x, ++window.first) {
          poll_stop();
          store_sample(out.view, x, y, 0, plane, match_at(p, window));
        }
      }
  }

 private:
  MatchProblem problem_;
};

}  // namespace

std::unique_ptr<const RowsRunner> make_match_reference(const MatchProblem& problem) {
  return std::make_unique<MatchReference>(problem);
}

}  // namespace tessera
