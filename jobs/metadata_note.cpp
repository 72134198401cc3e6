// SPDX-License-Identifier: Apache-2.0
#include "jobs/metadata_note.hpp"

#include <fmt/format.h>

#include "core/samples.hpp"
#include "io/formats.hpp"

namespace tessera {
namespace {

std::string listed(const std::vector<std::string>& words) {
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i)
    text += (i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string advice(const ImageMetadata& lost, const ImageInfo& made) {
  std::string text;
  if (lost.orientation != 1) text += "; pixels are as stored, --upright turns them";
  if (lost.white_is_zero && is_integer(made.type))
    text += fmt::format("; convert --range {},0 inverts it", limits_of(made.type).most);
  return text;
}

}  // namespace

void add_metadata_note(const ImageMetadata& metadata, const std::string& output,
                       const ImageInfo& made, std::vector<std::string>& notes) {
  const Format* format = output == "-" ? nullptr : format_of_name(output);
  const auto [held, lost] = held_metadata(format ? format->holds : MetadataKinds{}, made, metadata);
  if (lost.empty()) return;
  ImageMetadata missing;
  if (held.orientation != metadata.orientation) missing.orientation = metadata.orientation;
  missing.white_is_zero = metadata.white_is_zero && !held.white_is_zero;
  notes.push_back(fmt::format("{} does not have the input's {}{}",
                              output == "-" ? "standard output" : output, listed(lost),
                              advice(missing, made)));
}

void add_beam_note(const ImageSource& source, std::vector<std::string>& notes) {
  if (source.beams().rows.empty()) return;
  notes.emplace_back(
      "every channel of the input has its own beam, in a table (CASAMBM) that is not copied; "
      "tessera beam gives all channels one beam");
}

}  // namespace tessera
