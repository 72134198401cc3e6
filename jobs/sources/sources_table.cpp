// SPDX-License-Identifier: Apache-2.0
#include "jobs/sources/sources_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace tessera {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr double kArcsec = 3600;

/// A symmetric matrix over two axes.
struct Spread {
  double xx = 0, xy = 0, yy = 0;
};

/// The spread of an ellipse whose long axis goes along (-sin, cos) of its angle, in squares of its
/// widths.
Spread spread_of(double major, double minor, double degrees) {
  const double angle = degrees * std::numbers::pi / 180, sine = std::sin(angle),
               cosine = std::cos(angle);
  const double along = major * major, across = minor * minor;
  return {along * sine * sine + across * cosine * cosine, (across - along) * sine * cosine,
          along * cosine * cosine + across * sine * sine};
}

SourceShape ellipse_of(const Spread& s) {
  const double middle = (s.xx + s.yy) / 2, half = std::hypot((s.yy - s.xx) / 2, s.xy);
  return {std::sqrt(middle + half), std::sqrt(std::max(0.0, middle - half)),
          0.5 * std::atan2(-2 * s.xy, s.yy - s.xx) * 180 / std::numbers::pi};
}

/// M S M^T for M = ((a, b), (c, d)).
Spread turned(const Spread& s, double a, double b, double c, double d) {
  return {a * a * s.xx + 2 * a * b * s.xy + b * b * s.yy,
          a * c * s.xx + (a * d + b * c) * s.xy + b * d * s.yy,
          c * c * s.xx + 2 * c * d * s.xy + d * d * s.yy};
}

/// West and north, so that the long axis of an angle from north to east goes along (-sin, cos).
Spread on_sky(const Spread& pixels, const SkySteps& steps) {
  return turned(pixels, -steps.east_x, -steps.east_y, steps.north_x, steps.north_y);
}

/// The steps to the east and north of ICRS at a source, whatever the projection and the frame.
std::optional<SkySteps> steps_at(const SkyWcs& wcs, const Source& at, const SkyPoint& place) {
  const auto step = [&](double dx, double dy) -> std::optional<SkyPoint> {
    const auto next = wcs.place_of({at.x + dx, at.y + dy});
    if (!next) return std::nullopt;
    return SkyPoint{std::remainder(next->longitude - place.longitude, 360.0) *
                        std::cos(place.latitude * std::numbers::pi / 180),
                    next->latitude - place.latitude};
  };
  constexpr double kPart = 0.01;  // of a pixel: the sky is flat
  const auto x = step(kPart, 0), y = step(0, kPart);
  if (!x || !y) return std::nullopt;
  return SkySteps{x->longitude / kPart, y->longitude / kPart, x->latitude / kPart,
                  y->latitude / kPart};
}

/// One source with what the sky adds to it.
struct Row {
  const Source& source;
  std::optional<SkyPoint> place;
  double ra_err = kNothing, dec_err = kNothing;
  Beam shape{kNothing, kNothing, kNothing}, deconvolved{kNothing, kNothing, kNothing};
  double scale = 1;  ///< of errors of widths

  Row(const Source& of, const SourcesSky& sky) : source(of) {
    if (sky.wcs) place = sky.wcs->place_of({of.x, of.y});
    const std::optional<SkySteps> steps = place ? steps_at(*sky.wcs, of, *place) : sky.steps;
    if (steps) {
      const Spread errors = on_sky({of.x_err * of.x_err, of.xy_cov, of.y_err * of.y_err}, *steps);
      ra_err = std::sqrt(errors.xx);
      dec_err = std::sqrt(errors.yy);
    }
    shape = {of.shape.major, of.shape.minor, of.shape.angle};
    std::optional<Beam> rest;
    if (sky.beam && shape.valid())
      rest = deconvolve_beam(shape, {sky.beam->major, sky.beam->minor, sky.beam->angle});
    if (sky.beam && shape.valid()) deconvolved = rest.value_or(Beam{0, 0, 0});
    if (!steps || !sky.steps) return;
    const auto arcsec = [&](Beam& beam) {
      if (!(beam.major > 0)) return;
      beam = shape_on_sky({beam.major, beam.minor, beam.angle}, *steps);
      beam.major *= kArcsec;
      beam.minor *= kArcsec;
    };
    if (of.shape.major > 0) {
      const double before = shape.major * shape.minor;
      arcsec(shape);
      scale = std::sqrt(shape.major * shape.minor / before);
    }
    arcsec(deconvolved);
  }
};

