// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_geff.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/folder.hpp"
#include "io/output.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/cells/cell_outline.hpp"
#include "jobs/cells/cells_text.hpp"
#include "report/json.hpp"

namespace tessera {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they are");

constexpr const char* kGeffVersion = "1.3";
constexpr const char *kGroupFile = ".zgroup", *kArrayFile = ".zarray", *kGraphFile = ".zattrs";

/// A spot, whose values are appended to arrays as bytes.
struct SpotNode {
  std::uint64_t id;
  const CellTrack& track;
  const CellSpot& spot;
  double speed;
};
using AddNode = void (*)(const SpotNode& node, std::string& bytes);

struct SpotProperty {
  const char *name, *type, *dtype;  ///< type as Zarr and as GEFF call it
  const char* unit;
  bool of_outline;  ///< missing where the spot has none
  AddNode add;
};

template <class T>
void add_bytes(T value, std::string& bytes) {
  std::array<char, sizeof(T)> raw{};
  std::memcpy(raw.data(), &value, sizeof(T));
  bytes.append(raw.data(), raw.size());
}

void add_polygon(const SpotNode& node, std::string& bytes) {
  for (const PolygonPoint corner : outline_of(node.spot)) {
    add_bytes(static_cast<float>(corner.y), bytes);
    add_bytes(static_cast<float>(corner.x), bytes);
  }
}

/// 0 where it is missing: readers look at the array `missing` first.
double known(double value) { return std::isfinite(value) ? value : 0; }

constexpr const char* kPolygon = "polygon";
constexpr SpotProperty kSpotProperties[] = {
    {"t", "<i8", "int64", "frame", false,
     [](const SpotNode& v, std::string& to) { add_bytes<std::int64_t>(v.spot.frame, to); }},
    {"y", "<f8", "float64", "pixel", false,
     [](const SpotNode& v, std::string& to) { add_bytes(v.spot.y, to); }},
    {"x", "<f8", "float64", "pixel", false,
     [](const SpotNode& v, std::string& to) { add_bytes(v.spot.x, to); }},
    {"radius", "<f8", "float64", "pixel", false,
     [](const SpotNode& v, std::string& to) { add_bytes(v.spot.radius, to); }},
    {"score", "<f8", "float64", nullptr, false,
     [](const SpotNode& v, std::string& to) { add_bytes(v.spot.score, to); }},
    {"speed", "<f8", "float64", nullptr, false,
     [](const SpotNode& v, std::string& to) { add_bytes(v.speed, to); }},
    {"seen", "|b1", "bool", nullptr, false,
     [](const SpotNode& v, std::string& to) { add_bytes<char>(v.spot.seen ? 1 : 0, to); }},
    {"track", "<u8", "uint64", nullptr, false,
     [](const SpotNode& v, std::string& to) {
       add_bytes(static_cast<std::uint64_t>(v.track.id), to);
     }},
    {"area", "<f8", "float64", nullptr, true,
     [](const SpotNode& v, std::string& to) { add_bytes(known(shape_of(v.spot).area), to); }},
    {"perimeter", "<f8", "float64", "pixel", true,
     [](const SpotNode& v, std::string& to) { add_bytes(known(shape_of(v.spot).perimeter), to); }},
    {"elongation", "<f8", "float64", nullptr, true,
     [](const SpotNode& v, std::string& to) { add_bytes(known(shape_of(v.spot).elongation), to); }},
    {kPolygon, "<f4", "float32", "pixel", true, add_polygon},
};

/// An array with one entry per spot, or per edge. A chunk holds all of it.
struct GraphArray {
  std::string name;
  const char* type;
  std::vector<long long> entry;  ///< sides of an entry
  AddNode add;                   ///< null: of edges

  std::string chunk() const {
    std::string chunk = "0";
    for (std::size_t k = 0; k < entry.size(); ++k) chunk += ".0";
    return joined(name, chunk);
  }
};

std::vector<std::string> graph_groups() {
  std::vector<std::string> groups{"", "nodes", "nodes/props", "edges", "edges/props"};
  for (const SpotProperty& property : kSpotProperties)
    groups.push_back(joined("nodes/props", property.name));
  return groups;
}

std::vector<GraphArray> graph_arrays() {
  std::vector<GraphArray> arrays{
      {"edges/ids", "<u8", {2}, nullptr},
      {"nodes/ids", "<u8", {}, [](const SpotNode& v, std::string& to) { add_bytes(v.id, to); }}};
  for (const SpotProperty& property : kSpotProperties) {
    const std::string group = joined("nodes/props", property.name);
    std::vector<long long> entry;
    if (property.name == kPolygon) entry = {kCellDirections, 2};
    arrays.push_back({group + "/values", property.type, entry, property.add});
    if (property.of_outline)
      arrays.push_back({group + "/missing", "|b1", {}, [](const SpotNode& v, std::string& to) {
                          add_bytes<char>(v.spot.has_outline() ? 0 : 1, to);
                        }});
  }
  return arrays;
}

class GeffFolder {
 public:
  GeffFolder(const CellsFilmResult& result, const std::string& folder, bool force)
      : result_(result), folder_(folder), force_(force) {}

