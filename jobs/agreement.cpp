// SPDX-License-Identifier: Apache-2.0
#include "jobs/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/counted.hpp"
#include "core/digest.hpp"
#include "io/hdu_name.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/history.hpp"
#include "jobs/job_files.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// "rank 3 on nodeB", "part 4 on nodeB" or "device 1", for messages.
std::string name_of_this_rank() {
  if (const std::optional<int> device = ranks().device()) return fmt::format("device {}", *device);
  return ranks().apart() ? fmt::format("part {} on {}", ranks().rank(), host_name())
                         : fmt::format("rank {} on {}", ranks().rank(), host_name());
}

/// The texts of all ranks, or of all parts.
struct Seen {
  std::vector<std::string> texts, names;

  explicit Seen(const std::string& text)
      : texts(ranks().gathered(text)), names(ranks().gathered(name_of_this_rank())) {}
  /// The first that differs from that of the first one; 0: none.
  std::size_t other() const {
    const auto differs = [this](const std::string& text) { return text != texts.front(); };
    const auto found = std::ranges::find_if(texts, differs);
    return found == texts.end() ? 0 : static_cast<std::size_t>(found - texts.begin());
  }
  static const char* first() {
    return ranks().apart() ? "part 1" : ranks().device() ? "the first" : "rank 0";
  }
};

/// `text` describes what this rank sees under the name.
void check_seen(const std::string& name, const char* instead, const std::string& text) {
  const Seen seen(text);
  const bool apart = ranks().apart();
  if (const std::size_t other = seen.other())
    throw Error(ErrorKind::input, fmt::format("{}: {} {} {} than {} ({}; {}); {}", name,
                                              seen.names[other], apart ? "saw" : "sees", instead,
                                              Seen::first(), seen.texts[other], seen.texts[0],
                                              apart ? "make the part with the wrong one again"
                                                    : "give a folder that all machines share"));
  if (apart && ranks().first() && text != seen.texts[0])
    throw Error(ErrorKind::input, fmt::format("{}: the parts saw {} ({}; now {}); make them again",
                                              name, instead, seen.texts[0], text));
}

}  // namespace

void check_same_file(const std::string& path, const ImageInfo& image) {
  if (ranks().count() == 1) return;
  const FileStamp stamp = stamp_of(split_hdu(path).path);
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
  if (ranks().count() == 1) return;
  ranks().ran = described;
  const bool apart = ranks().apart(), any = exact || all_ranks().allow_mixed;
  if (any && !apart) return;
  const std::string compared = without_device(described);
  const Seen seen(compared);
  if (any) return;
  if (const std::size_t other = seen.other())
    throw Error(
        ErrorKind::usage,
        fmt::format("{} {} '{}' and {} '{}', and the last bits may differ; {}", seen.names[other],
                    apart ? "ran" : "would run", seen.texts[other], Seen::first(), seen.texts[0],
                    apart ? "make one of them again with the other's --backend and --method, on a "
                            "machine of its kind, or give --allow-mixed if that does not matter"
                          : "give --method, or --allow-mixed if that does not matter"));
  if (apart && ranks().first() && compared != seen.texts[0])
    throw Error(ErrorKind::usage,
                fmt::format("the parts ran '{}', and this machine would write '{}' into the "
                            "outputs; join on a machine of their kind, or give --allow-mixed",
                            seen.texts[0], compared));
}

}  // namespace tessera
