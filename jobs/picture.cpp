// SPDX-License-Identifier: Apache-2.0
#include "jobs/picture.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "io/child_process.hpp"
#include "io/file.hpp"
#include "io/output.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr std::chrono::seconds kLongEnough{60};

std::string with_ending(const std::string& path, const char* ending) {
  return std::filesystem::path(path).replace_extension(ending).string();
}

// All output of gnuplot for a script. The script is a file: gnuplot reads a pipe letter by letter,
// which takes ten times as long.
std::string drawn(const std::string& program, const std::string& script, const std::string& path) {
  const File file = anonymous_file(path);
  file.write_all(0, script.data(), static_cast<long long>(script.size()));
  // Without the user's settings: a picture is the same everywhere.
  ChildProcess gnuplot({.subject = path,
                        .arguments = {program, "--default-settings", kChildFile},
                        .descriptor = file.descriptor(),
                        .limit = kLongEnough});
  std::string picture;
  char part[1 << 16];
  while (const long long got = gnuplot.read(part, sizeof part))
    picture.append(part, static_cast<std::size_t>(got));
  if (gnuplot.finish() != 0 || picture.empty())
    throw Error(ErrorKind::failure,
                fmt::format("{}: gnuplot failed: {}", path, gnuplot.last_line()));
  return picture;
}

}  // namespace

PictureFormat picture_format(const std::string& path) {
  if (path.ends_with(".svg")) return PictureFormat::svg;
  if (path.ends_with(".png")) return PictureFormat::png;
  throw Error(
      ErrorKind::usage,
      fmt::format("{}: pictures are .svg or .png; give a name with one of these endings", path));
}

void check_pictures(const std::vector<std::string>& paths, bool force) {
  const bool as_script = find_program("gnuplot", "TESSERA_GNUPLOT").empty();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].empty()) continue;
    picture_format(paths[i]);
    const std::string numbers = with_ending(paths[i], ".tsv");
    for (std::size_t k = 0; k < i; ++k)
      if (!paths[k].empty() && with_ending(paths[k], ".tsv") == numbers)
        throw Error(ErrorKind::usage, fmt::format("{} and {}: both have their figures in {}; give "
                                                  "names that differ before their endings",
                                                  paths[k], paths[i], numbers));
    Output(paths[i], force);  // begun and abandoned
    Output(numbers, force);
    if (as_script) Output(with_ending(paths[i], ".gp"), force);
  }
}

Picture draw_picture(const Plot& plot, const std::string& path, bool force) {
  picture_format(path);
  Picture picture{"", with_ending(path, ".tsv"), ""};
  write_text(picture.numbers, plot.numbers, force);
  const std::string program = find_program("gnuplot", "TESSERA_GNUPLOT");
  if (program.empty()) {
    const std::string script = with_ending(path, ".gp");
    write_text(script, plot.script, force);
    picture.note = fmt::format(
        "gnuplot was not found: the figures are in {}; with gnuplot installed, `gnuplot {} > {}` "
        "draws them",
        picture.numbers, script, path);
    return picture;
  }
  write_text(path, drawn(program, plot.script, path), force);
  picture.path = path;
  return picture;
}

}  // namespace tessera
