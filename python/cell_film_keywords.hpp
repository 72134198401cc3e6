// SPDX-License-Identifier: Apache-2.0
/// Keywords of track_cells that are not numbers or words: files, slices, the vessel; and which
/// keywords ask for files.
#pragma once

#include <string>
#include <tuple>

#include "jobs/cells/cells_job.hpp"
#include "python/options_python.hpp"

namespace tessera::python {

/// The name of a film or a vessel that is an array, in files and messages.
inline constexpr const char* kArrayName = "array";

/// The name of a file; empty: not given.
struct FileArgument {
  std::string name;
};
template <>
struct PythonValue<FileArgument> {
  static constexpr const char* kType = "str | bytes | os.PathLike[typing.Any] | None";
  static std::string text(const FileArgument&) { return "None"; }
  static void take(const std::string& what, nb::handle given, FileArgument& value);
};

/// The vessel: a polygon or the name of an image, as text, or an array, of which `mask` is a copy.
struct VesselArgument {
  std::string text;
  Image mask;
};
template <>
struct PythonValue<VesselArgument> {
  static constexpr const char* kType = "typing.Any";
  static std::string text(const VesselArgument&) { return "None"; }
  static void take(const std::string& what, nb::handle given, VesselArgument& value);
};

template <>
struct PythonValue<FilmSlice> {
  static constexpr const char* kType = "int | typing.Literal[\"max\"]";
  static std::string text(const FilmSlice& value) { return to_text(value); }
  static void take(const std::string& what, nb::handle given, FilmSlice& value);
};

/// The options of a film's job that change its tracks.
struct FilmKeywords : CellsJobOptions {
  FileArgument edits_file;
  VesselArgument vessel;
  std::string name = kArrayName;

  static constexpr auto fields() {
    using K = FilmKeywords;
    constexpr auto all = CellsJobOptions::fields();
    return std::tuple{
        std::get<0>(all), std::get<1>(all),
        field("edits", &K::edits_file,
              "manual corrections to apply: a file, .csv, or tracks corrected in TrackMate, .xml"),
        field("inside", &K::vessel,
              "keep only cells inside the vessel: a polygon, 'X1,Y1 X2,Y2 X3,Y3 ...' in pixels; or "
              "an array (rows, columns) or an image file of the frame's size that is not 0 there"),
        field("name", &K::name, "the name of a film that is an array, for files and messages")};
  }
};

/// The options of a film's job that ask for files.
struct FilesKeywords : CellsJobOptions {
  bool force = false;

  static constexpr auto fields() {
    constexpr auto all = CellsJobOptions::fields();
    return std::tuple{std::get<4>(all), std::get<5>(all),
                      std::get<6>(all), std::get<7>(all),
                      std::get<8>(all), field("force", &FilesKeywords::force, kForceHelp)};
  }
};

}  // namespace tessera::python
