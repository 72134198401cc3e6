// SPDX-License-Identifier: Apache-2.0
#include "io/video/video_program.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>

#include "io/child_process.hpp"
#include "io/video/video.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

// "[avi @ 0xaaaaf18b2ac0] no room" becomes "avi: no room".
std::string without_address(std::string line) {
  const size_t at = line.find(" @ 0x"), end = line.find("] ");
  if (!line.starts_with("[") || at == std::string::npos || end == std::string::npos || at > end)
    return line;
  return line.substr(1, at - 1) + ": " + line.substr(end + 2);
}

bool is_still_picture(std::string_view brand) {
  for (const char* still : {"heic", "heix", "heim", "heis", "mif1", "msf1", "avif", "avis"})
    if (brand == still) return true;
  return false;
}

}  // namespace

std::vector<std::string> video_program(const std::string& path, const std::string& name) {
  const std::string variable = name == "ffmpeg" ? "TESSERA_FFMPEG" : "TESSERA_FFPROBE";
  const std::string program = find_program(name.c_str(), variable.c_str());
  if (!program.empty()) return {program, "-hide_banner", "-loglevel", "error", "-threads", "4"};
  if (const char* chosen = std::getenv(variable.c_str()))
    throw Error(
        ErrorKind::failure,
        fmt::format("{}: {} names {}, which cannot be run; set it to the path of the {} program",
                    path, variable, chosen, name));
  throw Error(
      ErrorKind::failure,
      fmt::format("{}: video needs the {} program, which is not on PATH; install it", path, name));
}

std::vector<std::string> video_encoder_threads() { return {"-threads", "4"}; }

std::vector<std::string> video_input() {
  return {"-protocol_whitelist",
          "file,pipe",
          "-format_whitelist",
          "avi,mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpeg",
          "-i",
          std::string("file:") + kChildFile};
}

std::string plain_line(std::string line) {
  line = without_address(std::move(line));
  for (const std::string& name : {std::string("file:") + kChildFile, std::string(kChildFile)})
    for (size_t place; (place = line.find(name)) != std::string::npos;) {
      const size_t colon = place + name.size();
      line.erase(place, name.size() + (line.compare(colon, 2, ": ") == 0 ? 2 : 0));
    }
  return line;
}

bool is_video(std::string_view bytes) {
  const std::string_view type = bytes.substr(bytes.size() < 4 ? bytes.size() : 4);
  if (bytes.starts_with("RIFF")) return bytes.size() >= 12 && bytes.substr(8, 4) == "AVI ";
  if (type.starts_with("ftyp")) return bytes.size() >= 12 && !is_still_picture(bytes.substr(8, 4));
  // Old QuickTime files have no type of their own.
  for (const char* atom : {"moov", "mdat", "wide"})
    if (type.starts_with(atom)) return true;
  return bytes.starts_with("\x1a\x45\xdf\xa3") ||
         bytes.starts_with(std::string_view("\0\0\1\xba", 4));
}

Format video_format() {
  Format format{"video",    {".avi", ".mp4", ".mkv", ".mov", ".webm", ".m4v", ".mpg"},
                "",         is_video,
                open_video, create_video};
  format.frames = true;
  return format;
}

}  // namespace tessera