struct Column {
  const char *name, *unit, *ucd, *text;
  std::function<double(const Row&)> value;
  TableKind kind = TableKind::f64;
};

std::vector<Column> columns_of(const SourcesSky& sky) {
  const char* const image = sky.unit.c_str();
  const char* const flux = sky.flux_unit.c_str();
  const char* const width = sky.steps ? "arcsec" : "pix";
  const auto of = [](auto Source::*member) {
    return [member](const Row& row) { return static_cast<double>(row.source.*member); };
  };
  return {
      {"id", "", "meta.id;meta.main", "number, by island and brightness", of(&Source::id),
       TableKind::i32},
      {"island", "", "meta.id.parent", "number of its island, in the order of first pixels",
       of(&Source::island), TableKind::i32},
      {"ra", "deg", "pos.eq.ra;meta.main", "right ascension, ICRS",
       [](const Row& row) { return row.place ? row.place->longitude : kNothing; }},
      {"dec", "deg", "pos.eq.dec;meta.main", "declination, ICRS",
       [](const Row& row) { return row.place ? row.place->latitude : kNothing; }},
      {"ra_err", "deg", "stat.error;pos.eq.ra", "its error along the circle, cos(dec) included",
       [](const Row& row) { return row.ra_err; }},
      {"dec_err", "deg", "stat.error;pos.eq.dec", "its error",
       [](const Row& row) { return row.dec_err; }},
      {"x", "pix", "pos.cartesian.x;instr.det", "column, the first is 0", of(&Source::x)},
      {"y", "pix", "pos.cartesian.y;instr.det", "row, the first is 0", of(&Source::y)},
      {"x_err", "pix", "stat.error;pos.cartesian.x", "its error", of(&Source::x_err)},
      {"y_err", "pix", "stat.error;pos.cartesian.y", "its error", of(&Source::y_err)},
      {"peak", image, "phot.flux.density;stat.max", "height of the Gaussian", of(&Source::peak)},
      {"peak_err", image, "stat.error;phot.flux.density", "its error", of(&Source::peak_err)},
      {"flux", flux, "phot.flux.density", "integral of the Gaussian", of(&Source::flux)},
      {"flux_err", flux, "stat.error;phot.flux.density", "its error", of(&Source::flux_err)},
      {"sum", flux, "phot.flux.density", "sum over the source's pixels, without what lies below",
       of(&Source::sum)},
      {"sum_err", flux, "stat.error;phot.flux.density", "its error", of(&Source::sum_err)},
      {"background", image, "instr.background", "background at the highest pixel",
       of(&Source::background)},
      {"rms", image, "stat.stdev;instr.background", "noise there", of(&Source::rms)},
      {"snr", "", "stat.snr", "significance of the highest pixel", of(&Source::snr)},
      {"top", image, "phot.flux.density;stat.max", "highest pixel above the background",
       of(&Source::top)},
      {"x_max", "pix", "", "its column", of(&Source::x_max), TableKind::i32},
      {"y_max", "pix", "", "its row", of(&Source::y_max), TableKind::i32},
      {"a", "pix", "phys.angSize.smajAxis", "second moment along the long axis, its root",
       of(&Source::a)},
      {"b", "pix", "phys.angSize.sminAxis", "along the short axis", of(&Source::b)},
      {"theta", "deg", "pos.posAng", "direction of the long axis, growing rows to lower columns",
       of(&Source::theta)},
      {"major", width, "phys.angSize.smajAxis", "full width of the Gaussian at half maximum",
       [](const Row& row) { return row.shape.major; }},
      {"minor", width, "phys.angSize.sminAxis", "across",
       [](const Row& row) { return row.shape.minor; }},
      {"pa", "deg", "pos.posAng",
       sky.steps ? "direction of the major axis, north to east"
                 : "direction of the major axis, growing rows to lower columns",
       [](const Row& row) { return row.shape.angle; }},
      {"major_err", width, "stat.error", "its error",
       [](const Row& row) { return row.scale * row.source.shape_err.major; }},
      {"minor_err", width, "stat.error", "its error",
       [](const Row& row) { return row.scale * row.source.shape_err.minor; }},
      {"pa_err", "deg", "stat.error", "its error",
       [](const Row& row) { return row.source.shape_err.angle; }},
      {"dec_major", width, "phys.angSize.smajAxis", "without the beam; 0: not wider than the beam",
       [](const Row& row) { return row.deconvolved.major; }},
      {"dec_minor", width, "phys.angSize.sminAxis", "without the beam",
       [](const Row& row) { return row.deconvolved.minor; }},
      {"dec_pa", "deg", "pos.posAng", "without the beam",
       [](const Row& row) { return row.deconvolved.angle; }},
      {"pixels", "", "meta.number", "pixels of its own", of(&Source::pixels), TableKind::i32},
      {"chi2", "", "stat.fit.chi2", "of the fit, reduced", of(&Source::chi2)},
  };
}

}  // namespace

