// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <optional>

#include "core/folder.hpp"
#include "io/ms/ms_plugin.hpp"
#include "io/ms/ms_rows.hpp"
#include "io/output_folder.hpp"
#include "io/output_place.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr double kDay = 86400;
// Bytes: what the empty tables need and more, and what tells whether a disk is full.
constexpr long long kEmptySet = 4 << 20, kProbe = 64 << 10;

/// "scan.ms/" is what shells make of a folder's name.
std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

/// By the words of casacore for tables of this kind.
bool is_measurement_set(const std::string& path) {
  constexpr std::string_view kKind = "Type = Measurement Set";
  const std::string told = joined(path, "table.info");
  if (is_link(path) || !is_regular_file(told)) return false;
  std::string start(kKind.size(), '\0');
  const File file = File::open_to_read(told);
  return file.read_some(0, start.data(), std::ssize(start)) == std::ssize(start) && start == kKind;
}

/// Something in a Measurement Set that casacore did not make: neither one of the table's own files
/// nor a table. Empty if there is nothing.
std::string foreign_name(const std::string& path) {
  for (const std::string& name : names_in(path)) {
    const std::string inside = joined(path, name);
    const bool own = is_regular_file(inside) ? name.starts_with("table.")
                                             : path_exists(joined(inside, "table.dat"));
    if (!own) return name;
  }
  return "";
}

/// Only a Measurement Set is replaced, and nothing that somebody has put into it.
void check_place(const std::string& path, bool force) {
  struct stat status {};
  if (path.empty()) throw Error(ErrorKind::usage, "the output has no name; give one");
  if (::lstat(path.c_str(), &status) != 0) return;
  if (!is_measurement_set(path))
    throw Error(ErrorKind::usage,
                path + ": it exists and is not a Measurement Set; give another name");
  if (!force) throw exists_error(path);
  if (const std::string name = foreign_name(path); !name.empty())
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: it holds {}, which is not of a Measurement Set; move that away, or "
                    "give another name",
                    path, name));
}

void check(const std::string& path, const MsHeader& header) {
  if (header.polarisations > 2)
    throw Error(ErrorKind::usage,
                fmt::format("xengine: {}: a Measurement Set has names for 1 or 2 polarisations; "
                            "there are {}; write .npy",
                            path, header.polarisations));
  if (!in_order(header.frequency))
    throw Error(
        ErrorKind::usage,
        fmt::format("xengine: {}: channels neither ascend nor descend, as a Measurement Set "
                    "requires; write .npy",
                    path));
  if (!(std::abs(header.channel_width) > 0 && std::isfinite(header.channel_width)))
    throw Error(ErrorKind::usage,
                fmt::format("xengine: {}: channels are {} Hz wide; give a width above 0", path,
                            header.channel_width));
}

/// Throws what the system says of a disk that is full, of the set: casacore's own words are of
/// other errors.
void check_room(OutputFolder& folder, const std::string& set, long long bytes) {
  const std::string path = folder.path_of("room");
  try {
    const File made = folder.create("room");
    const File file(::dup(made.descriptor()), set);
    file.reserve(bytes);
    const std::string zeros(static_cast<std::size_t>(bytes), '\0');
    file.write_all(0, zeros.data(), bytes);
  } catch (...) {
    std::remove(path.c_str());
    throw;
  }
  std::remove(path.c_str());
}

constexpr int kShortages[] = {ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM};

double now() {
  constexpr double kUnixDay = 40587;
  const std::chrono::duration<double> since = std::chrono::system_clock::now().time_since_epoch();
  return kUnixDay * kDay + std::floor(since.count());
}

}  // namespace

bool in_order(const std::vector<double>& frequency) {
  if (frequency.empty() ||
      !std::ranges::all_of(frequency, [](double f) { return std::isfinite(f); }))
    return false;
  const auto end = frequency.end();
  return std::ranges::adjacent_find(frequency, std::greater_equal<>()) == end ||
         std::ranges::adjacent_find(frequency, std::less_equal<>()) == end;
}

struct MsFile::Impl {
  Impl(const std::string& where, bool force, MsHeader given)
      : path(without_slashes(where)),
        header(std::move(given)),
        plugin(ms_plugin("xengine: " + path)),
        folder(path, force),
        rows(static_cast<int>(header.antennas.size()), header.polarisations,
             static_cast<int>(header.frequency.size())) {
    check_room(folder, path, kEmptySet);
    begin();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (set) plugin.abandon(set);
  }

