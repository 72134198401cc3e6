// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/catalogue_stokes.hpp"

#include <cmath>
#include <map>

#include "jobs/faraday/faraday_block.hpp"
#include "jobs/faraday/stokes_value.hpp"

namespace tessera {
namespace {

/// The two channels around the reference, and what they say about a model there.
class ModelPlace {
 public:
  ModelPlace(const FaradayAxes& axes, bool is_smooth)
      : place_(faraday_model_place(axes)),
        low_(axes.frequency[static_cast<std::size_t>(place_.low)]),
        high_(axes.frequency[static_cast<std::size_t>(place_.high)]),
        is_smooth_(is_smooth) {}

  int low() const { return place_.low; }
  int high() const { return place_.high; }
  double frequency() const { return between(low_, high_); }

  /// A model has no errors. Its slope is that between the two channels.
  CatalogueStokes value(double low, double high) const {
    CatalogueStokes value;
    value.frequency = frequency();
    value.intensity = between(low, high);
    if (is_smooth_ && high_ != low_) value.alpha = std::log(high / low) / std::log(high_ / low_);
    return value;
  }

 private:
  double between(double low, double high) const {
    return (1 - place_.share) * low + place_.share * high;
  }

  FaradayModelPlace place_;
  double low_, high_;
  bool is_smooth_;
};

}  // namespace

void add_stokes_i(const FaradayFiles& files, FaradayInput& input, const FaradayAxes& axes,
                  std::vector<CatalogueRow>& rows) {
  if (files.model.empty()) return;
  const ModelPlace place(axes, !files.fitting.allow_raw_model);
  if (!input.has_model_cube()) {
    const std::vector<float>& list = input.model_list();
    for (CatalogueRow& row : rows)
      row.stokes_i = place.value(list[static_cast<std::size_t>(place.low())],
                                 list[static_cast<std::size_t>(place.high())]);
    return;
  }
  Image model(rows_of(input.cube(), 1, kHost)), maps;
  if (input.fit_plan()) maps = Image(rows_of(input.fit_plan()->output(), 1, kHost));
  std::map<int, std::vector<CatalogueRow*>> by_row;
  for (CatalogueRow& row : rows)
    if (row.pixel) by_row[row.pixel->at.y].push_back(&row);
  for (const auto& [y, wanted] : by_row) {
    input.read_model({y, y + 1}, model.view(), maps ? maps.view() : AnyMutableView());
    for (CatalogueRow* row : wanted) {
      const int x = row->pixel->at.x;
      row->stokes_i = place.value(model.as<float>().at(x, 0, 0, place.low()),
                                  model.as<float>().at(x, 0, 0, place.high()));
      if (!maps) continue;
      const StokesValue fitted = stokes_value(std::as_const(maps).as<float>(), {x, 0},
                                              files.fitting.curve, place.frequency());
      row->stokes_i.error = fitted.error;
      row->stokes_i.alpha = fitted.alpha;
      row->stokes_i.alpha_error = fitted.alpha_error;
    }
  }
}

}  // namespace tessera
