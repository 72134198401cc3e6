// SPDX-License-Identifier: Apache-2.0
// Marking on the CPU: some rows per thread. Rows of floats with maps of floats go to the SIMD
// function as they are, all others as doubles.
#include <fmt/format.h>

#include "core/isa.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "ops/sources/cpu/sources_marks.hpp"
#include "ops/sources/sources_problem.hpp"

namespace tessera {
namespace {

constexpr int kRowsAtOnce = 16;

bool is_plain(const AnyView& view, Type type) { return view.type == type && view.pixel == 1; }

bool all_plain(const SourceRows& rows, Type type) {
  return is_plain(rows.image, type) && is_plain(rows.background, type) && is_plain(rows.rms, type);
}

class RunsCpu : public SourcesRunner {
 public:
  explicit RunsCpu(const SourcesProblem& problem) : grow_(problem.options.grow) {
    apply_isa_environment();
    isa_ = current_isa();
    floats_ = source_mark_function(Type::f32);
    doubles_ = source_mark_function(Type::f64);
  }

  std::string describe() const override { return isa_; }

  void mark(const SourceRows& rows, int sign, SourceBits& bits, Stream& stream) const override {
    for_pieces({0, rows.height()}, kRowsAtOnce, stream, [&](Rows piece) {
      for (int y = piece.first; y < piece.end; ++y)
        bits.valid[static_cast<std::size_t>(y)] = mark_one(rows, y, sign, bits.row(y));
    });
  }

 private:
  long long mark_one(const SourceRows& rows, int y, int sign, std::uint64_t* bits) const {
    const int width = rows.width();
    for (const Type type : {Type::f32, Type::f64})
      if (all_plain(rows, type))
        return (type == Type::f32 ? floats_ : doubles_)(
            {rows.image.address(0, y, 0), rows.background.address(0, y, 0),
             rows.rms.address(0, y, 0), width, static_cast<double>(sign), grow_, bits});
    const Scratch memory = host_scratch(3 * sizeof(double) * static_cast<std::size_t>(width));
    double* const d = memory.as<double>();
    double* const zero = d + width;
    double* const rms = zero + width;
    SourcePixel pixel;
    for (int x = 0; x < width; ++x) {
      read_source_pixels(rows, y, x, x + 1, 1, &pixel);
      d[x] = pixel.d;
      zero[x] = 0;
      rms[x] = pixel.rms;
    }
    return doubles_({d, zero, rms, width, static_cast<double>(sign), grow_, bits});
  }

  double grow_;
  std::string isa_;
  SourceMarkFunction floats_, doubles_;
};

}  // namespace

std::unique_ptr<const SourcesRunner> make_sources_runs_cpu(const SourcesProblem& problem) {
  return std::make_unique<RunsCpu>(problem);
}

}  // namespace tessera
