// SPDX-License-Identifier: Apache-2.0
/// Headers of synthetic skies: coordinates of the pixels, and the beam.
#pragma once

#include <string>

#include "io/header_cards.hpp"
#include "sample/sky_sources.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// BUNIT, the beam, and right ascension and declination with the image's middle as their centre.
HeaderCards sky_cards(const Size& size, const SkyShape& beam);

/// One axis, counted from 1: the value at a pixel, counted from 1, and its step.
void set_axis(HeaderCards& cards, int number, const std::string& type, double value, int pixel,
              double step, const std::string& unit);

}  // namespace tessera
