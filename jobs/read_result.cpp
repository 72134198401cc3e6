// SPDX-License-Identifier: Apache-2.0
#include "jobs/read_result.hpp"

#include "io/file.hpp"

namespace tessera {
namespace {

constexpr long long kMostBytes = 64LL << 20;

}  // namespace

Json read_json(const std::string& path) {
  const File file = File::open_to_read(path);
  const long long bytes = file.bytes();
  if (bytes > kMostBytes)
    throw Error(ErrorKind::input, fmt::format("{}: it has {} bytes; results have at most {}", path,
                                              bytes, kMostBytes));
  std::string text(static_cast<std::size_t>(bytes), '\0');
  file.read_all(0, text.data(), bytes);
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw Error(ErrorKind::input, fmt::format("{}: it is not JSON", path));
  return json;
}

}  // namespace tessera
