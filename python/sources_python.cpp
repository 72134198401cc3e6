// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include <cmath>
#include <string_view>

#include "jobs/sources/sources_finding.hpp"
#include "python/doors.hpp"
#include "python/item_arrays.hpp"
#include "python/keyword_names.hpp"
#include "python/long_call.hpp"
#include "python/noise_arguments.hpp"
#include "python/sample_run_options.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr auto kOwnMaps = [](std::string_view name) {
  return name != "background" && name != "rms";
};

/// A map: an array, a number, or None.
class MapArgument {
 public:
  MapArgument(const std::string& what, nb::handle given, const Size& size) {
    if (given.is_none()) return;
    double number = 0;
    if (nb::try_cast<double>(given, number)) {
      rows_ = std::make_unique<ConstantRows>(size, number);
      return;
    }
    array_ = look_at_values(given, what);
    check_two_axes(what, array_);
    const AnyView view = view_of(what, array_, Axes{}, false);
    if (view.device != kHost) throw nb::type_error((what + " must be in host memory").c_str());
    if (view.size.width != size.width || view.size.height != size.height)
      throw_usage(what + " has another shape than the image; give one of the same shape");
    source_ = std::make_unique<ViewSource>(view);
    rows_ = std::make_unique<FloatRows>(*source_);
  }
  RowSource* rows() const { return rows_.get(); }

 private:
  Array array_;
  std::unique_ptr<ViewSource> source_;
  std::unique_ptr<RowSource> rows_;
};

std::optional<SourceShape> beam_from(nb::handle given) {
  if (given.is_none()) return std::nullopt;
  SourceBeamText beam;
  std::string text;
  if (nb::isinstance<nb::sequence>(given) && !nb::isinstance<nb::str>(given)) {
    for (nb::handle part : nb::iter(given)) text += (text.empty() ? "" : ",") + shown(part);
  } else {
    text = shown(given);
  }
  from_text("sources: beam", text, beam);
  return beam.shape;
}

nb::dict columns_of(const SourceList& list) {
  using S = Source;
  nb::dict table =
      table_of<S>(list.sources, {{"x", [](const S& s) { return s.x; }},
                                 {"y", [](const S& s) { return s.y; }},
                                 {"x_err", [](const S& s) { return s.x_err; }},
                                 {"y_err", [](const S& s) { return s.y_err; }},
                                 {"peak", [](const S& s) { return s.peak; }},
                                 {"peak_err", [](const S& s) { return s.peak_err; }},
                                 {"flux", [](const S& s) { return s.flux; }},
                                 {"flux_err", [](const S& s) { return s.flux_err; }},
                                 {"sum", [](const S& s) { return s.sum; }},
                                 {"sum_err", [](const S& s) { return s.sum_err; }},
                                 {"background", [](const S& s) { return s.background; }},
                                 {"rms", [](const S& s) { return s.rms; }},
                                 {"snr", [](const S& s) { return s.snr; }},
                                 {"top", [](const S& s) { return s.top; }},
                                 {"a", [](const S& s) { return s.a; }},
                                 {"b", [](const S& s) { return s.b; }},
                                 {"theta", [](const S& s) { return s.theta; }},
                                 {"major", [](const S& s) { return s.shape.major; }},
                                 {"minor", [](const S& s) { return s.shape.minor; }},
                                 {"pa", [](const S& s) { return s.shape.angle; }},
                                 {"major_err", [](const S& s) { return s.shape_err.major; }},
                                 {"minor_err", [](const S& s) { return s.shape_err.minor; }},
                                 {"pa_err", [](const S& s) { return s.shape_err.angle; }},
                                 {"chi2", [](const S& s) { return s.chi2; }}});
  const auto whole = [&](const char* name, double (*value)(const S&)) {
    const nb::dict one = table_of<S>(list.sources, {{name, value}});
    table[name] = one[name].attr("astype")("int32");
  };
  whole("id", [](const S& s) { return static_cast<double>(s.id); });
  whole("island", [](const S& s) { return static_cast<double>(s.island); });
  whole("x_max", [](const S& s) { return static_cast<double>(s.x_max); });
  whole("y_max", [](const S& s) { return static_cast<double>(s.y_max); });
  whole("pixels", [](const S& s) { return static_cast<double>(s.pixels); });
  nb::list flags;
  for (const S& source : list.sources) flags.append(SourceFlags::text(source.flags).c_str());
  table["flags"] = flags;
  return table;
}

