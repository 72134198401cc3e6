// SPDX-License-Identifier: Apache-2.0
#include "tune/sites.hpp"

#include <algorithm>

namespace tessera {
namespace {

// In a function, so that it exists in any order of initialisation.
std::vector<TunedSite>& sites() {
  static std::vector<TunedSite> list;
  return list;
}

std::string without_version(const std::string& name) { return name.substr(0, name.find('@')); }

}  // namespace

bool add_sites(const std::vector<TunedSite>& more) {
  sites().insert(sites().end(), more.begin(), more.end());
  return true;
}

const std::vector<TunedSite>& known_sites() { return sites(); }

const TunedSite* find_site(const std::string& name) {
  const auto found = std::find_if(sites().begin(), sites().end(),
                                  [&](const TunedSite& site) { return site.name == name; });
  return found == sites().end() ? nullptr : &*found;
}

std::string why_no_site(const std::string& name) {
  for (const TunedSite& site : sites())
    if (without_version(site.name) == without_version(name)) return "this version has " + site.name;
  return "this version has no " + without_version(name);
}

}  // namespace tessera
