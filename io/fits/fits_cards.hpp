// SPDX-License-Identifier: Apache-2.0
/// Cards as they are written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/header_card.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// The cards of an image's header that are still true of what was made of it: all but those that
/// describe the file. The reference pixels move with `origin`, the input's pixel that became the
/// output's first.
std::vector<std::string> kept_fits_cards(const std::vector<std::string>& header, Point origin,
                                         int plane = 0);

/// HISTORY cards, as many as the lines need.
std::vector<std::string> fits_history(const std::vector<std::string>& lines);

/// A whole header: the cards, DATASUM, CHECKSUM and END, filled to a block. Its length does not
/// depend on `data_sum`.
std::string fits_header_bytes(std::vector<std::string> cards, std::uint32_t data_sum);

}  // namespace tessera
