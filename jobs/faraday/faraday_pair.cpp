// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_pair.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "core/folder.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// The texts before and after the part in a file's name: FDF_real_dirty.fits, RMSF_real.fits.
struct Around {
  std::string stem, ending;
};

/// The file name with one part replaced by another; "" if it has no part at that place: the prefix
/// of a name may contain the same letters.
std::string with_part(const std::string& path, const Around& around, const std::string& part) {
  const fs::path whole(path);
  std::string name = whole.filename().string();
  for (const std::string_view old : {"_real", "_im", "_tot"}) {
    const std::string known = fmt::format("{}{}{}.", around.stem, old, around.ending);
    const std::size_t at = name.rfind(known);
    if (at == std::string::npos) continue;
    name.replace(at, known.size(), fmt::format("{}_{}{}.", around.stem, part, around.ending));
    return (whole.parent_path() / name).string();
  }
  return "";
}

FaradayPair pair_of_file(const std::string& path, const Around& around) {
  const std::string real = with_part(path, around, "real");
  if (real.empty()) return {{path, 0}, {path, 1}, around.stem, around.ending};
  return {{real, {}}, {with_part(path, around, "im"), {}}, around.stem, around.ending};
}

}  // namespace

bool FaradayPlace::is_there() const { return is_regular_file(path); }

FaradayPlace FaradayPair::beside(const std::string& part, int page) const {
  if (real.page) return {real.path, page};
  return {with_part(real.path, {stem, ending}, part), {}};
}

FaradayPair find_faraday_pair(const std::string& named, const std::string& stem,
                              const std::string& ending) {
  if (is_regular_file(named)) return pair_of_file(named, {stem, ending});
  const std::string apart = named + stem + "_real" + ending, together = named + stem + ending;
  for (const std::string& path : {apart + ".fits", apart + ".npy", together + ".fits"})
    if (is_regular_file(path)) return pair_of_file(path, {stem, ending});
  throw Error(ErrorKind::input,
              fmt::format("faraday: there is no file {}, nor {}.fits, {}.npy or {}.fits; name one "
                          "of the files, or the prefix of their names",
                          named, apart, apart, together));
}

std::unique_ptr<FaradayCubeSource> open_faraday(const FaradayPlace& place, ReadOptions reading,
                                                const RunSettings& settings) {
  reading.page = place.page;
  return std::make_unique<FaradayCubeSource>(place.path, "FDEP", reading, settings);
}

}  // namespace tessera
