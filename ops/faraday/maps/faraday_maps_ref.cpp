// SPDX-License-Identifier: Apache-2.0
// The definition of the maps, spectrum by spectrum. If a fast path differs from it, the fast path
// is wrong.
#include <vector>

#include "core/parallel.hpp"
#include "ops/faraday/maps/faraday_map_value.hpp"
#include "ops/faraday/maps/faraday_maps_problem.hpp"
#include "ops/faraday/maps/faraday_peak.hpp"

namespace tessera {
namespace {

template <class T>
class Reference : public FaradayMapsRunner {
 public:
  explicit Reference(const FaradayMapsProblem& problem)
      : maps_(problem.maps), peak_(problem.axes, problem.fwhm, problem.noise) {}

  void run(const FaradayMapsCall& call, Stream& stream) const override {
    const auto re = call.real.as<const T>(), im = call.imaginary.as<const T>(),
               bands = call.bands.as<const T>();
    const auto out = call.maps.as<T>();
    parallel_for(re.size.height, stream.threads(), [&](int y) {
      std::vector<double> re_row(depths(re)), im_row(depths(re)), room;
      for (int x = 0; x < re.size.width; ++x) {
        for (int p = 0; p < re.size.planes; ++p) {
          re_row[static_cast<std::size_t>(p)] = re.at(x, y, 0, p);
          im_row[static_cast<std::size_t>(p)] = im.at(x, y, 0, p);
        }
        const FaradayBandValues band = faraday_band_at<T>(peak_.rule(), bands, x, y);
        put_faraday_values(peak_.values(re_row, im_row, band, room), maps_, x, y, out);
      }
    });
  }
  std::string describe() const override { return "double"; }

 private:
  static std::size_t depths(View<const T> view) {
    return static_cast<std::size_t>(view.size.planes);
  }

  std::vector<FaradayMap> maps_;
  FaradaySpectrumPeak peak_;
};

}  // namespace

FaradayMapsRunnerPointer make_faraday_maps_reference(const FaradayMapsProblem& problem) {
  if (problem.spectra.type == Type::f64) return std::make_unique<Reference<double>>(problem);
  return std::make_unique<Reference<float>>(problem);
}

}  // namespace tessera
