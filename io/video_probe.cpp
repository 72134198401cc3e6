// SPDX-License-Identifier: Apache-2.0
#include "io/video_probe.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/child_process.hpp"
#include "io/video_program.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::seconds kHeaderLimit{20};
/// All frames are decoded: an hour of film takes minutes.
constexpr std::chrono::seconds kCountLimit{3600};

[[noreturn]] void refuse(const File& file, const std::string& what) {
  throw Error(ErrorKind::input, file.path() + ": " + what);
}

std::string read_to_end(ChildProcess& child) {
  constexpr long long kPart = 1 << 16;
  std::string text;
  for (long long got = kPart; got == kPart;) {
    const size_t before = text.size();
    text.resize(before + kPart);
    got = child.read(text.data() + before, kPart);
    text.resize(before + static_cast<size_t>(got));
  }
  return text;
}

// The first stream of moving pictures, with all pixel formats if they are asked for.
Json ask(const File& file, std::vector<std::string> questions, std::chrono::seconds limit) {
  std::vector<std::string> arguments = video_program(file.path(), "ffprobe");
  questions.insert(questions.end(), {"-select_streams", "V:0", "-of", "json"});
  for (const auto& part : {questions, video_input()})
    arguments.insert(arguments.end(), part.begin(), part.end());
  ChildProcess child({.subject = file.path(),
                      .arguments = arguments,
                      .descriptor = file.descriptor(),
                      .limit = limit});
  const std::string text = read_to_end(child);
  if (child.finish() != 0) refuse(file, "ffprobe cannot read it: " + plain_line(child.last_line()));
  Json answer = Json::parse(text, nullptr, false);
  if (!answer.is_object()) refuse(file, "what ffprobe says of it is not understood");
  return answer;
}

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

// ffprobe writes most numbers as texts; -1 for what is none.
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

Json first_stream(const File& file, const Json& answer) {
  const auto streams = answer.find("streams");
  if (streams == answer.end() || !streams->is_array() || streams->empty())
    refuse(file, "it has no moving pictures, at most sound; a video is needed");
  return (*streams)[0];
}

void take_pixel_format(const File& file, const Json& answer, VideoFacts& facts) {
  for (const Json& format : answer.value("pixel_formats", Json::array())) {
    if (text_of(format, "name") != facts.pixel_format) continue;
    const Json components = format.value("components", Json::array());
    const Json flags = format.value("flags", Json::object());
    facts.bits = 0;
    for (const Json& component : components)
      facts.bits = std::max(facts.bits, component.value("bit_depth", 0));
    facts.grey = components.size() == 1 && flags.value("palette", 0) == 0;
    if (facts.bits < 1 || facts.bits > 16)
      refuse(file, fmt::format("its pixels are {}, with {} bits a sample; up to 16 can be read",
                               facts.pixel_format, facts.bits));
    return;
  }
  refuse(file, fmt::format("its pixels are '{}', which is not known", facts.pixel_format));
}

// Matroska has no place for the number of frames but in what mkvmerge and Tessera write there.
double stated_frames(const Json& stream) {
  const double frames = number_of(text_of(stream, "nb_frames"));
  if (frames > 0) return frames;
  return number_of(text_of(stream.value("tags", Json::object()), "NUMBER_OF_FRAMES"));
}

int count_frames(const File& file, const Json& stream) {
  double frames = stated_frames(stream);
  if (frames <= 0)
    frames = number_of(text_of(
        first_stream(file, ask(file, {"-count_frames", "-show_entries", "stream=nb_read_frames"},
                               kCountLimit)),
        "nb_read_frames"));
  if (frames < 1) refuse(file, "it has no frames");
  if (frames > std::numeric_limits<int>::max())
    refuse(file, fmt::format("it says that it has {:.0f} frames", frames));
  return static_cast<int>(frames);
}

}  // namespace

VideoFacts probe_video(const File& file) {
  const Json answer = ask(file, {"-show_streams", "-show_pixel_formats"}, kHeaderLimit);
  const Json stream = first_stream(file, answer);
  VideoFacts facts;
  facts.codec = text_of(stream, "codec_name");
  facts.pixel_format = text_of(stream, "pix_fmt");
  facts.width = static_cast<long long>(number_of(text_of(stream, "width")));
  facts.height = static_cast<long long>(number_of(text_of(stream, "height")));
  take_pixel_format(file, answer, facts);
  facts.frame_rate = rate_of(text_of(stream, "avg_frame_rate"));
  if (facts.frame_rate <= 0) facts.frame_rate = rate_of(text_of(stream, "r_frame_rate"));
  facts.frames = count_frames(file, stream);
  facts.seconds = number_of(text_of(stream, "duration"));
  if (facts.seconds <= 0 && facts.frame_rate > 0) facts.seconds = facts.frames / facts.frame_rate;
  return facts;
}

std::string VideoFacts::wanted_format() const {
  const char* order = std::endian::native == std::endian::little ? "le" : "be";
  if (bits <= 8) return grey ? "gray" : "rgb24";
  return fmt::format("{}{}", grey ? fmt::format("gray{}", bits) : "rgb48", order);
}

std::vector<FileDetail> VideoFacts::details() const {
  std::vector<FileDetail> list{
      {"codec", codec}, {"pixels", pixel_format}, {"frames", std::to_string(frames)}};
  if (frame_rate > 0) list.push_back({"frame rate", fmt::format("{:.6g} a second", frame_rate)});
  if (seconds > 0) list.push_back({"duration", fmt::format("{:.6g} s", seconds)});
  return list;
}

}  // namespace tessera