SourceShape shape_in_pixels(const Beam& beam, const SkySteps& steps) {
  // The inverse of the steps to west and north.
  const double a = -steps.east_x, b = -steps.east_y, c = steps.north_x, d = steps.north_y;
  const double det = a * d - b * c;
  return ellipse_of(
      turned(spread_of(beam.major, beam.minor, beam.angle), d / det, -b / det, -c / det, a / det));
}

Beam shape_on_sky(const SourceShape& shape, const SkySteps& steps) {
  const SourceShape made =
      ellipse_of(on_sky(spread_of(shape.major, shape.minor, shape.angle), steps));
  return {made.major, made.minor, made.angle};
}

Table sources_table(const SourceList& list, const SourcesSky& sky) {
  std::vector<Row> rows;
  rows.reserve(list.sources.size());
  for (const Source& source : list.sources) rows.emplace_back(source, sky);
  Table table;
  for (const Column& column : columns_of(sky)) {
    TableColumn made;
    made.name = column.name;
    made.unit = column.unit;
    made.ucd = column.ucd;
    made.description = column.text;
    made.kind = column.kind;
    for (const Row& row : rows) made.numbers.push_back(column.value(row));
    table.columns.push_back(std::move(made));
  }
  TableColumn flags;
  flags.name = "flags";
  flags.ucd = "meta.code";
  flags.description = "reasons to look twice, in words";
  flags.kind = TableKind::text;
  for (const Source& source : list.sources) flags.texts.push_back(SourceFlags::text(source.flags));
  table.columns.push_back(std::move(flags));
  return table;
}

std::string sources_regions(const SourceList& list, const SourcesSky& sky) {
  const bool on_sky = sky.wcs && sky.steps;
  std::string text = "# Region file format: DS9 version 4.1\n";
  text += "global color=green width=1 select=1 edit=1 move=1 delete=1\n";
  text += on_sky ? "icrs\n" : "image\n";
  for (const Source& source : list.sources) {
    const Row row(source, sky);
    const bool fitted = source.shape.major > 0;
    const std::string label = fmt::format(" # text={{{}}}\n", source.id);
    // DS9 counts angles from the axis to the right, and pixels from 1.
    if (on_sky && row.place && fitted)
      text += fmt::format("ellipse({:.8f},{:.8f},{:.4f}\",{:.4f}\",{:.3f}){}", row.place->longitude,
                          row.place->latitude, row.shape.major / 2, row.shape.minor / 2,
                          row.shape.angle + 90, label);
    else if (on_sky && row.place)
      text +=
          fmt::format("point({:.8f},{:.8f}){}", row.place->longitude, row.place->latitude, label);
    else if (!on_sky && fitted)
      text += fmt::format("ellipse({:.4f},{:.4f},{:.4f},{:.4f},{:.3f}){}", source.x + 1,
                          source.y + 1, source.shape.major / 2, source.shape.minor / 2,
                          source.shape.angle + 90, label);
    else if (!on_sky)
      text += fmt::format("point({:.4f},{:.4f}){}", source.x + 1, source.y + 1, label);
  }
  return text;
}

}  // namespace tessera
