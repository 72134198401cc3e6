// SPDX-License-Identifier: Apache-2.0
// The side of the sandbox that decodes. Descriptor 0 brings requests, 1 takes replies, 3 is the
// file, 4 the memory for pixels.
#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "io/confine.hpp"
#include "io/file.hpp"
#include "io/sandbox/sandbox.hpp"
#include "io/sandbox/sandbox_message.hpp"

namespace tessera {
namespace {

constexpr int kFile = 3, kMemory = 4;

bool receive_bytes(void* to, std::size_t count) {
  for (std::size_t done = 0; done < count;) {
    const auto got = ::read(STDIN_FILENO, static_cast<char*>(to) + done, count - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

/// The next request; false at the end.
bool receive_request(std::string& request) {
  long long count = 0;
  if (!receive_bytes(&count, sizeof count)) return false;
  request.resize(static_cast<std::size_t>(count));
  return receive_bytes(request.data(), request.size());
}

void send_bytes(const void* from, std::size_t count) {
  for (std::size_t done = 0; done < count;) {
    const auto put = ::write(STDOUT_FILENO, static_cast<const char*>(from) + done, count - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) ::_exit(1);  // nobody waits for it
    done += static_cast<std::size_t>(put);
  }
}

void send_reply(bool failed, const MessageWriter& message) {
  const auto count = static_cast<long long>(message.bytes().size()) + 1;
  send_bytes(&count, sizeof count);
  send_bytes(&failed, 1);
  send_bytes(message.bytes().data(), message.bytes().size());
}

/// Sends what `make` returns, or the error it throws; false after an error.
template <class Make>
bool reply(const Make& make) {
  MessageWriter error;
  try {
    send_reply(false, make());
    return true;
  } catch (const Error& thrown) {
    error.put(thrown.kind());
    error.put(std::string(thrown.what()));
  } catch (const std::bad_alloc&) {
    error.put(ErrorKind::resources);
    error.put(std::string("the decoder in the sandbox has no memory left"));
  }
  send_reply(true, error);
  return false;
}

std::unique_ptr<ImageSource> open_confined(MessageReader start) {
  if (start.take_text() != TESSERA_VERSION)
    throw Error(ErrorKind::failure, "the sandbox is of another version than " TESSERA_VERSION);
  const std::string path = start.take_text(), name = start.take_text();
  const auto memory = start.take<long long>();
  ReadOptions options;
  options.allow_truncated = start.take<bool>();
  const int page = start.take<int>();
  if (start.take<bool>()) options.page = page;
  options.hdu = start.take_text();
  options.limits = start.take<ReadLimits>();
  const auto format = std::ranges::find(formats(), name, &Format::name);
  if (format == formats().end() || !format->can_read())
    throw Error(ErrorKind::failure, path + ": the sandbox cannot read " + name);
  File::use_open_file(path, kFile);
  if (!confine_self(memory))
    throw Error(
        ErrorKind::failure,
        path + ": this kernel has no seccomp, which the option sandbox needs; leave it out");
  return format->open(path, options);
}

MessageWriter description_of(const ImageSource& source) {
  const ImageInfo info = source.info();
  MessageWriter message;
  message.put(ClaimedSize{info.size.width, info.size.height, info.size.channels, info.size.planes});
  message.put(info.type);
  message.put(source.planes_in_turn());
  message.put(source.details());
  message.put(source.axes());
  message.put(source.header());
  message.put(source.beams());
  message.put(source.metadata());
  message.put(source.warnings());
  return message;
}

/// Pixels of some rows, packed, at the start of the shared memory.
MessageWriter decode(ImageSource& source, MessageReader request, void* memory) {
  const int plane = request.take<int>();
  const auto rows = request.take<Rows>();
  ImageInfo part = source.info();
  part.size.height = rows.count();
  part.size.planes = 1;
  source.read_plane(plane, rows, packed(memory, part));
  MessageWriter message;
  message.put(source.warnings());
  return message;
}

void* map_memory() {
  struct stat status {};
  if (::fstat(kMemory, &status) != 0) return MAP_FAILED;
  return ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE,
                MAP_SHARED, kMemory, 0);
}

}  // namespace

int serve_sandbox() {
  std::string request;
  std::unique_ptr<ImageSource> source;
  if (!receive_request(request)) return 2;
  const bool opened = reply([&] {
    source = open_confined(MessageReader(request));
    return description_of(*source);
  });
  if (!opened) return 0;
  void* memory = MAP_FAILED;
  while (receive_request(request)) {
    if (memory == MAP_FAILED) memory = map_memory();  // it has its length now
    if (memory == MAP_FAILED) return 1;
    if (!reply([&] { return decode(*source, MessageReader(request), memory); })) break;
  }
  return 0;
}

}  // namespace tessera
