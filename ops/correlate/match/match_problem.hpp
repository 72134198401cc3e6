// SPDX-License-Identifier: Apache-2.0
/// What the methods of match see: the checked problem, and the template ready for sums.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/plan_impl.hpp"
#include "tessera/border.hpp"
#include "tessera/match_template.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct MatchProblem {
  ImageInfo image, output;
  int width = 0, height = 0;  ///< of the template
  Point anchor;               ///< 0,0 with border valid
  Border border = Border::valid;
  double constant = 0, overlap = 0;
  /// The template's samples, channel after channel and row by row; NaN in all channels of a pixel
  /// that does not count.
  std::vector<double> pattern;
  long long counted = 0;  ///< pixels of the template that count
  /// The method of sums of products that convolve would take, if match has none by name.
  std::string products;
  int device = 0;

  int channels() const { return image.size.channels; }
  long long pixels() const { return 1LL * width * height; }
  bool whole() const { return counted == pixels(); }
  /// Columns that a row of output pixels reads.
  int row_width() const { return output.size.width + width - 1; }
  Rows needs(Rows out) const { return {out.first - anchor.y, out.end - anchor.y + height - 1}; }
};

/// The template minus its mean: weights of 0 where it does not count.
struct MatchWeights {
  explicit MatchWeights(const MatchProblem& problem);
  std::vector<double> values;  ///< as MatchProblem::pattern
  double squares = 0;          ///< the sum of their squares; 0 if all pixels have one value
};

/// Pixels as sums read them: in double, channel after channel.
struct MatchPixels {
  const double* first = nullptr;  ///< NaN in all channels where a pixel does not count
  long long row = 0, channel = 0;
};

/// Rows of one plane with everything outside that the border gives: `rows` says where in `in` each
/// lies, and `to` has room for row_width() * rows.size() * channels samples.
MatchPixels load_match_rows(const MatchProblem& problem, const Piece& in, int plane,
                            const std::vector<int>& rows, double* to);

/// The definition: r of the template and the pixels from `window` on, in two passes.
double match_at(const MatchProblem& problem, const MatchPixels& window);

using MatchMethod = Method<MatchProblem, RowsRunner>;
const std::vector<MatchMethod>& match_methods();

std::unique_ptr<const RowsRunner> make_match_reference(const MatchProblem&);
std::unique_ptr<const RowsRunner> make_match_direct_cpu(const MatchProblem&);
std::unique_ptr<const RowsRunner> make_match_fft_cpu(const MatchProblem&);

/// "direct" or "fft": how convolve would sum the products.
std::string method_of_products(const MatchProblem&);

}  // namespace tessera
