// SPDX-License-Identifier: Apache-2.0
/// Messages of jobs name options as the command spells them; in Python they are keywords.
#pragma once

#include <string>

#include "tessera/error.hpp"

namespace tessera::python {

/// "--um-per-pixel" in sentences of jobs, which commands print, becomes "um_per_pixel".
std::string with_keywords(const std::string& sentence);

/// Calls `work`; options in its errors are named as keywords.
template <class Work>
auto naming_keywords(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.kind(), with_keywords(error.what()));
  }
}

}  // namespace tessera::python
