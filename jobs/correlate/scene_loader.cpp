// SPDX-License-Identifier: Apache-2.0
#include "jobs/correlate/scene_loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>

#include "core/pools.hpp"
#include "io/formats.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

AnyView cropped(const std::string& file, const AnyView& image, const std::optional<Crop>& crop) {
  if (!crop) return image;
  const Size size = image.size;
  if (!crop->fits(size))
    throw Error(ErrorKind::input, fmt::format("{}: it is {}x{}; --crop {} does not fit into it",
                                              file, size.width, size.height, to_text(*crop)));
  const auto [x, y] = crop->corner_in(size);
  return image.region(x, y, crop->width, crop->height);
}

template <class T>
void copy_plane(const View<const T>& from, int plane, int channel, const View<float>& to,
                int target) {
  for (int y = 0; y < from.size.height; ++y)
    for (int x = 0; x < from.size.width; ++x)
      to.at(x, y, 0, target) = static_cast<float>(from.at(x, y, channel, plane));
}

// Channels become planes.
Image as_planes(const AnyView& image) {
  const Size size = image.size;
  Image planes({size.width, size.height, 1, size.channels * size.planes}, Type::f32);
  for (int k = 0; k < size.channels * size.planes; ++k) {
    const int plane = k / size.channels, channel = k % size.channels;
    switch (image.type) {
      case Type::u8:
        copy_plane(image.as<const unsigned char>(), plane, channel, planes.as<float>(), k);
        break;
      case Type::u16:
        copy_plane(image.as<const unsigned short>(), plane, channel, planes.as<float>(), k);
        break;
      case Type::f32:
        copy_plane(image.as<const float>(), plane, channel, planes.as<float>(), k);
        break;
      default:
        copy_plane(image.as<const double>(), plane, channel, planes.as<float>(), k);
        break;
    }
  }
  return planes;
}

void check_numbers(const std::string& name, const Image& planes) {
  const float* sample = planes.as<float>().data;
  const long long count = planes.info().size.samples();
  constexpr std::uint32_t kExponent = 0x7f800000;  // all of it: NaN or infinity
  std::uint32_t strange = 0;
  for (long long i = 0; i < count; ++i)
    strange |= (std::bit_cast<std::uint32_t>(sample[i]) & kExponent) == kExponent;
  if (strange != 0)
    throw Error(ErrorKind::input,
                name + ": it has NaN or infinity among its samples; fill them first");
}

Image stacked(const std::string& name, std::vector<Image> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  Size size = parts.front().info().size;
  size.planes = 0;
  for (const Image& part : parts) {
    const Size own = part.info().size;
    if (own.width != size.width || own.height != size.height)
      throw Error(ErrorKind::input,
                  fmt::format("{}: its files are {}x{} and {}x{}; they must be of the same size",
                              name, size.width, size.height, own.width, own.height));
    size.planes += own.planes;
  }
  Image all(size, Type::f32);
  AnyMutableView next = all.view();
  for (const Image& part : parts) {
    next.size.planes = part.info().size.planes;
    copy_samples(part.view(), next);
    next.data = next.address(0, 0, next.size.planes);
  }
  return all;
}

}  // namespace

Size LoadedScene::size() const {
  if (!photograph) return planes.front().info().size;
  const Size size = photograph.info().size;
  return {size.width, size.height, 1, 4};
}

SceneLoader::Plans SceneLoader::plans_for(const ImageInfo& info) const {
  const std::lock_guard lock(mutex_);
  for (const Plans& plans : plans_)
    if (plans.front().input() == info) return plans;
  Plans made;
  for (const ScenePlanesOptions& scene : how_.scenes) made.emplace_back(info, scene);
  return plans_.emplace_back(std::move(made));
}

void SceneLoader::check_room_for_settings(const std::string& file, const Size& size) const {
  constexpr int kPlanes = 4;  // of a photograph
  const double bytes = 1.0 * kPlanes * sizeof(float) * static_cast<double>(size.width) *
                       size.height * static_cast<double>(how_.scenes.size());
  if (how_.scenes.size() < 2 || how_.plane_bytes == 0 ||
      bytes <= static_cast<double>(how_.plane_bytes))
    return;
  throw Error(ErrorKind::resources,
              fmt::format("{}: its planes by the {} settings of --sweep take {}, and the memory "
                          "limit leaves {}; give fewer settings at once",
                          file, how_.scenes.size(), bytes_text(bytes),
                          bytes_text(static_cast<double>(how_.plane_bytes))));
}

LoadedScene SceneLoader::one_file(const std::string& file, bool keep_photograph, Stream& stream,
                                  std::vector<std::string>& warnings) const {
  const Image whole = read_image(file, how_.reading, &warnings);
  const AnyView image = cropped(file, whole.view(), how_.crop);
  LoadedScene loaded;
  loaded.normalised =
      how_.planes == PlaneSource::scene ||
      (how_.planes == PlaneSource::automatic && is_integer(image.type) && image.size.planes == 1);
  if (loaded.normalised && image.size.planes != 1)
    throw Error(
        ErrorKind::input,
        fmt::format(
            "{}: it has {} planes, but a photograph has one; give --page, or --planes as-is", file,
            image.size.planes));
  if (loaded.normalised && keep_photograph && is_integer(image.type)) {
    loaded.photograph = Image(image.size, image.type);
    copy_samples(image, loaded.photograph.view());
    return loaded;
  }
  if (loaded.normalised) {
    check_room_for_settings(file, image.size);
    loaded.planes.resize(how_.scenes.size());
    scene_planes(
        plans_for(image.info()), image,
        [&](std::size_t setting, const AnyView& planes) {
          loaded.planes[setting] = Image(planes.size, planes.type);
          copy_samples(planes, loaded.planes[setting].view());
        },
        stream);
    return loaded;
  }
  if (how_.scenes.size() > 1)
    throw Error(ErrorKind::input,
                fmt::format("{}: it holds planes, and --sweep is of photographs; give --planes "
                            "scene if it is one",
                            file));
  loaded.planes.push_back(as_planes(image));
  return loaded;
}

LoadedScene SceneLoader::load(const SceneFiles& scene, bool keep_photographs, Stream& stream,
                              std::vector<std::string>& warnings) const {
  const bool alone = scene.files.size() == 1;
  LoadedScene all;
  std::vector<std::vector<Image>> parts(how_.scenes.size());  // of every setting, its files
  for (const std::string& file : scene.files) {
    LoadedScene one = one_file(file, keep_photographs && alone, stream, warnings);
    if (one.photograph) return one;
    all.normalised = one.normalised;
    for (std::size_t k = 0; k < parts.size(); ++k) parts[k].push_back(std::move(one.planes[k]));
  }
  for (std::vector<Image>& of_setting : parts) {
    all.planes.push_back(stacked(scene.name(), std::move(of_setting)));
    check_numbers(scene.name(), all.planes.back());
  }
  if (how_.planes == PlaneSource::normalised) {
    normalise_planes(all.planes.front().as<float>(), how_.scenes.front().normalise, stream);
    all.normalised = true;
  }
  return all;
}

}  // namespace tessera
