// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_header.hpp"

#include <fmt/format.h>

namespace tessera {
namespace {

constexpr const char* kDegenerate = "Axis left in to avoid FITS errors";

std::string card(const char* stem, int axis) { return fmt::format("{}{}", stem, axis); }

/// Counted from 1; 0: there is none.
int stokes_axis(const HeaderCards& header, const FaradayCubeAxes& axes) {
  for (int axis = static_cast<int>(axes.lengths.size()); axis >= 1; --axis)
    if (header.text(card("CTYPE", axis)).find("STOKES") != std::string::npos) return axis;
  return 0;
}

void set_stokes(HeaderCards& header, const FaradayCubeAxes& axes, const std::string& stokes) {
  const double number = stokes == "Q" ? 2 : stokes == "U" ? 3 : 0;
  if (const int axis = stokes_axis(header, axes); axis > 0) {
    header.set_number(card("CRPIX", axis), 1);
    header.set_number(card("CRVAL", axis), number);
  }
  if (stokes.empty())
    header.remove("STOKES");
  else
    header.set_text("STOKES", stokes);
}

}  // namespace

HeaderCards depth_header(const HeaderCards& input, const FaradayCubeAxes& axes,
                         const FaradayDepthAxis& depths, double lambda2_0,
                         const FaradayContent& content) {
  HeaderCards header = input;
  const int axis = axes.spectral + 1;
  // A matrix would still hold steps of frequency besides CDELT.
  if (header.has(fmt::format("CD{}_{}", axis, axis))) header.remove_axis(axis);
  header.set_text(card("CTYPE", axis), "FDEP", "Faraday depth (linear)");
  header.set_text(card("CUNIT", axis), "rad/m^2");
  header.set_number(card("CDELT", axis), depths.step,
                    "[rad/m^2] Coordinate increment at reference point");
  header.set_number(card("CRPIX", axis), depths.reference());
  header.set_number(card("CRVAL", axis), depths.at_reference(),
                    "[rad/m^2] Coordinate value at reference point");
  header.set_number("LAMSQ0", lambda2_0, "Lambda^2_0, in m^2");
  header.remove("DATAMAX");
  header.remove("DATAMIN");
  if (content.unit) header.set_text("BUNIT", *content.unit);
  set_stokes(header, axes, content.stokes);
  return header;
}

HeaderCards with_stokes(HeaderCards header, const FaradayCubeAxes& axes,
                        const std::string& stokes) {
  set_stokes(header, axes, stokes);
  return header;
}

HeaderCards without_sky(HeaderCards header, const FaradayCubeAxes& axes) {
  for (const int axis : {axes.x, axes.y})
    if (axis >= 0) header.remove_axis(axis + 1);
  return header;
}

HeaderCards flat_header(const HeaderCards& depth_header, const FaradayCubeAxes& axes,
                        const std::string& unit) {
  HeaderCards header = depth_header;
  const int axis = axes.spectral + 1;
  header.set_text(card("CTYPE", axis), "DEGENERATE", kDegenerate);
  header.set_text(card("CUNIT", axis), "");
  if (const int stokes = stokes_axis(header, axes); stokes > 0)
    header.set_text(card("CTYPE", stokes), "DEGENERATE", kDegenerate);
  if (!unit.empty()) header.set_text("BUNIT", unit);
  return header;
}

HeaderCards iterations_header(const HeaderCards& depth_header, const FaradayCubeAxes& axes) {
  HeaderCards header = flat_header(depth_header, axes, "Iterations");
  if (const int stokes = stokes_axis(depth_header, axes); stokes > 0)
    header.set_text(card("CUNIT", stokes), "");
  return header;
}

HeaderCards map_header(const HeaderCards& depth_header, const FaradayCubeAxes& axes,
                       const std::string& unit) {
  HeaderCards header = depth_header;
  for (int axis = static_cast<int>(axes.lengths.size()); axis >= 1; --axis)
    if (axis - 1 != axes.x && axis - 1 != axes.y) header.remove_axis(axis);
  header.set_axis_count(2);
  header.remove("BTYPE");
  header.remove("STOKES");
  header.set_text("BUNIT", unit);
  return header;
}

}  // namespace tessera
