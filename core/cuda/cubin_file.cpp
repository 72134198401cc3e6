// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/cubin_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tessera::cuda {
namespace {

// After the image, so that other tools can still read the file as an ELF file.
std::string seal_of(const std::string& image) { return "tessera1" + Hash().add(image).text(); }

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

void Hash::add_byte(unsigned char byte) {
  const unsigned __int128 prime = (static_cast<unsigned __int128>(1) << 88) + 0x13b;
  value_ = (value_ ^ byte) * prime;
}

Hash& Hash::add(std::string_view text) {
  for (const char c : text) add_byte(static_cast<unsigned char>(c));
  for (std::uint64_t length = text.size(), i = 0; i < 8; ++i, length >>= 8)
    add_byte(static_cast<unsigned char>(length));
  return *this;
}

std::string Hash::text() const {
  return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(value_ >> 64),
                     static_cast<std::uint64_t>(value_));
}

bool read_cubin(const std::string& path, std::string& image) {
  std::ifstream stream(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t seal_bytes = seal_of("").size();
  if (bytes.size() <= seal_bytes) return false;
  const std::string seal = bytes.substr(bytes.size() - seal_bytes);
  bytes.erase(bytes.size() - seal_bytes);
  if (seal != seal_of(bytes)) return false;
  image = std::move(bytes);
  return true;
}

void write_cubin(const std::string& path, const std::string& image) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  std::string temporary = path + ".XXXXXX";
  const int file = mkstemp(temporary.data());
  if (file < 0) return;
  const bool written = write_all(file, image) && write_all(file, seal_of(image));
  const bool closed = close(file) == 0;
  if (written && closed) std::filesystem::rename(temporary, path, error);
  if (!written || !closed || error) std::filesystem::remove(temporary, error);
}

}  // namespace tessera::cuda