nb::dict find(nb::handle given, nb::handle background, nb::handle rms, nb::handle beam,
              nb::handle mask, const nb::kwargs& keywords) {
  SourcesFinding how;
  HostOptions host;
  take_options("sources", keywords, how.options, how.maps, host);
  how.settings.threads = host.threads;
  how.settings.memory_limit.bytes = host.memory_bytes();
  how.beam = beam_from(beam);
  const MaskedImage parts(given, mask);
  const Array looked = look_at_values(parts.image, "sources: image");
  check_two_axes("sources: image", looked);
  if (looked.device != kHost) throw nb::type_error("sources: image must be in host memory");
  const Array image = blanked("sources", looked, parts.masks);
  ViewSource source(view_of("sources: image", image, Axes{}, false));
  FloatRows rows(source);
  const Size size = rows.info().size;
  if (size.empty()) return columns_of({});
  const MapArgument below("sources: background", background, size),
      noise("sources: rms", rms, size);
  how.background = below.rows();
  how.rms = noise.rows();
  SourcesFound found;
  {
    const LongCall unlocked;
    found = naming_keywords([&] { return find_sources(rows, how, {}); });
  }
  if (!found.list.noise_is_known && !found.list.sources.empty())
    warn({"sources: errors are uncertain: the noise is " + found.list.noise_text +
          "; give correlation"});
  return columns_of(found.list);
}

constexpr const char* kAbout =
    R"(Sources of an image: islands of pixels above grow sigma with one above seed sigma, split at saddles,
and a Gaussian fitted to each source. See `tessera sources --help` and docs/sources.md.

image: (rows, columns) in host memory; dtypes as in noise().
background, rms: arrays of that shape, or numbers; None: made as noise() does, in several passes.
beam: a point source: (major, minor, angle), full widths in pixels and degrees from growing rows towards lower
    columns, or one width. Fluxes are then in units of the image times beams, else times pixels.
mask: a bool array of the image's shape, True where a pixel is blank.
Returns a dict of columns, one value per source: x and y (pixels counted from 0), peak, flux (the Gaussian's
integral), sum (over its pixels), their errors (..._err), background, rms, snr, top (highest pixel), a, b and
theta (second moments), major, minor and pa (the Gaussian's full widths), chi2, id, island, x_max, y_max, pixels,
and flags, a list of words.

>>> found = tessera.sources(image, beam=(5, 4, 30))
>>> found["flux"][found["snr"] > 7])";

}  // namespace

void add_sources(nb::module_& module) {
  module.def(
      "sources", &find, "image"_a, "background"_a = nb::none(), "rms"_a = nb::none(), nb::kw_only(),
      "beam"_a = nb::none(), "mask"_a = nb::none(), "options"_a,
      nb::sig(kept("def sources(image: typing.Any, background: typing.Any = None, "
                   "rms: typing.Any = None, *, beam: typing.Any = None, mask: typing.Any = None" +
                   option_parameters<SourcesOptions>() +
                   option_parameters<SourceMapChoices>(kOwnMaps) +
                   option_parameters<HostOptions>() + ") -> dict[str, typing.Any]")),
      kept(std::string(kAbout) + "\n\nOptions:\n" + option_help<SourcesOptions>() +
           option_help<SourceMapChoices>(kOwnMaps) + option_help<HostOptions>()));
}

}  // namespace tessera::python
