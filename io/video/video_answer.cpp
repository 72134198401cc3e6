// SPDX-License-Identifier: Apache-2.0
#include "io/video/video_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/refuse.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;

Json parsed(const std::string& path, const std::string& text) {
  Json answer = Json::parse(text, nullptr, false);
  if (!answer.is_object()) refuse_input(path, "the output of ffprobe for it is not understood");
  return answer;
}

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

// ffprobe writes most numbers as texts; -1 for a value that is not a number.
double number_of(const std::string& text) {
  double value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? value : -1;
}

// "30000/1001"; 0 for "0/0".
double rate_of(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return 0;
  const double above = number_of(text.substr(0, slash)), below = number_of(text.substr(slash + 1));
  return above > 0 && below > 0 ? above / below : 0;
}

// All time stamps are multiples of ffprobe's second rate: the mean rate if frames are evenly
// spaced, or twice that if they consist of fields.
bool are_uneven(double mean, double base) {
  constexpr double kRounding = 0.01;  // the last frame's duration is often wrong
  if (mean <= 0 || base <= 0) return false;
  const double ratio = base / mean;
  return std::abs(ratio - 1) > kRounding && std::abs(ratio - 2) > 2 * kRounding;
}

// A whole number from 0 to the maximum of an int; -1 for anything else.
int count_of(const std::string& text) {
  const double value = number_of(text);
  return value >= 0 && value <= std::numeric_limits<int>::max() ? static_cast<int>(value) : -1;
}

Json first_stream(const std::string& path, const Json& answer) {
  const auto streams = answer.find("streams");
  if (streams == answer.end() || !streams->is_array() || streams->empty())
    refuse_input(path, "it has no video stream; a video is needed");
  return (*streams)[0];
}

void take_pixel_format(const std::string& path, const Json& answer, VideoFacts& facts) {
  for (const Json& format : answer.value("pixel_formats", Json::array())) {
    if (text_of(format, "name") != facts.pixel_format) continue;
    const Json components = format.value("components", Json::array());
    const Json flags = format.value("flags", Json::object());
    facts.bits = 0;
    for (const Json& component : components)
      facts.bits = std::max(facts.bits, count_of(text_of(component, "bit_depth")));
    facts.grey = components.size() == 1 && count_of(text_of(flags, "palette")) <= 0;
    if (facts.bits < 1 || facts.bits > 16)
      refuse_input(path,
                   fmt::format("its pixels are {}, with {} bits per sample; at most 16 can be read",
                               facts.pixel_format, facts.bits));
    return;
  }
  refuse_input(path,
               fmt::format("its pixel format is '{}', which is not known", facts.pixel_format));
}

// Matroska itself does not store the number of frames; mkvmerge and Tessera write it as a tag.
int stated_frames(const Json& stream) {
  const int frames = count_of(text_of(stream, "nb_frames"));
  if (frames > 0) return frames;
  return count_of(text_of(stream.value("tags", Json::object()), "NUMBER_OF_FRAMES"));
}

VideoFacts facts_of(const std::string& path, const Json& answer) {
  const Json stream = first_stream(path, answer);
  VideoFacts facts;
  facts.codec = text_of(stream, "codec_name");
  facts.pixel_format = text_of(stream, "pix_fmt");
  facts.width = count_of(text_of(stream, "width"));
  facts.height = count_of(text_of(stream, "height"));
  take_pixel_format(path, answer, facts);
  const double base_rate = rate_of(text_of(stream, "r_frame_rate"));
  facts.frame_rate = rate_of(text_of(stream, "avg_frame_rate"));
  facts.variable_rate = are_uneven(facts.frame_rate, base_rate);
  if (facts.frame_rate <= 0) facts.frame_rate = base_rate;
  facts.frames = std::max(0, stated_frames(stream));
  facts.seconds = number_of(text_of(stream, "duration"));
  return facts;
}

// The JSON library throws if the answer has an unexpected form.
template <class Call>
auto understood(const std::string& path, const Call& call) {
  try {
    return call();
  } catch (const Json::exception&) {
    refuse_input(path, "the output of ffprobe for it is not understood");
  }
}

}  // namespace

VideoFacts facts_of_answer(const std::string& path, const std::string& text) {
  return understood(path, [&] { return facts_of(path, parsed(path, text)); });
}

int frames_of_answer(const std::string& path, const std::string& text) {
  return understood(path, [&] {
    return count_of(text_of(first_stream(path, parsed(path, text)), "nb_read_frames"));
  });
}

}  // namespace tessera
