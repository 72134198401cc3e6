// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/catalogue_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jobs/faraday/rm_table.hpp"

namespace tessera {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
/// The paper of the correction sqrt(P^2 - 2.3 sigma^2): George, Stil and Keller.
constexpr const char* kBiasPaper = "2012PASA...29..214G";
constexpr double kBiasSnr = 5;  ///< smaller ratios are not corrected (faraday_maps.hpp)

struct FluxUnit {
  double factor = 1;
  std::string name = "Jy";
};

FluxUnit flux_unit(const HeaderCards& header) {
  const std::string unit = header.text("BUNIT");
  const std::string first = unit.substr(0, unit.find('/'));
  if (first == "Jy" || first == "JY") return {};
  if (first == "mJy" || first == "MJY") return {1e-3, "Jy"};
  if (first == "uJy") return {1e-6, "Jy"};
  return {1, unit};
}

/// The median distance between neighbours.
double channel_width(std::vector<double> frequency) {
  if (frequency.size() < 2) return kNone;
  std::ranges::sort(frequency);
  std::vector<double> steps;
  for (std::size_t k = 1; k < frequency.size(); ++k)
    steps.push_back(frequency[k] - frequency[k - 1]);
  const auto middle = steps.begin() + std::ssize(steps) / 2;
  std::ranges::nth_element(steps, middle);
  return *middle;
}

class RmRows {
 public:
  RmRows(Table& table, const CatalogueCube& cube) : table_(table), cube_(cube) {
    const HeaderCards& header = cube.q.header();
    unit_ = flux_unit(header);
    reference_ = cube.axes.lambda2_0 > 0 ? cube.axes.frequency_0() : kNone;
    width_ = channel_width(cube.axes.frequency);
    epoch_ = header.number("MJD-OBS").value_or(kNone);
    if (header.has("TELESCOP")) telescope_ = header.text("TELESCOP");
    major_ = header.number("BMAJ").value_or(kNone);
    minor_ = header.number("BMIN").value_or(kNone);
    const double angle = std::fmod(header.number("BPA").value_or(kNone), 180);
    angle_ = angle < 0 ? angle + 180 : angle;
    for (TableColumn& column : table.columns)
      if (column.unit == "Jy") column.unit = unit_.name;
  }

  void add(std::size_t row, const CatalogueRow& from) {
    row_ = row;
    add_place(from.position);
    word("catalog_name", cube_.name);
    word("cat_id", from.position.id);
    word("telescope", telescope_);
    word("flag", std::string(name_of(from.position.flag)));
    word("notes", std::string(name_of(from.position.flag)));
    put("reffreq_pol", reference_);
    put("channelwidth", width_);
    put("epoch", epoch_);
    put("beam_maj", major_);
    put("beam_min", minor_);
    put("beam_pa", angle_);
    word("rm_method",
         cube_.by_stokes_i ? "RM Synthesis - Fractional polarization" : "RM Synthesis - Pol. Int");
    word("flux_type", "Peak");
    if (!from.pixel) return;
    add_pixel(*from.pixel);
    add_stokes_i(*from.pixel, from.stokes_i);
  }

 private:
  void put(const char* name, double value) { rm_column(table_, name).numbers[row_] = value; }
  void word(const char* name, const std::string& text) {
    rm_column(table_, name).texts[row_] = text;
  }

  void add_place(const CataloguePosition& position) {
    if (!position.place) return;
    const SkyPoint galactic = from_icrs(*position.place, SkyFrame::galactic);
    put("ra", position.place->longitude);
    put("dec", position.place->latitude);
    put("l", galactic.longitude);
    put("b", galactic.latitude);
  }

  // Q and U are those of the peak at the reference frequency: both have the noise of the spectrum.
  void add_pixel(const CataloguePixel& pixel) {
    const double noise = pixel.value(FaradayMap::noise) * unit_.factor;
    const double pi = pixel.value(FaradayMap::pi) * unit_.factor,
                 debiased = pixel.value(FaradayMap::pi_debiased) * unit_.factor;
    const double angle = pixel.value(FaradayMap::angle) * std::numbers::pi / 180;
    put("x", pixel.at.x);
    put("y", pixel.at.y);
    put("rm", pixel.value(FaradayMap::rm));
    put("rm_err", pixel.value(FaradayMap::rm_error));
    put("rm_width", pixel.width);
    put("polint", debiased);
    put("polint_err", noise);
    put("snr", pixel.value(FaradayMap::snr));
    word("pol_bias", pixel.value(FaradayMap::snr) >= kBiasSnr ? kBiasPaper : "None");
    put("polangle", pixel.value(FaradayMap::angle));
    put("polangle_err", pixel.value(FaradayMap::angle_error));
    put("derot_polangle", pixel.value(FaradayMap::angle_0));
    put("derot_polangle_err", pixel.value(FaradayMap::angle_0_error));
    put("stokesQ", pi * std::cos(2 * angle));
    put("stokesU", pi * std::sin(2 * angle));
    put("stokesQ_err", noise);
    put("stokesU_err", noise);
    put("rmsf_fwhm", pixel.fwhm);
    put("minfreq", pixel.low > 0 ? pixel.low : kNone);
    put("maxfreq", pixel.high > 0 ? pixel.high : kNone);
    put("Nchan", pixel.channels);
    put("noise_chan", pixel.noise_chan * unit_.factor);
  }

  // An error of I that is not known does not count for the fraction.
  void add_stokes_i(const CataloguePixel& pixel, const CatalogueStokes& i) {
    if (!std::isfinite(i.intensity)) return;
    const double fraction = pixel.value(FaradayMap::pi_debiased) / i.intensity;
    const double of_i = std::isfinite(i.error) ? fraction * i.error : 0;
    put("stokesI", i.intensity * unit_.factor);
    put("stokesI_err", i.error * unit_.factor);
    put("spectral_index", i.alpha);
    put("spectral_index_err", i.alpha_error);
    put("reffreq_I", i.frequency);
    put("fracpol", fraction);
    put("fracpol_err", std::hypot(pixel.value(FaradayMap::noise), of_i) / i.intensity);
  }

  Table& table_;
  const CatalogueCube& cube_;
  FluxUnit unit_;
  double reference_ = 0, width_ = 0, epoch_ = 0, major_ = 0, minor_ = 0, angle_ = 0;
  std::string telescope_ = "Unknown";
  std::size_t row_ = 0;
};

TableColumn extra(const char* name, TableKind kind, const char* description, std::size_t rows) {
  TableColumn column;
  column.name = name;
  column.kind = kind;
  column.description = description;
  if (kind == TableKind::text)
    column.texts.assign(rows, "");
  else
    column.numbers.assign(rows, kNone);
  return column;
}

}  // namespace

Table catalogue_table(const CatalogueCube& cube, const std::vector<CatalogueRow>& rows) {
  Table table = blank_rm_table(std::ssize(rows));
  table.notes = {{"RMTABLE", "1.3"}};
  table.columns.push_back(
      extra("snr", TableKind::f32, "Peak over noise of the spectrum, with its bias", rows.size()));
  table.columns.push_back(
      extra("x", TableKind::i32, "Column of the pixel measured, from 0", rows.size()));
  table.columns.push_back(
      extra("y", TableKind::i32, "Row of the pixel measured, from 0", rows.size()));
  table.columns.push_back(
      extra("flag", TableKind::text, "Why there is no rotation measure", rows.size()));
  RmRows into(table, cube);
  for (std::size_t row = 0; row < rows.size(); ++row) into.add(row, rows[row]);
  return table;
}

}  // namespace tessera
