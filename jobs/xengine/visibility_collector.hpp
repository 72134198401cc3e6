// SPDX-License-Identifier: Apache-2.0
/// Keeps the data that a picture needs of every integration.
#pragma once

#include <complex>
#include <vector>

#include "jobs/xengine/xengine_outputs.hpp"
#include "report/visibility_picture.hpp"

namespace tessera {

class VisibilityCollector {
 public:
  /// Without a picture to draw it keeps nothing. Throws Error(usage) for a channel that does not
  /// exist, and for an order that cannot be drawn.
  VisibilityCollector(const XEngineJob& job, const XEngineDescription& description);

  void add(const XEngineIntegration& integration);
  Plot plot(PictureFormat format) const;

 private:
  using Sum = std::complex<double>;
  /// A sum and its number of products: inputs may lack different samples, so that only means
  /// compare.
  struct Counted {
    Sum sum;
    double count = 0;
    void operator+=(const Counted& other);
    Sum mean() const;
  };
  /// The sums of two inputs that give a coefficient.
  struct Trio {
    Counted cross, first, second;
    void operator+=(const Trio& other);
    Sum coefficient() const;
  };
  struct Baseline {
    int i = 0, j = 0;
    std::vector<Trio> over_frequency;
    std::vector<Sum> over_time;
  };
  Counted value(const XEngineIntegration& in, int channel, int i, int j) const;
  Trio trio(const XEngineIntegration& in, int channel, int i, int j) const;
  PlottedVisibilities plotted() const;

  bool wanted_ = false;
  std::string title_;
  XEngineDescription description_;
  int channel_ = 0;
  std::vector<Counted> matrix_;
  std::vector<Baseline> baselines_;
  std::vector<double> times_;
};

}  // namespace tessera
