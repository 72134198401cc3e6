// SPDX-License-Identifier: Apache-2.0
// The side of the sandbox that wants an image.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "core/memory.hpp"
#include "io/child_process.hpp"
#include "io/packed_rows.hpp"
#include "io/sandbox/sandbox.hpp"
#include "io/sandbox/sandbox_message.hpp"

namespace tessera {
namespace {

/// Rows of this many bytes are decoded at a time, or one row if it is longer.
constexpr long long kChunkBytes = 8LL << 20;
/// A header has at most some thousand cards.
constexpr long long kMostMessageBytes = 1LL << 26;
/// Address space of the decoder besides the samples it may hold.
constexpr long long kProgramBytes = 1LL << 30;

std::atomic<bool> is_the_tool{false};

std::string sandbox_program(const std::string& path) {
  if (is_the_tool) return "/proc/self/exe";
  const std::string program = find_program("tessera", "TESSERA_TOOL");
  if (program.empty())
    throw Error(ErrorKind::failure,
                fmt::format("{}: the option sandbox needs the program tessera, which is not on "
                            "PATH; install it or name it in TESSERA_TOOL",
                            path));
  return program;
}

File shared_file(const std::string& path) {
  File file(::memfd_create("tessera", MFD_CLOEXEC | MFD_ALLOW_SEALING), path);
  if (file.descriptor() < 0)
    throw system_error(ErrorKind::resources, path, "no shared memory", errno);
  return file;
}

/// Memory that the other process writes to. It is sealed: the other cannot make it shorter, which
/// would end this process at the next look.
class SharedMemory {
 public:
  SharedMemory(const File& file, long long bytes) : bytes_(static_cast<std::size_t>(bytes)) {
    file.extend(bytes);
    if (::fcntl(file.descriptor(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
      throw system_error(ErrorKind::failure, file.path(), "shared memory cannot be sealed", errno);
    data_ = ::mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, file.descriptor(), 0);
    if (data_ == MAP_FAILED)
      throw system_error(ErrorKind::resources, file.path(), "no shared memory", errno);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() { ::munmap(data_, bytes_); }
  const void* data() const { return data_; }

 private:
  std::size_t bytes_;
  void* data_;
};

class SandboxedSource : public ImageSource {
 public:
  SandboxedSource(const std::string& path, const Format& format, const ReadOptions& options)
      : file_(File::open_to_read(path)),
        shared_(shared_file(path)),
        child_({.subject = path,
                .arguments = {sandbox_program(path), kSandboxArgument},
                .takes_input = true,
                .descriptor = file_.descriptor(),
                .shared = shared_.descriptor()}) {
    send_start(path, format, options);
    const std::string bytes = receive();
    MessageReader reply(bytes);
    const auto size = reply.take<ClaimedSize>();
    const auto type = reply.take<Type>();
    if (type > Type::f64)
      throw Error(ErrorKind::failure, path + ": the sandbox sent a type that does not exist");
    info_ = checked_info(path, size, type, options.limits);
    in_turn_ = reply.take<bool>();
    details_ = reply.take_details();
    axes_ = reply.take_axes();
    header_ = reply.take_texts();
    beams_ = reply.take_beams();
    metadata_ = reply.take_metadata();
    warnings_ = reply.take_texts();
    const long long row = row_bytes(info_);
    chunk_rows_ = static_cast<int>(std::clamp<long long>(kChunkBytes / row, 1, info_.size.height));
    memory_ = std::make_unique<SharedMemory>(shared_, chunk_rows_ * row);
  }

  ImageInfo info() const override { return info_; }
  bool planes_in_turn() const override { return in_turn_; }
  std::vector<FileDetail> details() const override { return details_; }
  StackAxes axes() const override { return axes_; }
  std::vector<std::string> header() const override { return header_; }
  BeamTable beams() const override { return beams_; }
  ImageMetadata metadata() const override { return metadata_; }
  std::vector<std::string> warnings() const override { return warnings_; }

  void read_plane(int plane, Rows rows, AnyMutableView to) override {
    check_plane_rows(info_, rows, to.info());
    for (int first = rows.first; first < rows.end; first += chunk_rows_) {
      const Rows part{first, std::min(rows.end, first + chunk_rows_)};
      MessageWriter request;
      request.put(plane);
      request.put(part);
      send(request);
      const std::string bytes = receive();
      warnings_ = MessageReader(bytes).take_texts();
      const auto* row = static_cast<const unsigned char*>(memory_->data());
      for (int y = 0; y < part.count(); ++y, row += row_bytes(info_))
        scatter_row(row, to, part.first - rows.first + y);
    }
  }

 private:
  void send_start(const std::string& path, const Format& format, const ReadOptions& options) {
    const auto free =
        static_cast<long long>(std::min<std::size_t>(available_memory(), std::size_t{1} << 60));
    const long long most = options.limits.bytes > 0 ? std::min(options.limits.bytes, free) : free;
    MessageWriter start;
    start.put(std::string(TESSERA_VERSION));
    start.put(path);
    start.put(std::string(format.name));
    start.put(most + kProgramBytes);
    start.put(options.allow_truncated);
    start.put(options.page.value_or(-1));
    start.put(options.page.has_value());
    start.put(options.hdu);
    start.put(options.limits);
    send(start);
  }
  void send(const MessageWriter& message) {
    MessageWriter length;
    length.put(static_cast<long long>(message.bytes().size()));
    for (const std::string& bytes : {length.bytes(), message.bytes()})
      if (!child_.write(bytes.data(), std::ssize(bytes))) fail();
  }
  /// The reply, or the error that it names.
  std::string receive() {
    long long count = 0;
    if (child_.read(&count, sizeof count) != sizeof count) fail();
    if (count < 1 || count > kMostMessageBytes) fail();
    std::string bytes(static_cast<std::size_t>(count), '\0');
    if (child_.read(bytes.data(), count) != count) fail();
    if (bytes[0] == 0) return bytes.substr(1);
    MessageReader error(std::span<const char>(bytes).subspan(1));
    const auto kind = error.take<ErrorKind>();
    throw Error(kind, error.take_text());
  }
  [[noreturn]] void fail() {
    const int code = child_.finish();
    const std::string how = code > 128 ? fmt::format("by signal {}", code - 128)
                                       : fmt::format("with exit code {}", code);
    throw Error(ErrorKind::input,
                fmt::format("{}: its decoder was ended {} in the sandbox; the file is damaged",
                            file_.path(), how));
  }

  File file_, shared_;
  ChildProcess child_;
  ImageInfo info_;
  bool in_turn_ = false;
  std::vector<FileDetail> details_;
  StackAxes axes_;
  BeamTable beams_;
  ImageMetadata metadata_;
  std::vector<std::string> header_, warnings_;
  int chunk_rows_ = 1;
  std::unique_ptr<SharedMemory> memory_;
};

}  // namespace

void this_program_is_the_tool() { is_the_tool = true; }

std::unique_ptr<ImageSource> open_in_sandbox(const std::string& path, const Format& format,
                                             const ReadOptions& options) {
  return std::make_unique<SandboxedSource>(path, format, options);
}

}  // namespace tessera
