// SPDX-License-Identifier: Apache-2.0
// The definition of a significant pixel, one at a time.
#include <vector>

#include "ops/sources/sources_problem.hpp"

namespace tessera {
namespace {

class SourcesReference : public SourcesRunner {
 public:
  explicit SourcesReference(const SourcesProblem& problem) : grow_(problem.options.grow) {}
  std::string describe() const override { return "in double, one thread"; }

  void mark(const SourceRows& rows, int sign, SourceBits& bits, Stream&) const override {
    std::vector<SourcePixel> pixels(static_cast<std::size_t>(rows.width()));
    for (int y = 0; y < rows.height(); ++y) {
      read_source_pixels(rows, y, 0, rows.width(), sign, pixels.data());
      for (int x = 0; x < rows.width(); ++x) {
        const SourcePixel& pixel = pixels[static_cast<std::size_t>(x)];
        if (pixel.valid()) ++bits.valid[static_cast<std::size_t>(y)];
        if (is_marked(pixel.d, pixel.rms, grow_)) bits.row(y)[x / 64] |= 1ULL << (x % 64);
      }
    }
  }

 private:
  double grow_;
};

}  // namespace

std::unique_ptr<const SourcesRunner> make_sources_reference(const SourcesProblem& problem) {
  return std::make_unique<SourcesReference>(problem);
}

}  // namespace tessera
