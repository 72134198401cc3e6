// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/voltage_file.hpp"

#include <array>

#include "io/voltages/voltage_description.hpp"
#include "io/voltages/voltage_recording.hpp"

namespace tessera {
namespace {

struct VoltageFormat {
  const char* name;
  const char* ending;
  bool (*begins)(std::string_view bytes);
  VoltageReaderPointer (*open)(VoltageInputPointer input, const VoltageOptions& options);
};

bool begins_like_npy(std::string_view bytes) { return bytes.starts_with("\x93NUMPY"); }

constexpr std::array<VoltageFormat, 5> kFormats{{{"guppi", ".raw", begins_like_guppi, open_guppi},
                                                 {"dada", ".dada", begins_like_dada, open_dada},
                                                 {"npy", ".npy", begins_like_npy, open_voltage_npy},
                                                 {"vdif", ".vdif", begins_like_vdif, open_vdif},
                                                 {"raw", "", nullptr, open_voltage_raw}}};

std::string first_bytes(VoltageInput& input) {
  constexpr long long kLookedAt = 1 << 15;
  std::string bytes(kLookedAt, '\0');
  // A pipe must still provide these bytes later.
  bytes.resize(static_cast<std::size_t>(input.available(0, kLookedAt)));
  input.read_all(0, bytes.data(), static_cast<long long>(bytes.size()));
  return bytes;
}

const VoltageFormat* named(const std::string& name) {
  for (const VoltageFormat& format : kFormats)
    if (format.name == name) return &format;
  return nullptr;
}

const VoltageFormat& detect(VoltageInput& input, const std::string& path,
                            const VoltageOptions& options) {
  const std::string bytes = first_bytes(input);
  if (bytes.empty()) throw voltage_error(input.name(), "it is empty");
  // VDIF is recognised by a second header one frame later, which the first bytes rarely reach; its
  // name decides too.
  for (const VoltageFormat& format : kFormats) {
    if (format.begins && format.begins(bytes)) return format;
    if (format.name == std::string_view("vdif") && path.ends_with(format.ending)) return format;
  }
  if (has_voltage_description(path, options)) return *named("raw");
  throw voltage_error(input.name(),
                      "it does not begin like GUPPI RAW, PSRDADA or NPY, and neither its name "
                      "(.vdif) nor a description ({}.json) says what it is; give the format: "
                      "guppi, dada, vdif, npy or raw",
                      path);
}

VoltageReaderPointer open_one(const std::string& path, const VoltageOptions& options) {
  auto input = std::make_unique<VoltageInput>(path);
  const VoltageFormat& format =
      options.format == "auto" ? detect(*input, path, options) : *named(options.format);
  return format.open(std::move(input), options);
}

void check_options(const std::vector<std::string>& files, const VoltageOptions& options) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorKind::usage, what); };
  if (files.empty()) refuse("recording: there are no files; give at least one");
  if (options.format != "auto" && !named(options.format))
    refuse(fmt::format("format '{}' is not known; there are auto, guppi, dada, vdif, npy and raw",
                       options.format));
  check_ranges("recording", options);
}

}  // namespace

bool is_recording(const std::string& path) {
  if (path == "-") return false;
  try {
    VoltageInput input(path);
    const std::string bytes = first_bytes(input);
    if (begins_like_guppi(bytes) || begins_like_dada(bytes)) return true;
    if (path.ends_with(".vdif")) return !bytes.empty();
    if (!has_voltage_description(path, {})) return false;
    read_voltage_description(path, {});
    return true;
  } catch (const Error&) {
    return false;  // whoever reads it says why it cannot be read
  }
}

std::unique_ptr<VoltageSource> open_voltages(const std::vector<std::string>& files,
                                             const VoltageOptions& options) {
  check_options(files, options);
  return std::make_unique<VoltageRecording>(
      files, options, [options](const std::string& file) { return open_one(file, options); });
}

std::unique_ptr<VoltageSource> describe_voltages(const std::string& file) {
  return std::make_unique<VoltageRecording>(
      std::vector{file}, VoltageOptions(),
      [](const std::string& path) { return open_one(path, {}); }, true);
}

}  // namespace tessera
