// SPDX-License-Identifier: Apache-2.0
/// A line of an image's header, as FITS has them and every reader and writer hands them on. In
/// every build, with the FITS format or without.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// "NAXIS1  =                  640 / columns", 80 characters.
std::string fits_card(std::string_view keyword, std::string_view value, std::string_view comment);

}  // namespace tessera
