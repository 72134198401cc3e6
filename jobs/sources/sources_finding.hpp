// SPDX-License-Identifier: Apache-2.0
/// Sources of rows that come from anywhere, with maps that are given or made on the way: what the
/// command and Python share. Rows are streamed, so images may be larger than memory.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/strips.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "jobs/sources/sources_choices.hpp"
#include "jobs/timing.hpp"
#include "tessera/sources.hpp"

namespace tessera {

/// Rows of one plane as floats: integers become f32.
class FloatRows : public RowSource {
 public:
  explicit FloatRows(RowSource& inner);
  ImageInfo info() const override { return info_; }
  void read(Rows rows, AnyMutableView to) override;

 private:
  RowSource& inner_;
  ImageInfo info_;
};

/// The same value everywhere.
class ConstantRows : public RowSource {
 public:
  ConstantRows(const Size& size, double value);
  ImageInfo info() const override { return info_; }
  void read(Rows rows, AnyMutableView to) override;

 private:
  ImageInfo info_;
  double value_;
};

struct SourcesFinding {
  SourcesOptions options;
  SourceMapChoices maps;
  std::optional<SourceShape> beam;
  RunSettings settings;
  /// Rows of f32 or f64; null: made.
  RowSource *background = nullptr, *rms = nullptr;
  /// Receives the rows of the image in order, once; null: nothing does.
  std::function<void(AnyView rows, int first_row)> seen;
};

struct SourcesFound {
  SourceList list;
  std::string ran, noise_ran;  ///< plans in words; noise_ran "": all maps were given
  long long finite = 0;        ///< pixels with a value
  StageSeconds seconds;
};

/// Throws Error.
SourcesFound find_sources(RowSource& image, const SourcesFinding& how, const Progress& progress);

/// The box for maps of an image: as asked for, or by the beam.
NoiseBox sources_box(const SourceMapChoices& maps, const std::optional<SourceShape>& beam);

}  // namespace tessera
