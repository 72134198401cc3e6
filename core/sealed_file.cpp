// SPDX-License-Identifier: Apache-2.0
#include "core/sealed_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "core/folder.hpp"
#include "core/regular_file.hpp"
#include "core/sha256.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr const char* kKeyName = "seal.key";
constexpr std::string_view kMark = "tessera2";  // seals without a key began with tessera1
constexpr std::size_t kSealBytes = kMark.size() + 64;

struct Ignored {
  std::mutex mutex;
  std::string first;
  int count = 0;
};

Ignored& ignored() {
  static Ignored all;
  return all;
}

void ignore(const std::string& why) {
  const std::lock_guard lock(ignored().mutex);
  if (++ignored().count == 1) ignored().first = why;
}

// A complete new file of mode 0600 that has no final name yet; empty if it cannot be written.
std::string begun_file(const std::string& path, std::string_view bytes) {
  std::string name = path + ".XXXXXX";
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return "";
  const bool written = write_all(file, bytes);
  if (::close(file) == 0 && written) return name;
  ::unlink(name.c_str());
  return "";
}

// Two processes may do so at the same time: a link never replaces, so both then read the same key.
void make_key(const std::string& path) {
  std::string key(kKeyBytes, '\0');
  if (::getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size())) return;
  const std::string name = begun_file(path, key);
  if (name.empty()) return;
  [[maybe_unused]] const int exists_already = ::link(name.c_str(), path.c_str());
  ::unlink(name.c_str());
}

std::optional<std::string> key_of(const std::string& folder) {
  const std::string path = joined(folder, kKeyName);
  std::optional<std::string> key = read_own(path);
  if (key && key->size() != kKeyBytes)
    throw Error(ErrorKind::input, fmt::format("{}: it has {} bytes, and a key has {}; remove it",
                                              path, key->size(), kKeyBytes));
  return key;
}

// With the name: a sealed file that was given the name of another is not the file asked for.
std::string seal_of(const std::string& key, const std::string& path, std::string_view contents) {
  std::string message = name_in_folder(path) + '\0';
  message += contents;
  return std::string(kMark) + hex_text(hmac_sha256(key, message));
}

bool is_sealed(const std::string& bytes, const std::string& path) {
  const std::optional<std::string> key = key_of(folder_of(path));
  if (!key || bytes.size() < kSealBytes) return false;
  const std::string_view all = bytes, contents = all.substr(0, all.size() - kSealBytes);
  return all.substr(contents.size()) == seal_of(*key, path, contents);
}

void put_sealed(const std::string& path, const std::string& contents) {
  const std::string folder = folder_of(path);
  std::error_code failed;
  std::filesystem::create_directories(folder_of(folder), failed);
  ::mkdir(folder.c_str(), 0700);
  if (!is_own_folder(folder)) return;
  std::optional<std::string> key = key_of(folder);
  if (!key) make_key(joined(folder, kKeyName));
  if (!key) key = key_of(folder);
  if (!key) return;
  const std::string begun = begun_file(path, contents + seal_of(*key, path, contents));
  if (!begun.empty() && ::rename(begun.c_str(), path.c_str()) != 0) ::unlink(begun.c_str());
}

}  // namespace

std::optional<std::string> read_sealed(const std::string& path) {
  try {
    if (!is_own_folder(folder_of(path))) return std::nullopt;
    std::optional<std::string> bytes = read_own(path);
    if (!bytes) return std::nullopt;
    if (is_sealed(*bytes, path)) {
      bytes->resize(bytes->size() - kSealBytes);
      return bytes;
    }
    ignore(path + ": its seal is not this user's; it is made again");
  } catch (const Error& error) {
    ignore(error.what());
  }
  return std::nullopt;
}

void write_sealed(const std::string& path, const std::string& contents) {
  try {
    put_sealed(path, contents);
  } catch (const Error&) {
    // read_sealed has said so
  }
}

std::string ignored_sealed_note() {
  const std::lock_guard lock(ignored().mutex);
  const auto& [mutex, first, count] = ignored();
  if (count == 0) return "";
  return fmt::format("compiled kernel ignored: {}{}", first,
                     count == 1 ? "" : fmt::format(" (and {} more)", count - 1));
}

}  // namespace tessera
