// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/voltage_write.hpp"

#include <fmt/format.h>

#include <array>

#include "io/voltages/voltage_collect.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

struct Writer {
  const char* name;
  const char* ending;
  std::unique_ptr<VoltageSink> (*create)(const std::string& path, bool force);
};
constexpr std::array<Writer, 5> kWriters{{{"guppi", ".raw", create_guppi},
                                          {"dada", ".dada", create_dada},
                                          {"vdif", ".vdif", create_vdif},
                                          {"npy", ".npy", create_voltage_npy},
                                          {"raw", ".bin", create_voltage_raw}}};

}  // namespace

std::unique_ptr<VoltageSink> create_voltages(const std::string& path, const std::string& format,
                                             bool force) {
  for (const Writer& writer : kWriters)
    if (format == "auto" ? path.ends_with(writer.ending) : format == writer.name)
      return writer.create(path, force);
  if (format == "auto")
    throw Error(ErrorKind::usage, path +
                                      ": its extension is not one of a recording: .raw (GUPPI "
                                      "RAW), .dada, .vdif, .npy or .bin");
  throw Error(
      ErrorKind::usage,
      fmt::format("format '{}' is not known; there are auto, guppi, dada, vdif, npy and raw",
                  format));
}

}  // namespace tessera
