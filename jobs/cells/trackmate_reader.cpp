// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/trackmate_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "io/units.hpp"

namespace tessera {
namespace {

struct Node {
  CellSpot spot;
  int id = 0;                   // of the spot
  bool visible = true;          // in TrackMate
  bool linked = false;          // by an edge of a visible track
  int track = 0;                // TRACK_ID of that edge
  std::set<int> after, before;  // numbers of nodes
};

class TrackMateReader {
 public:
  explicit TrackMateReader(const TrackDocument& document)
      : document_(document), model_(document.child(document.root(), "Model")) {
    read_scale();
    for (const pugi::xml_node frame : document.child(model_, "AllSpots").children("SpotsInFrame"))
      for (const pugi::xml_node spot : frame.children("Spot")) read_spot(frame, spot);
    read_visible_tracks();
    for (const pugi::xml_node track : document.child(model_, "AllTracks").children("Track"))
      for (const pugi::xml_node edge : track.children("Edge")) read_edge(track, edge);
  }

  TrackMateTracks tracks() {
    const bool single = is_one_frame();
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      const Node& node = nodes_[k];
      if (!node.visible) continue;
      if (single)
        made_.tracks.push_back({node.id + 1, {node.spot}});
      else if (!node.linked)
        ++made_.loose;
      else if (begins_branch(node))
        made_.tracks.push_back({node.track, branch_from(k)});
    }
    std::ranges::stable_sort(made_.tracks, {}, [](const CellTrack& track) {
      return std::pair(track.id, track.spots.front().frame);
    });
    give_unused_ids();
    made_.name = document_.name();
    return std::move(made_);
  }

 private:
  void read_scale() {
    const pugi::xml_node image = document_.root().child("Settings").child("ImageData");
    if (image) {
      pixel_width_ = positive(image, "pixelwidth");
      pixel_height_ = positive(image, "pixelheight");
      if (image.attribute("width")) made_.width = document_.whole(image, "width");
      if (image.attribute("height")) made_.height = document_.whole(image, "height");
      return;
    }
    const std::string_view unit = model_.attribute("spatialunits").value();
    if (micrometres_of(unit) != 0.0)
      document_.refuse(model_, fmt::format("positions are in {}, and there is no <Settings> with "
                                           "<ImageData>, whose pixelwidth makes pixels of them",
                                           unit));
  }
  double positive(const pugi::xml_node& node, const char* name) const {
    const double value = document_.number(node, name);
    if (!(value > 0))
      document_.refuse(node, fmt::format("{} is {}; it must be more than 0", name, value));
    return value;
  }

  double pixels(const pugi::xml_node& spot, const char* name, double pixel) const {
    const double value = document_.number(spot, name);
    if (!std::isfinite(value / pixel))
      document_.refuse(spot, fmt::format("{} is {}, and a pixel is {}; it is not a place in a film",
                                         name, value, pixel));
    return value / pixel;
  }

  void read_spot(const pugi::xml_node& frame, const pugi::xml_node& element) {
    Node node{.id = document_.whole(element, "ID")};
    node.spot.frame = element.attribute("FRAME") ? document_.whole(element, "FRAME")
                                                 : document_.whole(frame, "frame");
    if (node.spot.frame < 0)
      document_.refuse(element, fmt::format("frame {} does not exist; frames are counted from 0",
                                            node.spot.frame));
    node.spot.x = pixels(element, "POSITION_X", pixel_width_);
    node.spot.y = pixels(element, "POSITION_Y", pixel_height_);
    if (element.attribute("RADIUS")) node.spot.radius = pixels(element, "RADIUS", pixel_width_);
    if (!(node.spot.radius >= 0))
      document_.refuse(element, fmt::format("RADIUS is {}; it must be at least 0",
                                            element.attribute("RADIUS").value()));
    if (element.attribute("VISIBILITY")) node.visible = document_.whole(element, "VISIBILITY") != 0;
    if (!by_id_.emplace(node.id, static_cast<int>(nodes_.size())).second)
      document_.refuse(
          element, fmt::format("spot {} is there for the second time; ids must differ", node.id));
    nodes_.push_back(std::move(node));
  }

