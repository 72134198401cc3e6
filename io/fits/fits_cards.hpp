// SPDX-License-Identifier: Apache-2.0
/// Cards as they are written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/header_card.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// The cards of an input's header that still hold for the result: all except those that describe
/// the file. The reference pixels move with `origin`, the input pixel that became the first pixel
/// of the output.
std::vector<std::string> kept_fits_cards(const std::vector<std::string>& header, Point origin,
                                         int plane = 0);

/// The HISTORY cards for these lines.
std::vector<std::string> fits_history(const std::vector<std::string>& lines);

/// A whole header: the cards, DATASUM, CHECKSUM and END, padded to a block. Its length does not
/// depend on `data_sum`.
std::string fits_header_bytes(std::vector<std::string> cards, std::uint32_t data_sum);

}  // namespace tessera
