// SPDX-License-Identifier: Apache-2.0
#include "jobs/sources/sources_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tessera/error.hpp"

namespace tessera {
namespace {

/// "Jy" of "Jy/beam", "JY/BEAM", "Jy beam-1" …; nothing if the unit is not one per beam.
std::optional<std::string> without_beam(const std::string& unit) {
  std::string low = unit;
  std::ranges::transform(low, low.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* ending : {"/beam", " beam-1", " beam^-1", ".beam-1", " beam**-1"})
    if (low.ends_with(ending)) return unit.substr(0, unit.size() - std::string(ending).size());
  return std::nullopt;
}

std::string flux_unit(const std::string& unit, bool has_beam) {
  if (const auto own = without_beam(unit); own && has_beam) return *own;
  const std::string own = unit.empty() ? "" : unit + " ";
  return own + (has_beam ? "beam" : "pix");
}

std::optional<SourceShape> beam_of(const std::string& path, const ImageSource& file, int plane,
                                   const SourcesSky& sky, std::vector<std::string>& notes) {
  const std::vector<std::optional<Beam>> beams = plane_beams(path, file);
  if (beams.empty()) return std::nullopt;
  const auto& beam = beams[std::min(static_cast<std::size_t>(plane), beams.size() - 1)];
  if (!beam) return std::nullopt;
  if (sky.steps) return shape_in_pixels(*beam, *sky.steps);
  notes.push_back("the header has a beam (BMAJ), but not the size of a pixel (CDELT1, CDELT2)");
  return std::nullopt;
}

}  // namespace

SourcesSky sources_sky(const std::string& path, const ImageSource& file, int plane,
                       const SourcesChoices& choices, std::vector<std::string>& notes) {
  SourcesSky sky;
  const HeaderCards header(file.header());
  if (header.has("BUNIT")) sky.unit = header.text("BUNIT");
  sky.steps = sky_steps(header);
  try {
    if (header.has("CTYPE1")) sky.wcs.emplace(path, header, 1, 2);
  } catch (const Error& error) {
    notes.push_back(fmt::format("no places on the sky: {}", error.what()));
  }
  if (choices.beam)
    sky.beam = choices.beam->shape;
  else
    sky.beam = beam_of(path, file, plane, sky, notes);
  sky.flux_unit = flux_unit(sky.unit, sky.beam.has_value());
  if (!sky.beam && without_beam(sky.unit))
    notes.push_back(
        fmt::format("the unit is {}, but no beam is known: fluxes are sums over pixels; give "
                    "--beam",
                    sky.unit));
  return sky;
}

}  // namespace tessera
