// SPDX-License-Identifier: Apache-2.0
/// The checked problem that the methods of sources get, and what a method does: it finds the pixels
/// that may belong to sources. Everything after that is the same code for all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "core/plan_impl.hpp"
#include "tessera/image.hpp"
#include "tessera/sources.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct SourcesProblem {
  ImageInfo image, output;  ///< output: a bit per pixel, as bytes
  SourcesOptions options;
  SourcesScale scale;
  int margin = 5;  ///< pixels around a source that its fit uses
  int reach = 8;   ///< the longest distance at which noise is correlated
  int device = 0;  ///< where the CUDA method runs

  double bytes() const { return 3 * static_cast<double>(bytes_of(image)); }
};

/// The same rows of an image and its maps, in host memory.
struct SourceRows {
  AnyView image, background, rms;
  int width() const { return image.size.width; }
  int height() const { return image.size.height; }
};

/// A bit per pixel: row y begins at word y * words(), column x is bit x % 64 of word x / 64.
struct SourceBits {
  int width = 0;
  std::vector<std::uint64_t> bits;
  std::vector<long long> valid;  ///< pixels of each row that are not blank

  SourceBits(int columns, int rows)
      : width(columns),
        bits(static_cast<std::size_t>(rows) * static_cast<std::size_t>(words())),
        valid(static_cast<std::size_t>(rows)) {}
  int words() const { return (width + 63) / 64; }
  std::uint64_t* row(int y) {
    return bits.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(words());
  }
};

/// A pixel's value above the background and its noise.
struct SourcePixel {
  double d = 0, background = 0, rms = 0;
  /// Not blank. The comparisons are false for NaN.
  bool valid() const;
};

/// `sign` -1 turns the image over.
inline bool is_marked(double d, double rms, double grow);

class SourcesRunner {
 public:
  virtual ~SourcesRunner() = default;
  /// Sets the bits of valid pixels with sign * d >= grow * rms, and counts valid ones.
  virtual void mark(const SourceRows& rows, int sign, SourceBits& bits, Stream& stream) const = 0;
  virtual std::string describe() const = 0;
};

using SourcesMethod = Method<SourcesProblem, SourcesRunner>;
const std::vector<SourcesMethod>& sources_methods();

std::unique_ptr<const SourcesRunner> make_sources_reference(const SourcesProblem&);
std::unique_ptr<const SourcesRunner> make_sources_runs_cpu(const SourcesProblem&);
std::unique_ptr<const SourcesRunner> make_sources_runs_cuda(const SourcesProblem&);

inline bool is_valid(double d, double rms) {
  constexpr double kMost = 1.7976931348623157e308;
  return d >= -kMost && d <= kMost && rms > 0 && rms <= kMost;
}
inline bool is_marked(double d, double rms, double grow) {
  return is_valid(d, rms) && d >= grow * rms;
}
inline bool SourcePixel::valid() const { return is_valid(d, rms); }

/// Columns [x0, x1) of a row, in double.
void read_source_pixels(const SourceRows& rows, int row, int x0, int x1, int sign, SourcePixel* to);

}  // namespace tessera
