// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz_targets.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "io/data_table_file.hpp"
#include "io/file.hpp"
#include "io/formats.hpp"
#include "io/npy/npy_header.hpp"
#include "io/raw/raw.hpp"
#include "io/video/video_answer.hpp"
#include "io/voltages/voltage_description.hpp"
#include "io/voltages/voltage_file.hpp"
#include "io/voltages/voltage_gather.hpp"
#include "io/voltages/voltage_order.hpp"
#include "jobs/batch_manifest.hpp"
#include "jobs/table_files.hpp"
#include "tessera/elements.hpp"
#include "tessera/error.hpp"
#include "tessera/filters.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tessera::testing {
namespace {

/// Bytes as a file that readers can open by name.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : file_(::memfd_create("fuzz", 0), "fuzz") {
    file_.write_all(0, bytes.data(), static_cast<long long>(bytes.size()));
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_.descriptor()); }

 private:
  File file_;
};

/// Small enough that a finding is a fault of the reader and not of its size.
ReadOptions small_limits() {
  ReadOptions options;
  options.raw = "7x5x1x2:u16:skip=3";
  options.limits = {.side = 1 << 13, .pixels = 1 << 20, .pages = 64, .tags = 256, .bytes = 1 << 24};
  return options;
}

void swallow_errors(const auto& call) {
  try {
    call();
  } catch (const Error&) {
  }
}

/// Rows in the order strips take them, the first once more, then what else the file says.
void read_in_strips(ImageSource& source, const ReadLimits& limits) {
  const ImageInfo info = source.info();
  check_memory("fuzz", info, limits);
  const int half = (info.size.height + 1) / 2;
  for (const Rows rows : {Rows{0, half}, Rows{half, info.size.height}, Rows{0, 1}}) {
    ImageInfo part = info;
    part.size.height = rows.count();
    if (rows.count() < 1) continue;
    Image image(part);
    source.read(rows, image.view());
  }
}

void read_file(const char* format_name, std::string_view bytes) {
  const MemoryFile file(bytes);
  for (const Format& format : formats()) {
    if (format.name != std::string_view(format_name) || !format.can_read()) continue;
    for (const bool allow_truncated : {false, true})
      swallow_errors([&] {
        ReadOptions options = small_limits();
        options.allow_truncated = allow_truncated;
        const auto source = format.open(file.path(), options);
        source->details();
        source->header();
        source->metadata();
        read_in_strips(*source, options.limits);
      });
  }
}

void read_any_file(std::string_view bytes) {
  const MemoryFile file(bytes);
  swallow_errors([&] {
    const auto source = open_image(file.path(), small_limits());
    source->details();
    source->metadata();
  });
}

/// The samples that a block claims to hold must be there.
void take_samples(const VoltageInfo& info, const VoltageBlock& block) {
  constexpr long long kMostBytes = 1 << 20;
  const VoltageOrder order{"TFAP", info.shape, info.samples};
  const long long samples = std::min(block.samples, kMostBytes / order.bytes_a_sample());
  if (samples < 1) return;
  VoltageBlock taken = block;
  taken.samples = samples;
  std::vector<unsigned char> bytes(static_cast<std::size_t>(samples * order.bytes_a_sample()));
  gather_voltages(info, taken, order.layout(samples), bytes.data());
}

/// Some blocks: a header may ask for a long gap, which only takes time.
void read_recording(std::string_view bytes) {
  const MemoryFile file(bytes);
  for (const char* const format : {"guppi", "dada", "vdif", "npy", "auto"})
    swallow_errors([&] {
      const auto source = open_voltages({file.path()}, {.format = format});
      for (int reads = 0; reads < 64; ++reads) {
        const VoltageBlock block = source->read(100);
        if (block.samples == 0) break;
        take_samples(source->info(), block);
      }
      source->warnings();
    });
}

void parse_filter(std::string_view bytes) {
  // Large radii are allowed and only cost time.
  if (bytes.size() > 64) return;
  swallow_errors([&] { filter_from_text(std::string(bytes)); });
}

void parse_element(std::string_view bytes) {
  if (bytes.size() > 64) return;
  swallow_errors([&] { element_from_text(bytes); });
}

void read_manifest(std::string_view bytes) {
  const TemporaryFolder folder;
  write_bytes(folder.path("tessera-batch.jsonl"), std::string(bytes));
  swallow_errors([&] { Manifest(folder.path()).find("a.npy"); });
}

/// A table in every format, whatever the bytes look like.
void read_any_table(std::string_view bytes) {
  const MemoryFile file(bytes);
  const std::string text(bytes);
  for (const char separator : {',', '\t'})
    swallow_errors([&] { text_of_table(table_of_text("fuzz", text, separator), separator); });
  swallow_errors([&] { votable_of_table(table_of_votable("fuzz", text), {}); });
  swallow_errors([&] { read_fits_table(file.path(), small_limits()); });
}

}  // namespace

const std::vector<FuzzTarget>& fuzz_targets() {
  static const std::vector<FuzzTarget> targets{
      {"npy", "data/npy", [](std::string_view bytes) { read_file("NPY", bytes); }},
      {"png", "data/pngsuite", [](std::string_view bytes) { read_file("PNG", bytes); }},
      {"tiff", "data/tiff", [](std::string_view bytes) { read_file("TIFF", bytes); }},
      {"fits", "seeds/fits", [](std::string_view bytes) { read_file("FITS", bytes); }},
      {"jpeg", "data/jpeg", [](std::string_view bytes) { read_file("JPEG", bytes); }},
      {"raw", "seeds/raw", [](std::string_view bytes) { read_file("raw", bytes); }},
      {"any", "seeds/any", read_any_file},
      {"npy_header", "seeds/npy_header",
       [](std::string_view bytes) { swallow_errors([&] { parse_npy_header("fuzz", bytes); }); }},
      {"raw_layout", "seeds/raw_layout",
       [](std::string_view bytes) { swallow_errors([&] { parse_raw_layout(bytes); }); }},
      {"filter", "seeds/filter", parse_filter},
      {"element", "seeds/element", parse_element},
      {"video_answer", "seeds/video_answer",
       [](std::string_view bytes) {
         swallow_errors([&] { facts_of_answer("fuzz", std::string(bytes)); });
         swallow_errors([&] { frames_of_answer("fuzz", std::string(bytes)); });
       }},
      {"manifest", "seeds/manifest", read_manifest},
      {"table", "seeds/table", read_any_table},
      {"voltages", "seeds/voltages", read_recording},
      {"voltage_description", "seeds/voltage_description",
       [](std::string_view bytes) {
         swallow_errors([&] { parse_voltage_description("fuzz", std::string(bytes)); });
       }},
  };
  return targets;
}

}  // namespace tessera::testing
