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
  /// The sums of two inputs that give a coefficient.
  struct Trio {
    Sum cross;
    double first = 0, second = 0;
    void operator+=(const Trio& other);
    Sum coefficient() const;
  };
  struct Baseline {
    int i = 0, j = 0;
    std::vector<Trio> over_frequency;
    std::vector<Sum> over_time;
  };
  Sum value(const void* values, int channel, int i, int j) const;
  Trio trio(const void* values, int channel, int i, int j) const;
  PlottedVisibilities plotted() const;

  bool wanted_ = false;
  std::string title_;
  XEngineDescription description_;
  int channel_ = 0;
  std::vector<Sum> matrix_;
  std::vector<Baseline> baselines_;
  std::vector<double> times_;
};

}  // namespace tessera
