// SPDX-License-Identifier: Apache-2.0
#include "core/choice.hpp"

#include <cstdlib>

namespace tessera {

Backend wanted_backend(Backend option) {
  const char* forced = std::getenv("TESSERA_BACKEND");
  if (option != Backend::automatic || !forced || !*forced) return option;
  return parse_named<Backend>("TESSERA_BACKEND", forced);
}

}  // namespace tessera
