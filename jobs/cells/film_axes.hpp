// SPDX-License-Identifier: Apache-2.0
/// Which planes of a stack are the frames of a film: --channel and --z.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "io/image_file.hpp"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// "3" is a slice, "max" the maximum of all of them.
struct FilmSlice {
  int index = 0;
  bool maximum = false;
  bool operator==(const FilmSlice&) const = default;
  static constexpr const char* kHint = "N|max";
};
std::string to_text(const FilmSlice& value);
void from_text(std::string_view what, std::string_view text, FilmSlice& value);

struct FilmChoice {
  std::optional<int> channel;
  std::optional<FilmSlice> z;

  static constexpr auto fields() {
    using C = FilmChoice;
    return std::tuple{
        field("channel", &C::channel,
              "the channel of an ImageJ or OME stack in which cells are searched, counted from 0"),
        field("z", &C::z,
              "the slice of an ImageJ or OME stack, counted from 0, or max: the maximum of all "
              "slices of a frame"),
    };
  }
};

/// How a film is read: the options of files, and which of their planes are frames.
struct FilmReading : ReadOptions {
  FilmChoice choice = {};
  /// Frames that lie in memory, one per plane and grey, in place of a file: the input is then only
  /// the film's name. They must outlive everything that reads them.
  AnyView in_memory = {};
};

/// A file whose planes are the frames; files that do not tell of axes stay as they are. `notes`
/// receives what the user should know. Throws Error(usage) if a choice is missing or does not
/// exist, Error(input) if the file's planes cannot be told apart.
std::unique_ptr<ImageSource> frames_of_stack(const std::string& name,
                                             std::unique_ptr<ImageSource> stack,
                                             const StackAxes& axes, const FilmChoice& choice,
                                             std::vector<std::string>& notes);

}  // namespace tessera
