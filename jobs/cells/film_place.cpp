// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/film_place.hpp"

#include <filesystem>

#include "core/folder.hpp"
#include "jobs/batch_files.hpp"

namespace tessera {
namespace {

std::string with_slash(const std::string& folder) {
  return folder.ends_with('/') ? folder : folder + "/";
}

}  // namespace

FilmPlace film_place(const std::string& input) {
  if (input == "-") return {};
  if (!names_many(input))
    return {with_slash(absolute_name(folder_of(input))), name_in_folder(input)};
  std::error_code gone;
  const std::string folder =
      absolute_name(std::filesystem::is_directory(input, gone) ? input : folder_of(input));
  const std::string name = name_in_folder(folder);
  return {with_slash(folder), (name.empty() ? "film" : name) + ".tif"};
}

}  // namespace tessera