  void write() const {
    for (const std::string& group : graph_groups()) {
      made_folder(group.empty() ? folder_ : path(group));
      write_file(joined(group, kGroupFile), Json{{"zarr_format", 2}});
    }
    for (const GraphArray& array : graph_arrays()) {
      write_header(array);
      TextFile file(path(array.chunk()), force_);
      array.add ? write_nodes(array, file) : write_edges(file);
      file.finish();
    }
    write_file(kGraphFile, graph());
  }

 private:
  std::string path(const std::string& name) const { return joined(folder_, name); }
  void write_file(const std::string& name, const Json& json) const {
    write_text(path(name), json.dump(2) + "\n", force_);
  }

  void write_header(const GraphArray& array) const {
    long long entries = 0;
    for (const CellTrack& track : result_.tracks)
      entries +=
          array.add ? std::ssize(track.spots) : std::max<long long>(std::ssize(track.spots) - 1, 0);
    std::vector<long long> shape{entries}, chunk{std::max(entries, 1LL)};
    for (std::vector<long long>* sides : {&shape, &chunk})
      sides->insert(sides->end(), array.entry.begin(), array.entry.end());
    made_folder(path(array.name));
    write_file(joined(array.name, kArrayFile),
               Json{{"zarr_format", 2},
                    {"shape", shape},
                    {"chunks", chunk},
                    {"dtype", array.type},
                    {"compressor", nullptr},
                    {"fill_value", array.type[1] == 'b' ? Json(false) : Json(0)},
                    {"order", "C"},
                    {"filters", nullptr},
                    {"dimension_separator", "."}});
  }

  void write_nodes(const GraphArray& array, TextFile& file) const {
    std::uint64_t id = 0;
    std::string bytes;
    for (std::size_t k = 0; k < result_.tracks.size(); ++k) {
      const CellTrack& track = result_.tracks[k];
      for (std::size_t i = 0; i < track.spots.size(); ++i) {
        bytes.clear();
        array.add({id++, track, track.spots[i], result_.speeds[k][i]}, bytes);
        file.add(bytes);
      }
    }
  }

  void write_edges(TextFile& file) const {
    std::uint64_t id = 0;
    for (const CellTrack& track : result_.tracks)
      for (std::size_t i = 0; i < track.spots.size(); ++i, ++id) {
        if (i + 1 == track.spots.size()) continue;
        std::string bytes;
        add_bytes(id, bytes);
        add_bytes(id + 1, bytes);
        file.add(bytes);
      }
  }

  static Json axis(const char* name, const char* type, const char* unit, double scale,
                   const char* scaled_unit) {
    Json axis{{"name", name}, {"type", type}, {"unit", unit}};
    if (scaled_unit) axis.update(Json{{"scale", scale}, {"scaled_unit", scaled_unit}});
    return axis;
  }
  Json graph() const {
    const CellsCalibration& calibration = result_.calibration;
    const double um = calibration.um_per_pixel.value_or(1);
    const char* length = calibration.um_per_pixel ? "micrometer" : nullptr;
    Json properties = Json::object();
    for (const SpotProperty& property : kSpotProperties) {
      properties[property.name] = {
          {"identifier", property.name}, {"dtype", property.dtype}, {"varlength", false}};
      if (property.unit) properties[property.name]["unit"] = property.unit;
    }
    return {{"geff",
             {{"geff_version", kGeffVersion},
              {"directed", true},
              {"axes",
               {axis("t", "time", "frame", 1 / calibration.frame_rate, "second"),
                axis("y", "space", "pixel", um, length), axis("x", "space", "pixel", um, length)}},
              {"node_props_metadata", properties},
              {"edge_props_metadata", Json::object()},
              {"sphere", "radius"},
              {"polygon", kPolygon},
              {"track_node_props", {{"tracklet", "track"}}},
              {"extra", {{"made_by", "tessera " TESSERA_VERSION}}}}}};
  }

  const CellsFilmResult& result_;
  const std::string& folder_;
  bool force_;
};

}  // namespace

void write_geff(const CellsFilmResult& result, const std::string& folder, bool force) {
  GeffFolder(result, folder, force).write();
}

std::vector<std::string> geff_files() {
  std::vector<std::string> files;
  for (const std::string& group : graph_groups()) files.push_back(joined(group, kGroupFile));
  for (const GraphArray& array : graph_arrays()) {
    files.push_back(joined(array.name, kArrayFile));
    files.push_back(array.chunk());
  }
  files.emplace_back(kGraphFile);
  return files;
}

}  // namespace tessera
