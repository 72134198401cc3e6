// SPDX-License-Identifier: Apache-2.0
// The file: a line that names it, grounds, texts, options, sizes and spots as they are in memory,
// and a checksum of everything before it. It is read by the version that wrote it, or not at all.
#include "jobs/cells/followed_tracks.hpp"

#include <fmt/format.h>

#include <cstring>

#include "core/digest.hpp"
#include "core/regular_file.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr std::string_view kMagic = "tessera followed tracks 2\n";
constexpr std::size_t kChecksum = 16;

class Packer {
 public:
  explicit Packer(const std::string& path) : file_(std::make_unique<TextFile>(path, true)) {
    raw(kMagic.data(), kMagic.size());
  }

  template <class Number>
  void number(Number value) {
    raw(&value, sizeof value);
  }
  void text(const std::string& text) {
    number(text.size());
    raw(text.data(), text.size());
  }
  std::unique_ptr<TextFile> end() {
    file_->add(digest_.text());
    file_->flush();
    return std::move(file_);
  }

 private:
  void raw(const void* bytes, std::size_t count) {
    digest_.add(bytes, count);
    file_->add({static_cast<const char*>(bytes), count});
  }

  std::unique_ptr<TextFile> file_;
  Digest digest_;
};

/// Thrown if the file ends early; the checksum should have told before.
struct EndsEarly {};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  template <class Number>
  void number(Number& value) {
    std::memcpy(&value, piece(sizeof value).data(), sizeof value);
  }
  void text(std::string& text) {
    std::size_t size = 0;
    number(size);
    text = piece(size);
  }

 private:
  std::string_view piece(std::size_t count) {
    if (count > rest_.size()) throw EndsEarly();
    const std::string_view bytes = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return bytes;
  }

  std::string_view rest_;
};

/// Lists are their length and their elements, in both directions.
template <class T, class Each>
void pack_list(Packer& to, const std::vector<T>& list, Each each) {
  to.number(list.size());
  for (const T& element : list) each(element);
}
template <class T, class Each>
void unpack_list(Unpacker& from, std::vector<T>& list, Each each) {
  std::size_t size = 0;
  from.number(size);
  for (std::size_t i = 0; i < size; ++i) each(list.emplace_back());
}

/// The members of a spot and the facts of a film in the order of the file, for both directions.
void each_number(auto& spot, auto visit) {
  visit(spot.frame), visit(spot.x), visit(spot.y), visit(spot.radius), visit(spot.score);
  visit(spot.seen), visit(spot.outline);
}
void each_number_of_film(auto& film, auto visit) {
  visit(film.width), visit(film.height), visit(film.first_frame), visit(film.frames);
}
void each_text(auto& result, auto visit) {
  visit(result.ran), visit(result.film.format), visit(result.why_no_tracks);
  visit(result.background.used), visit(result.background.why), visit(result.background.confidence);
}
void each_list_of_texts(auto& result, auto visit) {
  visit(result.notes), visit(result.doubts), visit(result.warnings);
}

void unpack(Unpacker& from, CellsFilmResult& result) {
  const auto number = [&](auto& value) { from.number(value); };
  const auto text = [&](std::string& value) { from.text(value); };
  each_text(result, text);
  number(result.background.clear);
  number(result.background.missed);
  each_number_of_film(result.film, number);
  for_each_option(result.options, [&](const char* name, auto& value, const Help&) {
    std::string typed;
    text(typed);
    from_text(name, typed, value);
  });
  each_list_of_texts(result,
                     [&](std::vector<std::string>& list) { unpack_list(from, list, text); });
  unpack_list(from, result.sizes, number);
  unpack_list(from, result.drift, [&](CellDrift& drift) { number(drift.x), number(drift.y); });
  unpack_list(from, result.tracks, [&](CellTrack& track) {
    number(track.id);
    unpack_list(from, track.spots, [&](CellSpot& spot) { each_number(spot, number); });
  });
}

// The first difference in words.
std::string difference(const TrackGrounds& then, const TrackGrounds& now) {
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (i >= then.size() || then[i].first != now[i].first) return "options are others";
    const auto& [name, value] = now[i];
    if (then[i].second == value) continue;
    if (name == "the contents of the film") return name + " have changed";
    return fmt::format("{} was {} and is now {}", name, then[i].second, value);
  }
  return "";
}

std::string_view checked_contents(std::string_view bytes) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + kChecksum) throw EndsEarly();
  const std::string_view contents = bytes.substr(0, bytes.size() - kChecksum);
  if (Digest().add(contents.data(), contents.size()).text() != bytes.substr(contents.size()))
    throw EndsEarly();
  return contents.substr(kMagic.size());
}

}  // namespace

std::unique_ptr<TextFile> begin_followed(const std::string& path, const TrackGrounds& grounds,
                                         const CellsFilmResult& result) {
  Packer to(path);
  const auto number = [&](const auto& value) { to.number(value); };
  const auto text = [&](const std::string& value) { to.text(value); };
  pack_list(to, grounds, [&](const auto& ground) { text(ground.first), text(ground.second); });
  each_text(result, text);
  number(result.background.clear);
  number(result.background.missed);
  each_number_of_film(result.film, number);
  for_each_option(result.options,
                  [&](const char*, const auto& value, const Help&) { text(to_text(value)); });
  each_list_of_texts(result,
                     [&](const std::vector<std::string>& list) { pack_list(to, list, text); });
  pack_list(to, result.sizes, number);
  pack_list(to, result.drift, [&](const CellDrift& drift) { number(drift.x), number(drift.y); });
  pack_list(to, result.tracks, [&](const CellTrack& track) {
    number(track.id);
    pack_list(to, track.spots, [&](const CellSpot& spot) { each_number(spot, number); });
  });
  return to.end();
}

FollowedReading read_followed(const std::string& path, const TrackGrounds& grounds,
                              CellsFilmResult& result) {
  try {
    const std::optional<std::string> bytes = read_regular(path);
    if (!bytes) return {};
    Unpacker from(checked_contents(*bytes));
    TrackGrounds then;
    unpack_list(from, then,
                [&](auto& ground) { from.text(ground.first), from.text(ground.second); });
    if (std::string why = difference(then, grounds); !why.empty()) return {false, std::move(why)};
    CellsFilmResult followed = result;
    unpack(from, followed);
    result = std::move(followed);
    return {true, ""};
  } catch (const EndsEarly&) {
  } catch (const Error&) {
  }
  return {false, path + " is damaged"};
}

}  // namespace tessera