  // Files without the list have no filter.
  void read_visible_tracks() {
    const pugi::xml_node list = model_.child("FilteredTracks");
    all_visible_ = !list;
    for (const pugi::xml_node track : list.children("TrackID"))
      visible_tracks_.insert(document_.whole(track, "TRACK_ID"));
  }

  void read_edge(const pugi::xml_node& track, const pugi::xml_node& edge) {
    const int id = document_.whole(track, "TRACK_ID");
    int source = node_of(edge, "SPOT_SOURCE_ID"), target = node_of(edge, "SPOT_TARGET_ID");
    if (frame_of(source) > frame_of(target)) std::swap(source, target);
    if (frame_of(source) == frame_of(target))
      document_.refuse(edge, fmt::format("it links spots {} and {}, which are both in frame {}; a "
                                         "track has one spot per frame",
                                         at(source).id, at(target).id, frame_of(source)));
    if (!at(source).visible || !at(target).visible) return;
    if (!all_visible_ && visible_tracks_.count(id) == 0) return;
    at(source).after.insert(target);
    at(target).before.insert(source);
    for (const int end : {source, target})
      if (!std::exchange(at(end).linked, true)) at(end).track = id;
  }
  int node_of(const pugi::xml_node& edge, const char* name) const {
    const int id = document_.whole(edge, name);
    const auto found = by_id_.find(id);
    if (found == by_id_.end())
      document_.refuse(edge,
                       fmt::format("{} is {}, and <AllSpots> has no spot with this ID", name, id));
    return found->second;
  }

  Node& at(int number) { return nodes_[static_cast<std::size_t>(number)]; }
  const Node& at(int number) const { return nodes_[static_cast<std::size_t>(number)]; }
  int frame_of(int number) const { return at(number).spot.frame; }

  bool is_one_frame() const {
    return std::ranges::all_of(
        nodes_, [&](const Node& node) { return node.spot.frame == nodes_.front().spot.frame; });
  }
  bool begins_branch(const Node& node) const {
    return node.before.size() != 1 || at(*node.before.begin()).after.size() != 1;
  }
  std::vector<CellSpot> branch_from(std::size_t first) const {
    const Node* node = &nodes_[first];
    std::vector<CellSpot> spots{node->spot};
    while (node->after.size() == 1 && at(*node->after.begin()).before.size() == 1) {
      node = &at(*node->after.begin());
      spots.push_back(node->spot);
    }
    return spots;
  }

  // Tracks are in the order of their ids, so the first with an id keeps it.
  void give_unused_ids() {
    const auto is_kept = [&](std::size_t k) {
      const int id = made_.tracks[k].id;
      return id >= 1 && (k == 0 || made_.tracks[k - 1].id != id);
    };
    std::vector<std::size_t> others;
    int next = 1;
    for (std::size_t k = 0; k < made_.tracks.size(); ++k) {
      if (is_kept(k))
        next = std::max(next, made_.tracks[k].id + 1);
      else
        others.push_back(k);
    }
    for (const std::size_t k : others) made_.tracks[k].id = next++;
    std::ranges::sort(made_.tracks, {}, &CellTrack::id);
  }

  const TrackDocument& document_;
  pugi::xml_node model_;
  double pixel_width_ = 1, pixel_height_ = 1;
  std::vector<Node> nodes_;
  std::unordered_map<int, int> by_id_;
  bool all_visible_ = false;
  std::set<int> visible_tracks_;
  TrackMateTracks made_;
};

}  // namespace

bool is_trackmate(const TrackDocument& document) {
  return std::string_view(document.root().name()) == "TrackMate";
}

TrackMateTracks trackmate_tracks(const TrackDocument& document) {
  return TrackMateReader(document).tracks();
}

}  // namespace tessera
