// SPDX-License-Identifier: Apache-2.0
#include "jobs/correlate/scene_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jobs/batch_files.hpp"
#include "jobs/batch_manifest.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

// A repeated run finds its own earlier outputs in the folder.
void drop_own(const std::string& word, const std::vector<std::string>& own,
              std::vector<std::string>& found) {
  const auto is_own = [&](const std::string& file) {
    return std::ranges::find(own, absolute_name(file)) != own.end();
  };
  if (found == std::vector{word} && is_own(word))
    throw Error(ErrorKind::usage,
                fmt::format("{} would be replaced by its own result; give another output", word));
  std::erase_if(found, is_own);
}

std::vector<std::string> all_files(const std::vector<std::string>& words,
                                   const std::vector<std::string>& own) {
  std::vector<std::string> files, places;
  for (const std::string& path : own) places.push_back(absolute_name(path));
  for (const std::string& word : words) {
    std::vector<std::string> found = files_of(word);
    drop_own(word, places, found);
    std::ranges::sort(found);
    files.insert(files.end(), found.begin(), found.end());
  }
  if (files.empty())
    throw Error(ErrorKind::input,
                "there are no images other than those the run makes; name others");
  return files;
}

struct Sorted {
  std::vector<std::string> places;  ///< absolute names
  SceneFiles scene;
};

Sorted scene_of(std::vector<std::string> files) {
  Sorted made;
  for (const std::string& file : files) {
    made.places.push_back(absolute_name(file));
    const FileStamp stamp = stamp_of(file);
    made.scene.signature +=
        fmt::format("{} {} {};", storable(made.places.back()), stamp.bytes, stamp.modified_ns);
  }
  made.scene.files = std::move(files);
  return made;
}

}  // namespace

std::string SceneFiles::name() const { return fmt::format("{}", fmt::join(files, ",")); }

std::vector<SceneFiles> find_scenes(const std::vector<std::string>& words, int stack,
                                    const std::vector<std::string>& own) {
  const std::vector<std::string> files = all_files(words, own);
  if (stack < 1 || files.size() % static_cast<std::size_t>(stack) != 0)
    throw Error(ErrorKind::usage, fmt::format("--stack: {} files cannot be divided into images of "
                                              "{} files; give a number that divides them",
                                              files.size(), stack));
  std::vector<Sorted> made;
  for (auto file = files.begin(); file != files.end(); file += stack)
    made.push_back(scene_of({file, file + stack}));
  std::ranges::stable_sort(made, {}, &Sorted::places);
  const auto same = [](const Sorted& a, const Sorted& b) { return a.places == b.places; };
  made.erase(std::unique(made.begin(), made.end(), same), made.end());
  std::vector<SceneFiles> scenes;
  for (Sorted& one : made) scenes.push_back(std::move(one.scene));
  return scenes;
}

}  // namespace tessera
