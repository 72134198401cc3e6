// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/refuse.hpp"
#include "io/child_process.hpp"
#include "io/output.hpp"
#include "io/packed_rows.hpp"
#include "io/video/video_program.hpp"
#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

enum class Coding { raw, lossless, h264 };

struct Container {
  const char *extension, *muxer;
  Coding coding;
};
constexpr Container kContainers[] = {{".avi", "avi", Coding::raw},
                                     {".mkv", "matroska", Coding::lossless},
                                     {".mp4", "mp4", Coding::h264},
                                     {".m4v", "mp4", Coding::h264},
                                     {".mov", "mov", Coding::h264}};

const Container& container_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const Container& container : kContainers)
    if (extension == container.extension) return container;
  refuse(path, fmt::format("'{}' videos can only be read; .avi (uncompressed), .mkv (lossless) and "
                           ".mp4, .m4v or .mov (H.264) can be written",
                           extension));
}

void check_writable(const std::string& path, const ImageInfo& info) {
  const Size& size = info.size;
  const Coding coding = container_of(path).coding;
  if (info.type != Type::u8 && info.type != Type::u16)
    refuse(path, fmt::format("videos hold u8, or u16 in .mkv; this image is {}: convert it to "
                             "u8 first",
                             name_of(info.type)));
  if (info.type == Type::u16 && coding != Coding::lossless)
    refuse(
        path,
        "only .mkv holds u16: give a name that ends with .mkv, or convert the image to u8 first");
  if (size.channels != 1 && size.channels != 3)
    refuse(path, fmt::format("videos hold 1 or 3 channels; this image has {}: extract one of "
                             "them",
                             size.channels));
  if (coding == Coding::h264 && (size.width % 2 != 0 || size.height % 2 != 0))
    refuse(path, fmt::format("H.264 needs an even width and height; this image has {}x{}: cut it "
                             "to even sides, or give an .mkv name",
                             size.width, size.height));
}

std::string piped_format(const ImageInfo& info) {
  const char* order = std::endian::native == std::endian::little ? "le" : "be";
  if (info.type == Type::u8) return info.size.channels == 1 ? "gray" : "rgb24";
  return fmt::format("{}{}", info.size.channels == 1 ? "gray16" : "rgb48", order);
}

// Lossless formats hold the samples as they are, in another order.
std::vector<std::string> coding_arguments(const Container& container, const ImageInfo& info) {
  const bool grey = info.size.channels == 1;
  switch (container.coding) {
    case Coding::raw:
      return {"-c:v", "rawvideo", "-pix_fmt", grey ? "gray" : "bgr24"};
    case Coding::lossless:
      return {"-c:v",
              "ffv1",
              "-level",
              "3",
              "-slices",
              "4",
              "-slicecrc",
              "1",
              "-metadata:s:v:0",
              fmt::format("NUMBER_OF_FRAMES={}", info.size.planes),
              "-pix_fmt",
              info.type == Type::u8 ? (grey ? "gray" : "bgr0") : (grey ? "gray16le" : "gbrp16le")};
    default:
      // 60 noisy frames of 640x480 took 1.7 s, where the preset medium took 6.3 s; the file was not
      // larger.
      return {"-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-pix_fmt", "yuv420p"};
  }
}

std::vector<std::string> arguments(const std::string& path, const ImageInfo& info,
                                   const WriteOptions& options) {
  const Container& container = container_of(path);
  std::vector<std::string> all = video_program(path, "ffmpeg");
  const auto add = [&](const std::vector<std::string>& words) {
    all.insert(all.end(), words.begin(), words.end());
  };
  add({"-nostdin", "-xerror", "-protocol_whitelist", "file,pipe", "-f", "rawvideo"});
  add({"-pixel_format", piped_format(info)});
  add({"-video_size", fmt::format("{}x{}", info.size.width, info.size.height)});
  add({"-framerate", fmt::format("{:.9g}", options.frame_rate), "-i", "pipe:0"});
  add(coding_arguments(container, info));
  add(video_encoder_threads());
  add({"-fflags", "+bitexact", "-f", container.muxer, "-y", std::string("file:") + kChildFile});
  return all;
}

class VideoSink : public ImageSink {
 public:
  VideoSink(const std::string& path, const ImageInfo& info, const WriteOptions& options)
      : output_(path, options.force),
        info_(info),
        row_(static_cast<size_t>(row_bytes(info))),
        child_({.subject = path,
                .arguments = arguments(path, info, options),
                .takes_input = true,
                .descriptor = output_.file().descriptor(),
                .confined = kVideoWriter}) {}

  bool planes_in_turn() const override { return true; }

  void write_plane(int plane, Rows rows, AnyView from) override {
    check_plane_rows(info_, rows, from.info());
    check_plane(plane);
    check_next_row(rows, next_row_);
    if (packed_in_plane(from))
      send(from.address(0, 0), rows.count() * row_bytes(info_));
    else
      for (int y = 0; y < rows.count(); ++y) {
        gather_row(from, y, 0, row_.data());
        send(row_.data(), row_bytes(info_));
      }
    next_row_ = rows.end;
    if (next_row_ < info_.size.height) return;
    next_row_ = 0;
    ++plane_;
  }

  void finish() override {
    check_plane(info_.size.planes);
    if (const int code = child_.finish(); code != 0 || !child_.last_line().empty()) fail(code);
    output_.finish();
  }

 private:
  void check_plane(int plane) const {
    if (plane != plane_)
      throw Error(
          ErrorKind::failure,
          fmt::format("frame {} is written but frame {} comes next; frames must come whole and "
                      "in order",
                      plane, plane_));
  }

  void send(const void* bytes, long long count) {
    if (!child_.write(bytes, count)) fail(child_.finish());
  }

  [[noreturn]] void fail(int code) const {
    const std::string line = plain_line(child_.last_line());
    bool full = false;
    for (const int error : {ENOSPC, EFBIG, EDQUOT})
      full = full || line.find(std::strerror(error)) != std::string::npos;
    throw Error(full ? ErrorKind::resources : ErrorKind::failure,
                fmt::format("{}: ffmpeg cannot write it: {}", output_.file().path(),
                            line.empty() ? fmt::format("it ended with code {}", code) : line));
  }

  Output output_;
  ImageInfo info_;
  std::vector<unsigned char> row_;
  ChildProcess child_;
  int plane_ = 0, next_row_ = 0;
};

}  // namespace

std::unique_ptr<ImageSink> create_video(const std::string& path, const ImageInfo& info,
                                        const WriteOptions& options) {
  check_writable(path, info);
  return std::make_unique<VideoSink>(path, info, options);
}

}  // namespace tessera
