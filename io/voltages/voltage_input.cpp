// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/voltage_input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/counted.hpp"
#include "core/memory.hpp"

namespace tessera {
namespace {

bool names_pipe(const std::string& path) {
  struct stat status {};
  return path == "-" || (::stat(path.c_str(), &status) == 0 &&
                         (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)));
}

File open_input(const std::string& path, bool pipe) {
  if (!pipe) return File::open_to_read(path);
  File file(path == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                        : open_file(path, O_RDONLY | O_CLOEXEC),
            voltage_input_name(path));
  if (file.descriptor() < 0)
    throw system_error(ErrorKind::input, file.path(), "cannot be opened", errno);
  return file;
}

}  // namespace

std::string voltage_input_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

VoltageInput::VoltageInput(const std::string& path)
    : pipe_(names_pipe(path)), file_(open_input(path, pipe_)) {}

std::optional<long long> VoltageInput::bytes() const {
  if (pipe_) return std::nullopt;
  return file_.bytes();
}

long long VoltageInput::read_pipe(void* to, long long count) {
  long long done = 0;
  while (done < count) {
    const auto got = ::read(file_.descriptor(), static_cast<char*>(to) + done,
                            static_cast<std::size_t>(std::min(count - done, 1LL << 30)));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw system_error(ErrorKind::input, name(), "cannot be read", errno);
    if (got == 0) break;
    done += got;
  }
  return done;
}

// Drops the bytes before `offset`: those held in memory, and those still to be read.
void VoltageInput::forget_before(long long offset) {
  const long long held = std::min(offset - held_first_, static_cast<long long>(held_.size()));
  if (held < 0)
    throw Error(ErrorKind::input,
                name() + ": a pipe cannot be read in this order; save it to a file first");
  held_.erase(held_.begin(), held_.begin() + held);
  held_first_ += held;
  std::vector<char> dropped;
  while (held_first_ < offset) {
    dropped.resize(1 << 16);
    const long long part = std::min(offset - held_first_, static_cast<long long>(dropped.size()));
    const long long got = read_pipe(dropped.data(), part);
    held_first_ += got;
    if (got < part) break;
  }
}

long long VoltageInput::available(long long offset, long long count) {
  if (!pipe_) return std::clamp(file_.bytes() - offset, 0LL, count);
  forget_before(offset);
  if (held_first_ < offset) return 0;
  if (static_cast<double>(count) > 0.8 * static_cast<double>(available_memory()))
    throw Error(
        ErrorKind::resources,
        fmt::format("{}: it needs {} bytes in memory at once, since it is a pipe; save it to "
                    "a file first",
                    name(), count));
  // In parts: a header may claim more than there is.
  constexpr long long kPart = 1 << 20;
  auto have = static_cast<long long>(held_.size());
  while (have < count) {
    const long long part = std::min(kPart, count - have);
    held_.resize(static_cast<std::size_t>(have + part));
    const long long got = read_pipe(held_.data() + have, part);
    have += got;
    held_.resize(static_cast<std::size_t>(have));
    if (got < part) break;
  }
  return std::min(have, count);
}

long long VoltageInput::read_some(long long offset, void* to, long long count) {
  if (!pipe_) return file_.read_some(offset, to, count);
  if (offset < held_first_ || offset > held_first_ + static_cast<long long>(held_.size()))
    forget_before(offset);
  if (held_first_ > offset || offset - held_first_ > static_cast<long long>(held_.size())) return 0;
  const long long held =
      std::min(count, held_first_ + static_cast<long long>(held_.size()) - offset);
  std::copy_n(held_.begin() + (offset - held_first_), held, static_cast<char*>(to));
  if (held == count) return count;
  held_.clear();
  const long long got = held + read_pipe(static_cast<char*>(to) + held, count - held);
  held_first_ = offset + got;
  return got;
}

void VoltageInput::read_all(long long offset, void* to, long long count) {
  const long long got = read_some(offset, to, count);
  if (got < count)
    throw Error(ErrorKind::input, fmt::format("{}: it ends at byte {}; {} from byte {} {} needed",
                                              name(), offset + got, counted(count, "byte"), offset,
                                              count == 1 ? "is" : "are"));
}

}  // namespace tessera
