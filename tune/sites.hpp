// SPDX-License-Identifier: Apache-2.0
/// The places in the code that ask tables for knobs. Each is known by name and version,
/// "convolve.direct@2"; the version is raised by hand when its knobs change meaning, and lines of
/// other versions are then ignored.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// A knob and its allowed values: a line with any other is damaged, and no plan fails.
struct KnobRange {
  std::string name;
  int least, most;
};

struct TunedSite {
  std::string name;  ///< "convolve.direct@2"
  std::vector<KnobRange> knobs;
};

/// An operation registers its sites while the program starts; returns true.
bool add_sites(const std::vector<TunedSite>& sites);
const std::vector<TunedSite>& known_sites();

/// The site of this name and version; null if this version of the project has none.
const TunedSite* find_site(const std::string& name);

/// "this version has convolve.direct@2", "this version has no convolve.blur".
std::string why_no_site(const std::string& name);

}  // namespace tessera
