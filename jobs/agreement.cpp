// SPDX-License-Identifier: Apache-2.0
#include "jobs/agreement.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "core/counted.hpp"
#include "core/digest.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/history.hpp"
#include "jobs/job_files.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// "rank 3 on nodeB" or "device 1", for messages.
std::string name_of_this_rank() {
  if (const std::optional<int> device = ranks().device()) return fmt::format("device {}", *device);
  return fmt::format("rank {} on {}", ranks().rank(), host_name());
}

/// A rank's name and its text, of the first rank whose text differs from that of rank 0.
struct Difference {
  std::string who, text, first;
};

std::optional<Difference> difference_of_ranks(const std::string& text) {
  const std::vector<std::string> texts = ranks().gathered(text);
  const std::vector<std::string> names = ranks().gathered(name_of_this_rank());
  for (std::size_t rank = 1; rank < texts.size(); ++rank)
    if (texts[rank] != texts[0]) return Difference{names[rank], texts[rank], texts[0]};
  return std::nullopt;
}

/// `seen` describes what this rank sees under the name.
void check_seen(const std::string& name, const char* instead, const std::string& seen) {
  if (const auto found = difference_of_ranks(seen))
    throw Error(ErrorKind::input,
                fmt::format("{}: {} sees {} than rank 0 ({}; {}); give a folder that all machines "
                            "share",
                            name, found->who, instead, found->text, found->first));
}

}  // namespace

void check_same_file(const std::string& path, const ImageInfo& image) {
  if (ranks().count() == 1) return;
  const FileStamp stamp = stamp_of(path);
  check_seen(path, "another file",
             fmt::format("{} bytes, changed at {} ns, {}", stamp.bytes, stamp.modified_ns,
                         describe(image)));
}

void check_same_list(const std::string& input, long long count, const std::string& list) {
  if (ranks().count() == 1) return;
  Digest digest;
  digest.add(list.data(), list.size());
  check_seen(input, "other files",
             fmt::format("{}, digest {}", counted(count, "file"), digest.text()));
}

void check_same_method(const std::string& described, bool exact) {
  if (ranks().count() == 1 || exact || all_ranks().allow_mixed) return;
  if (const auto found = difference_of_ranks(without_device(described)))
    throw Error(ErrorKind::usage,
                fmt::format("{} would run '{}' and {} '{}', and the last bits may differ; give "
                            "--method, or --allow-mixed if that does not matter",
                            found->who, found->text, ranks().device() ? "the first" : "rank 0",
                            found->first));
}

}  // namespace tessera
