// SPDX-License-Identifier: Apache-2.0
// OME-XML in the description of a TIFF: sizes, the order of planes, and which page each one is.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <stdexcept>

#include "core/counted.hpp"
#include "io/tiff/tiff_axes.hpp"
#include "io/units.hpp"

namespace tessera {
namespace {

/// A sentence for StackAxes::wrong.
struct BadOme : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Elements may have the prefix of a namespace: "ome:Pixels".
bool is_called(const pugi::xml_node& node, std::string_view name) {
  const std::string_view full = node.name();
  return full.substr(full.rfind(':') + 1) == name;
}
pugi::xml_node ome_child(const pugi::xml_node& node, const char* name) {
  return node.find_child([name](const pugi::xml_node& child) { return is_called(child, name); });
}

template <class Number>
std::optional<Number> ome_number(const pugi::xml_node& node, const char* name) {
  const std::string_view text = node.attribute(name).value();
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

class OmePixels {
 public:
  explicit OmePixels(const TiffStack& stack) : stack_(stack) {
    const pugi::xml_parse_result parsed =
        document_.load_buffer(stack.description.data(), stack.description.size());
    if (!parsed)
      throw BadOme(fmt::format("its OME-XML is damaged at byte {}: {}", parsed.offset,
                               parsed.description()));
    root_ = document_.document_element();
    if (const pugi::xml_node elsewhere = ome_child(root_, "BinaryOnly"))
      throw BadOme(fmt::format(
          "its OME-XML is in another file ({}), which is not read; export the film as one OME-TIFF",
          elsewhere.attribute("MetadataFile").value()));
    const pugi::xml_node image = ome_child(root_, "Image");
    pixels_ = ome_child(image, "Pixels");
    if (!pixels_) throw BadOme("its OME-XML has no element Pixels");
  }

  StackAxes axes() {
    StackAxes found;
    const std::string order = dimension_order();
    found.frames = size("SizeT");
    found.slices = size("SizeZ");
    found.channels = size("SizeC");
    // Colours of one page are channels to OME.
    if (found.channels % stack_.samples == 0) found.channels /= stack_.samples;
    const double places = 1.0 * found.frames * found.slices * found.channels;
    if (places > static_cast<double>(stack_.most_planes))
      throw BadOme(
          fmt::format("its OME-XML has {}, {} and {}, {:.0f} "
                      "planes; there can be {}",
                      counted(found.frames, "frame"), counted(found.slices, "slice"),
                      counted(found.channels, "channel"), places, stack_.most_planes));
    found = axes_in_order(order, found.frames, found.slices, found.channels);
    find_pages(found);
    found.from = "OME";
    read_scale(found);
    count_images(found);
    return found;
  }

 private:
  std::string dimension_order() const {
    const std::string order = pixels_.attribute("DimensionOrder").value();
    std::string sorted = order.starts_with("XY") ? order.substr(2) : "";
    std::ranges::sort(sorted);
    if (sorted != "CTZ")
      throw BadOme(
          fmt::format("its OME-XML has the DimensionOrder '{}'; it can be XYCZT, XYCTZ, "
                      "XYZCT, XYZTC, XYTCZ or XYTZC",
                      order));
    return order.substr(2);
  }

  int size(const char* name) const {
    const std::optional<int> value = ome_number<int>(pixels_, name);
    if (!value || *value < 1)
      throw BadOme(fmt::format("its OME-XML has the {} '{}'; it must be a whole number above 0",
                               name, pixels_.attribute(name).value()));
    return *value;
  }

  /// `axes` has the number of every plane in the order of dimensions; that becomes its page.
  void find_pages(StackAxes& axes) const {
    std::vector<int> places(axes.planes.size());  // by number in that order
    for (std::size_t place = 0; place < places.size(); ++place)
      places[static_cast<std::size_t>(axes.planes[place])] = static_cast<int>(place);
    std::vector<int> pages(places.size(), -1);
    bool any = false;
    long long listed = 0;
    for (const pugi::xml_node block : pixels_.children()) {
      if (!is_called(block, "TiffData")) continue;
      any = true;
      check_file(block);
      listed += add_block(block, axes, places, pages);
      if (listed > 2 * std::ssize(pages))
        throw BadOme("its OME-XML lists its planes more than twice; each can be listed once");
    }
    for (int page = 0; !any && page < std::min(stack_.planes, static_cast<int>(pages.size()));
         ++page)
      pages[static_cast<std::size_t>(places[static_cast<std::size_t>(page)])] = page;
    axes.planes = std::move(pages);
  }

  /// Pages of a block of planes that follow one another; returns how many it lists.
  long long add_block(const pugi::xml_node& block, const StackAxes& axes,
                      const std::vector<int>& places, std::vector<int>& pages) const {
    const long long first_page = ome_number<long long>(block, "IFD").value_or(0);
    // A block that names neither a page nor a count stands for all pages.
    const long long all = block.attribute("IFD") ? 1 : stack_.planes;
    const long long count = ome_number<long long>(block, "PlaneCount").value_or(all);
    const auto at = [&](const char* name, int most) {
      const long long value = ome_number<long long>(block, name).value_or(0);
      if (value < 0 || value >= most)
        throw BadOme(fmt::format("its OME-XML has a plane with {} {}; it can be 0 to {}", name,
                                 value, most - 1));
      return static_cast<int>(value);
    };
    const int c = at("FirstC", axes.channels * stack_.samples) / stack_.samples;
    const int z = at("FirstZ", axes.slices), t = at("FirstT", axes.frames);
    const long long start = axes.plane(t, z, std::min(c, axes.channels - 1));
    const long long listed = std::clamp<long long>(count, 0, std::ssize(places) - start);
    for (long long i = 0; i < listed; ++i) {
      if (first_page < 0 || first_page >= stack_.planes - i) break;
      pages[static_cast<std::size_t>(places[static_cast<std::size_t>(start + i)])] =
          static_cast<int>(first_page + i);
    }
    return listed;
  }

  /// A file that was renamed has its old name inside; its UUID is then still that of the document.
  void check_file(const pugi::xml_node& block) const {
    const pugi::xml_node uuid = ome_child(block, "UUID");
    if (!uuid) return;
    const std::string_view name = uuid.attribute("FileName").value();
    const std::string_view own = root_.attribute("UUID").value();
    if (own.empty() ? name.empty() || name == stack_.name : own == uuid.child_value()) return;
    throw BadOme(
        fmt::format("its OME-XML places planes in another file ({}), and a film must be "
                    "one file; export it as one OME-TIFF",
                    name.empty() ? uuid.child_value() : name));
  }

  void read_scale(StackAxes& axes) const {
    const auto um = [&](const char* name, const char* unit_name) {
      const double value = ome_number<double>(pixels_, name).value_or(0);
      const pugi::xml_attribute unit = pixels_.attribute(unit_name);
      const std::optional<double> one = unit ? micrometres_of(unit.value()) : 1.0;
      if (!one && std::string_view(unit.value()) != "reference frame")
        axes.notes.push_back(fmt::format(
            "its pixel size is in '{}', which is not a known unit of length", unit.value()));
      return value * one.value_or(0);
    };
    const double width = um("PhysicalSizeX", "PhysicalSizeXUnit");
    set_pixel_size(width, width > 0 ? um("PhysicalSizeY", "PhysicalSizeYUnit") : 0, axes);
    const double interval = ome_number<double>(pixels_, "TimeIncrement").value_or(0);
    if (interval > 0 && std::isfinite(interval))
      axes.seconds_per_frame = interval * seconds_in(pixels_, "TimeIncrementUnit", axes);
    else
      read_times(axes);
  }

  static double seconds_in(const pugi::xml_node& node, const char* name, StackAxes& axes) {
    const pugi::xml_attribute unit = node.attribute(name);
    const std::optional<double> one = unit ? seconds_of(unit.value()) : 1.0;
    if (!one)
      axes.notes.push_back(fmt::format(
          "its frame interval is in '{}', which is not a known unit of time", unit.value()));
    return one.value_or(0);
  }

  /// Many programs write the time of every plane and no interval.
  void read_times(StackAxes& axes) const {
    std::map<int, double> times;  // of frames
    for (const pugi::xml_node plane : pixels_.children()) {
      if (!is_called(plane, "Plane") || ome_number<int>(plane, "TheZ") != 0 ||
          ome_number<int>(plane, "TheC") != 0)
        continue;
      const auto frame = ome_number<int>(plane, "TheT");
      const auto time = ome_number<double>(plane, "DeltaT");
      const pugi::xml_attribute unit = plane.attribute("DeltaTUnit");
      const std::optional<double> one = unit ? seconds_of(unit.value()) : 1.0;
      if (frame && time && one && std::isfinite(*time)) times[*frame] = *time * *one;
    }
    if (times.size() < 2) return;
    const auto [first, start] = *times.begin();
    const auto [last, end] = *times.rbegin();
    const double mean = (end - start) / (last - first);
    if (!(mean > 0)) return;
    axes.seconds_per_frame = mean;
    for (auto frame = std::next(times.begin()); frame != times.end(); ++frame) {
      const auto before = std::prev(frame);
      const double expected = mean * (frame->first - before->first);
      if (std::abs(frame->second - before->second - expected) > kEven * expected)
        axes.uneven = true;
    }
  }

  void count_images(StackAxes& axes) const {
    const auto images = std::ranges::count_if(
        root_.children(), [](const pugi::xml_node& node) { return is_called(node, "Image"); });
    if (images > 1)
      axes.notes.push_back(fmt::format("it holds {} images; the first is read", images));
  }

  /// Clocks of microscopes are this good: steps that differ by more are not even.
  static constexpr double kEven = 0.1;

  const TiffStack& stack_;
  pugi::xml_document document_;
  pugi::xml_node root_, pixels_;
};

}  // namespace

bool is_ome(std::string_view description) {
  const std::string_view start = description.substr(0, 4096);
  return start.starts_with('<') && (start.find("<OME") != std::string_view::npos ||
                                    start.find(":OME") != std::string_view::npos);
}

StackAxes ome_axes(const TiffStack& stack) {
  try {
    return OmePixels(stack).axes();
  } catch (const BadOme& bad) {
    StackAxes axes;
    axes.from = "OME";
    axes.wrong = bad.what();
    return axes;
  }
}

}  // namespace tessera
