// SPDX-License-Identifier: Apache-2.0
/// Images of an ensemble as planes ready for correlation.
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/image_file.hpp"
#include "jobs/correlate/scene_files.hpp"
#include "tessera/crop.hpp"
#include "tessera/image.hpp"
#include "tessera/scene_planes.hpp"
#include "tessera/stream.hpp"

namespace tessera {

/// The contents of files. `automatic`: a single plane of integers is a photograph, anything else is
/// planes used as they are. `normalised`: the user's planes, still to be normalised.
enum class PlaneSource : unsigned char { automatic, scene, as_is, normalised };
template <>
struct Names<PlaneSource> {
  static constexpr std::array<std::pair<std::string_view, PlaneSource>, 4> list{
      {{"auto", PlaneSource::automatic},
       {"scene", PlaneSource::scene},
       {"as-is", PlaneSource::as_is},
       {"normalised", PlaneSource::normalised}}};
};

struct SceneLoading {
  PlaneSource planes = PlaneSource::automatic;
  std::optional<Crop> crop;                       ///< of every image
  std::vector<ScenePlanesOptions> scenes = {{}};  ///< one, or those of a sweep
  ReadOptions reading;
  long long plane_bytes = 0;  ///< most for the planes of all settings of one image; 0: no limit
};

/// An image that was read: its planes, once for each of the settings, or the photograph of which
/// they are to be made.
struct LoadedScene {
  std::vector<Image> planes;
  Image photograph;
  bool normalised = false;  ///< whether its planes were or will be

  bool empty() const { return planes.empty() && !photograph; }
  Size size() const;  ///< of its planes
};

/// Any number of threads may load at once.
class SceneLoader {
 public:
  explicit SceneLoader(SceneLoading how) : how_(std::move(how)) {}

  /// All planes as f32, one channel, once for each of the settings; files are read once. Throws
  /// Error(input) naming the file for an image that cannot be used, for instance because of NaN.
  /// `keep_photographs`: those of integers, which have no NaN, are not made planes of here.
  LoadedScene load(const SceneFiles& scene, bool keep_photographs, Stream& stream,
                   std::vector<std::string>& warnings) const;

  using Plans = std::vector<ScenePlanes>;  ///< one for each of the settings
  Plans plans_for(const ImageInfo& info) const;

 private:
  /// Throws Error(resources) if the planes of a sweep do not fit.
  void check_room_for_settings(const std::string& file, const Size& size) const;
  LoadedScene one_file(const std::string& file, bool keep_photograph, Stream& stream,
                       std::vector<std::string>& warnings) const;

  SceneLoading how_;
  mutable std::mutex mutex_;
  mutable std::vector<Plans> plans_;
};

}  // namespace tessera