  [[noreturn]] void fail() {
    const std::string why = plugin.message();
    try {
      check_room(folder, path, kProbe);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::resources) throw;
    }
    const bool short_of_room = std::ranges::any_of(
        kShortages, [&](int error) { return why.find(std::strerror(error)) != std::string::npos; });
    throw Error(short_of_room ? ErrorKind::resources : ErrorKind::failure,
                fmt::format("{}: cannot be written; casacore says: {}", path, why));
  }
  void begin();
  int field(const UvfitsCentre& centre, double middle);

  std::string path;
  MsHeader header;
  const TesseraMsPlugin& plugin;
  OutputFolder folder;
  MsRows rows;
  TesseraMs* set = nullptr;
  std::optional<UvfitsCentre> centre;
  int fields = 0;
  double first = std::numeric_limits<double>::infinity(), last = -first;
};

void MsFile::Impl::begin() {
  const bool descends = header.frequency.size() > 1 && header.frequency[1] < header.frequency[0];
  const double width = std::abs(header.channel_width);
  std::vector<TesseraMsAntenna> antennas;
  for (const UvfitsAntenna& one : header.antennas)
    antennas.push_back({one.name.c_str(), {one.position[0], one.position[1], one.position[2]}});
  std::vector<const char*> history;
  for (const std::string& line : header.history) history.push_back(line.c_str());
  const std::string inside = folder.hidden_path(), maker = "Tessera " TESSERA_VERSION;
  const TesseraMsHeader all{.path = inside.c_str(),
                            .telescope = header.telescope.c_str(),
                            .maker = maker.c_str(),
                            .command = header.command.c_str(),
                            .history = history.data(),
                            .history_lines = static_cast<int>(history.size()),
                            .antennas = antennas.data(),
                            .antenna_count = static_cast<int>(antennas.size()),
                            .polarisations = header.polarisations,
                            .channels = static_cast<int>(header.frequency.size()),
                            .frequencies = header.frequency.data(),
                            .channel_width = descends ? -width : width,
                            .rows_at_once = rows.most(),
                            .written = now()};
  set = plugin.create(&all);
  if (!set) fail();
}

int MsFile::Impl::field(const UvfitsCentre& at, double middle) {
  if (centre == at) return fields - 1;
  constexpr double kDegree = std::numbers::pi / 180;
  const TesseraMsField made{.name = at.name.c_str(),
                            .direction = {at.right_ascension * kDegree, at.declination * kDegree},
                            .time = middle * kDay};
  if (!plugin.add_field(set, &made)) fail();
  centre = at;
  return fields++;
}

MsFile::MsFile(const std::string& path, bool force, MsHeader header) {
  check(path, header);
  check_place(without_slashes(path), force);
  impl_ = std::make_unique<Impl>(path, force, std::move(header));
}

MsFile::~MsFile() = default;

void MsFile::write(const UvfitsIntegration& in) {
  const int field = impl_->field(in.centre, in.middle);
  for (long long row = 0; row < impl_->rows.baselines();) {
    TesseraMsRows some = impl_->rows.make(in, row);
    some.field = field;
    if (!impl_->plugin.add_rows(impl_->set, &some)) impl_->fail();
    row += some.count;
  }
  impl_->first = std::min(impl_->first, in.middle * kDay - in.seconds / 2);
  impl_->last = std::max(impl_->last, in.middle * kDay + in.seconds / 2);
}

void MsFile::prepare() {
  Impl& file = *impl_;
  if (file.fields == 0) file.first = file.last = 0;  // nothing was written
  if (!file.plugin.close(std::exchange(file.set, nullptr), file.first, file.last)) file.fail();
  // casacore does not look whether this text was written, and other programs go by it.
  if (!is_measurement_set(file.folder.hidden_path()))
    throw Error(ErrorKind::failure, file.path + ": table.info cannot be written");
  file.folder.sync_all();
}

// A folder that somebody has put there meanwhile stays.
void MsFile::finish() {
  check_place(impl_->path, true);
  impl_->folder.finish();
}

const std::string& MsFile::left_behind() const { return impl_->folder.left_behind(); }

}  // namespace tessera
