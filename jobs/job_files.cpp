// SPDX-License-Identifier: Apache-2.0
#include "jobs/job_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <vector>

#include "core/folder.hpp"
#include "io/file.hpp"
#include "io/formats.hpp"
#include "io/hdu_name.hpp"
#include "io/npy/npy_header.hpp"
#include "io/plain_file.hpp"
#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

constexpr std::size_t kCopyBytes = 1 << 20;

long long read_some(int descriptor, std::vector<char>& buffer, const std::string& name) {
  for (;;) {
    const auto got = ::read(descriptor, buffer.data(), buffer.size());
    if (got >= 0) return got;
    if (errno != EINTR) throw system_error(ErrorKind::input, name, "cannot be read", errno);
  }
}

void send_to_standard_output(const File& file) {
  std::vector<char> buffer(kCopyBytes);
  long long offset = 0;
  while (const long long got = file.read_some(offset, buffer.data(), kCopyBytes)) {
    for (long long sent = 0; sent < got;) {
      const auto put =
          ::write(STDOUT_FILENO, buffer.data() + sent, static_cast<std::size_t>(got - sent));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0)
        throw system_error(ErrorKind::failure, "standard output", "cannot be written", errno);
      sent += put;
    }
    offset += got;
  }
}

// Messages of the reader say "standard input", not the spool file's name.
std::string named_standard_input(std::string message, const std::string& path) {
  const std::size_t place = message.find(path);
  if (place != std::string::npos) message.replace(place, path.size(), "standard input");
  return message;
}

template <class Call>
auto as_standard_input(const std::string& path, Call call) {
  try {
    return call();
  } catch (const Error& error) {
    throw Error(error.kind(), named_standard_input(error.what(), path));
  }
}

/// Enough to tell a format; a pipe may bring fewer at a time.
constexpr long long kTellingBytes = 4096;

// A pipe without an end, or with something other than an image, is refused after its first bytes.
File spool_standard_input() {
  File file = anonymous_file("standard input");
  std::vector<char> buffer(kCopyBytes);
  long long offset = 0;
  bool told = false;
  while (const long long got = read_some(STDIN_FILENO, buffer, file.path())) {
    file.write_all(offset, buffer.data(), got);
    offset += got;
    if (told || offset < kTellingBytes) continue;
    const std::string path = name_by_descriptor(file);
    as_standard_input(path, [&] { format_to_read(path); });
    told = true;
  }
  return file;
}

class StandardInput : public ImageSource {
 public:
  explicit StandardInput(const ReadOptions& options)
      : file_(spool_standard_input()), path_(name_by_descriptor(file_)) {
    inner_ = as_standard_input(path_, [&] { return open_image(path_, options); });
  }
  ImageInfo info() const override { return inner_->info(); }
  void read(Rows rows, AnyMutableView to) override {
    as_standard_input(path_, [&] { inner_->read(rows, to); });
  }
  void read_plane(int plane, Rows rows, AnyMutableView to) override {
    as_standard_input(path_, [&] { inner_->read_plane(plane, rows, to); });
  }
  bool planes_in_turn() const override { return inner_->planes_in_turn(); }
  std::string format() const override { return inner_->format(); }
  std::vector<FileDetail> details() const override { return inner_->details(); }
  std::vector<std::string> header() const override { return inner_->header(); }
  ImageMetadata metadata() const override { return inner_->metadata(); }
  std::vector<std::string> warnings() const override {
    std::vector<std::string> sentences = inner_->warnings();
    for (std::string& sentence : sentences) sentence = named_standard_input(sentence, path_);
    return sentences;
  }

 private:
  File file_;
  std::string path_;
  std::unique_ptr<ImageSource> inner_;
};

// Written to a file without a name: nothing is left of it, however the process ends.
class StandardOutput : public ImageSink {
 public:
  explicit StandardOutput(const ImageInfo& info)
      : file_(anonymous_file("standard output")), rows_(file_, info, npy_header_bytes(info)) {
    rows_.begin();
  }
  void write_plane(int plane, Rows rows, AnyView from) override {
    rows_.write_plane(plane, rows, from);
  }
  void finish() override {
    rows_.check_whole();
    send_to_standard_output(file_);
  }

 private:
  File file_;
  PlainRows rows_;
};

}  // namespace

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::unique_ptr<ImageSource> open_input(const std::string& path, const ReadOptions& options) {
  if (path == "-") return std::make_unique<StandardInput>(options);
  return open_image(path, options);
}

std::unique_ptr<ImageSource> open_input(const std::string& path, ReadOptions options,
                                        const RunSettings& settings) {
  if (options.limits.bytes == 0) options.limits.bytes = settings.reader_bytes();
  return open_input(path, options);
}

std::unique_ptr<ImageSink> create_output(const std::string& path, const ImageInfo& info,
                                         const WriteOptions& options) {
  if (path == "-") return std::make_unique<StandardOutput>(info);
  return create_image(path, info, options);
}

void check_apart(const std::string& input, const std::string& output, const std::string& advice) {
  std::error_code ignored;
  if (std::filesystem::equivalent(input, output, ignored))
    throw Error(ErrorKind::usage,
                fmt::format("{} would be replaced by its own result; give {}", input, advice));
}

void check_not_read(const std::string& operation, const std::vector<std::string>& outputs,
                    const std::vector<std::string>& read) {
  for (const std::string& output : outputs)
    for (const std::string& input : read) {
      std::error_code none;
      if (!input.empty() && std::filesystem::equivalent(output, split_hdu(input).path, none))
        throw Error(ErrorKind::usage,
                    fmt::format("{}: {} is an input and would be replaced; give another output",
                                operation, output));
    }
}

std::string describe(const ImageInfo& info) {
  std::string text = fmt::format("{}x{} {}", info.size.width, info.size.height, name_of(info.type));
  if (info.size.channels > 1) text += fmt::format(" x{}", info.size.channels);
  if (info.size.planes > 1) text += fmt::format(", {} planes", info.size.planes);
  return text;
}

}  // namespace tessera
