// SPDX-License-Identifier: Apache-2.0
/// Pixels on the sky, and beams, as FITS headers state them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/header_cards.hpp"
#include "io/image_file.hpp"
#include "tessera/beam.hpp"

namespace tessera {

/// The steps of the first two axes in degrees, by CDi_j, by CDELTi with PCi_j, or by CDELTi with
/// CROTA2; nothing if the header has none of them.
std::optional<SkySteps> sky_steps(const HeaderCards& header);

/// The first difference between two headers on the first two axes: "CRVAL1 is 3 in a.fits and 4 in
/// b.fits"; "" if the same pixels lie at the same places (to a hundredth of a
/// pixel), or if one of the headers does not say where its pixels lie.
std::string sky_difference(const HeaderCards& a, const std::string& name_a, const HeaderCards& b,
                           const std::string& name_b);

/// The beam of every plane in degrees; nothing for a plane without a beam (0, or not finite).
/// From the table of beams if the file has one, otherwise BMAJ, BMIN and BPA for all. An empty list
/// if the file states no beam. Throws Error(input) for a table that cannot be read or that lacks
/// planes.
std::vector<std::optional<Beam>> plane_beams(const std::string& path, const ImageSource& file);

/// The beam of every plane of an image from such a table; `whose` names it in messages.
std::vector<std::optional<Beam>> table_beams(const std::string& whose, const HeaderCards& header,
                                             const BeamTable& table, int planes);

/// Whether two beams differ by at most 1% of their width in every direction.
bool like_beams(const Beam& a, const Beam& b);

/// "12.3 x 10.1 arcsec at 45 degrees", from degrees.
std::string arcsec_text(const Beam& beam);

}  // namespace tessera
