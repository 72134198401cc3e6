// SPDX-License-Identifier: Apache-2.0
/// Plans of noise over Python arrays, in every mode, and the maps they make.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "python/faraday_arrays.hpp"
#include "python/made_with.hpp"
#include "python/noise_arguments.hpp"
#include "python/plans_by_key.hpp"
#include "tessera/noise_grid.hpp"

namespace tessera::python {

/// The library's plan of a mode, for whole images.
class NoiseOfMode {
 public:
  NoiseOfMode(const ImageInfo& image, const NoiseOptions& options);

  const ImageInfo& output() const;
  const Plan& plan() const;
  std::string describe() const;
  void operator()(AnyView in, AnyMutableView maps, Stream& stream) const;

  /// The grid's plan, in mode grid; else null. Its maps are drawn in host memory alone.
  const NoiseGrid* grid() const { return std::get_if<NoiseGrid>(&plan_); }
  /// The plan of the other modes, whose rows are made separately. Throws Error(usage) in mode grid.
  const Noise& rows() const;

 private:
  std::variant<Noise, NoiseGrid> plan_;
};

/// The inputs of signal over noise, besides the maps.
struct SnrRules {
  bool zero_is_blank = false;
  int threads = 0;
};

/// Images of one shape and type, on any device, or cubes (…, rows, columns), whose planes are
/// separate images. Threads may share it.
class NoisePlan : public MadeWith {
 public:
  /// `like`: an array such as is expected; its plan is made now, so that errors come now.
  NoisePlan(std::string operation, const Array& like, const NoiseOptions& options,
            const HostOptions& run);

  /// (maps, …, rows, columns): `out`, or a new array of the image's library.
  nb::object operator()(const Array& image, nb::handle out);

  /// The image as the plan takes it: looked at, with NaN where a mask is true.
  Array image_of(nb::handle given, nb::handle mask) const;
  /// The same for a piece of the plan's image: all columns of some rows.
  Array piece_of(nb::handle given, nb::handle mask) const;

  /// Rows of the maps, (maps, rows, columns), from a piece that begins with row `first_row`.
  nb::object run_rows(const Array& piece, int first_row, Rows wanted);
  NoiseOfMode host_plan();

  const Shape& output_shape() const { return result_shape_; }
  const char* output_dtype() const { return dtype_name(result_type_); }
  bool makes_quantiles() const { return !options_.quantiles.orders.empty(); }
  std::string describe() const { return plans_.describe(); }
  SnrRules snr_rules() const { return {options_.zero_is_blank, run_.threads}; }

 private:
  NoiseOfMode plan_for(const ImageInfo& image);
  Array image_of_shape(nb::handle given, nb::handle mask, const Shape& shape) const;
  void run_plane(const Array& image, const Array& result);
  void run_grid_on_device(const NoiseGrid& plan, const Array& image, const Array& result) const;
  void run(const Array& image, const Array& result, const Plan& plan,
           const std::function<void(Stream&)>& work) const;

  std::string operation_;
  Shape shape_, result_shape_;
  Type type_, result_type_ = Type::f32;
  NoiseOptions options_;
  HostOptions run_;
  KeptPlans<NoiseOfMode> plans_;
};

/// The results of noise: planes of one array, and the signal-to-noise ratio once it is asked for.
class MapsResult {
 public:
  MapsResult(Array image, const nb::object& maps, const NoisePlan& plan);

  const nb::object background, rms;
  const std::string method;
  nb::object snr();

 private:
  Array image_;
  SnrRules rules_;
  nb::object snr_;
};

/// Replaces NaN of maps by the nearest value, in place; maps on a device visit the host.
void fill_maps(const nb::object& maps);

}  // namespace tessera::python
