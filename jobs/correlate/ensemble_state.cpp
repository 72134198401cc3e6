// SPDX-License-Identifier: Apache-2.0
// One line of JSON, then means and sums of squares of whole blocks and of the open one, as doubles
// in this machine's byte order, then the digest of all that: a flipped bit of a sum would pass for
// a result.
#include "jobs/correlate/ensemble_state.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "core/digest.hpp"
#include "core/regular_file.hpp"
#include "io/file.hpp"
#include "io/output.hpp"
#include "jobs/batch_manifest.hpp"
#include "report/json.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kKind = "tessera correlate, 3";

std::string head_of(const EnsembleState& state) {
  Json outcomes = Json::array();
  for (const SceneOutcome& one : state.outcomes)
    outcomes.push_back({storable(one.input), storable(one.error), one.warnings});
  const Size size = state.planes;
  const Json json{{"kind", kKind},
                  {"parameters", state.parameters},
                  {"signatures", state.signatures},
                  {"outcomes", outcomes},
                  {"planes", {size.width, size.height, size.channels, size.planes}},
                  {"ran", state.ran},
                  {"normalised", state.normalised},
                  {"images", {state.ensemble.whole().images, state.ensemble.open().images}},
                  {"last", state.ensemble.last()},
                  {"values", state.ensemble.open().means.size()}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void parse_head(const Json& json, EnsembleState& state) {
  state.parameters = json.at("parameters").get<std::string>();
  state.signatures = json.at("signatures").get<std::vector<std::string>>();
  state.ran = json.at("ran").get<std::string>();
  state.normalised = json.at("normalised").get<int>();
  for (const Json& one : json.at("outcomes"))
    state.outcomes.push_back({one.at(0).get<std::string>(), one.at(1).get<std::string>(),
                              one.at(2).get<std::vector<std::string>>()});
  const auto size = json.at("planes").get<std::vector<int>>();
  state.planes = {size.at(0), size.at(1), size.at(2), size.at(3)};
}

/// Takes the digest off the end; false if it is not that of the bytes before it.
bool take_digest(std::string& bytes) {
  const std::size_t length = Digest().text().size();
  if (bytes.size() < length) return false;
  const std::string digest = bytes.substr(bytes.size() - length);
  bytes.resize(bytes.size() - length);
  return Digest().add(bytes.data(), bytes.size()).text() == digest;
}

/// Nothing if there is no such file.
std::optional<std::string> read_state(const std::string& path) {
  const int descriptor = open_regular(path, O_RDONLY), error = errno;
  if (descriptor < 0 && error == ENOENT) return std::nullopt;
  if (descriptor < 0) throw system_error(ErrorKind::input, path, "cannot be opened", error);
  const File file(descriptor, path);
  std::string bytes(static_cast<std::size_t>(file.bytes()), '\0');
  file.read_all(0, bytes.data(), static_cast<long long>(bytes.size()));
  return bytes;
}

bool parse(const std::string& bytes, EnsembleState& state) {
  const std::size_t line = bytes.find('\n');
  if (line == std::string::npos) return false;
  const Json json = Json::parse(bytes.substr(0, line));
  if (json.at("kind") != kKind) return false;
  parse_head(json, state);
  const auto values = json.at("values").get<std::size_t>();
  const auto images = json.at("images").get<std::vector<int>>();
  const std::size_t lists = (images.at(0) > 0 ? 2 : 0) + (images.at(1) > 0 ? 2 : 0);
  if (bytes.size() - line - 1 != lists * values * sizeof(double)) return false;
  const char* next = bytes.data() + line + 1;
  const auto doubles = [&] {
    std::vector<double> list(values);
    std::copy_n(next, values * sizeof(double), reinterpret_cast<char*>(list.data()));
    next += values * sizeof(double);
    return list;
  };
  const auto moments = [&](int count) {
    Moments read{count, {}, {}};
    if (count > 0) read.means = doubles(), read.squares = doubles();
    return read;
  };
  Moments whole = moments(images.at(0)), open = moments(images.at(1));
  state.ensemble = Ensemble(std::move(whole), std::move(open), json.at("last").get<long long>());
  return state.outcomes.size() == state.signatures.size();
}

}  // namespace

void save_state(const std::string& path, const EnsembleState& state) {
  Output output(path, true);
  const std::string head = head_of(state);
  Digest digest;
  long long offset = 0;
  const auto write = [&](const void* from, std::size_t count) {
    output.file().write_all(offset, from, static_cast<long long>(count));
    digest.add(from, count);
    offset += static_cast<long long>(count);
  };
  write(head.data(), head.size());
  for (const Moments* moments : {&state.ensemble.whole(), &state.ensemble.open()})
    for (const std::vector<double>* list : {&moments->means, &moments->squares})
      write(list->data(), list->size() * sizeof(double));
  const std::string seal = digest.text();
  write(seal.data(), seal.size());
  output.finish();
}

bool load_state(const std::string& path, const std::string& parameters,
                const std::vector<std::string>& signatures, EnsembleState& state,
                std::string& note) {
  auto bytes = read_state(path);
  if (!bytes) return false;
  if (!take_digest(*bytes)) {
    note = path + ": it is damaged or of an earlier version; all images were read again";
    return false;
  }
  EnsembleState found;
  try {
    if (!parse(*bytes, found)) return false;
  } catch (const Json::exception&) {
    return false;
  } catch (const std::out_of_range&) {
    return false;
  }
  const auto& done = found.signatures;
  if (found.parameters != parameters || done.size() > signatures.size() ||
      !std::equal(done.begin(), done.end(), signatures.begin()))
    return false;
  state = std::move(found);
  return true;
}

}  // namespace tessera
