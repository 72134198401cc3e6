// SPDX-License-Identifier: Apache-2.0
#include "io/video/video_probe.hpp"

#include <fmt/format.h>

#include <bit>
#include <vector>

#include "core/refuse.hpp"
#include "io/child_process.hpp"
#include "io/video/video_program.hpp"

namespace tessera {
namespace {

constexpr std::chrono::seconds kHeaderLimit{20};
/// To count them, all frames are decoded: an hour of film takes minutes.
constexpr std::chrono::seconds kCountLimit{3600};

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

// The first video stream, with all pixel formats if they are requested.
std::string ask(const File& file, std::vector<std::string> questions, std::chrono::seconds limit) {
  std::vector<std::string> arguments = video_program(file.path(), "ffprobe");
  questions.insert(questions.end(), {"-select_streams", "V:0", "-of", "json"});
  for (const auto& part : {questions, video_input()})
    arguments.insert(arguments.end(), part.begin(), part.end());
  ChildProcess child({.subject = file.path(),
                      .arguments = arguments,
                      .descriptor = file.descriptor(),
                      .confined = kVideoReader,
                      .limit = limit});
  const std::string text = read_to_end(child);
  if (child.finish() != 0)
    refuse_input(file.path(), "ffprobe cannot read it: " + plain_line(child.last_line()));
  return text;
}

int count_frames(const File& file) {
  const int frames = frames_of_answer(
      file.path(),
      ask(file, {"-count_frames", "-show_entries", "stream=nb_read_frames"}, kCountLimit));
  if (frames < 1) refuse_input(file.path(), "it has no frames");
  return frames;
}

}  // namespace

VideoFacts probe_video(const File& file) {
  VideoFacts facts = facts_of_answer(
      file.path(), ask(file, {"-show_streams", "-show_pixel_formats"}, kHeaderLimit));
  if (facts.frames < 1) facts.frames = count_frames(file);
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
  if (frame_rate > 0) list.push_back({"frame rate", fmt::format("{:.6g} per second", frame_rate)});
  if (variable_rate) list.push_back({"timing", "variable: the frame rate is the mean"});
  if (seconds > 0) list.push_back({"duration", fmt::format("{:.6g} s", seconds)});
  return list;
}

}  // namespace tessera
