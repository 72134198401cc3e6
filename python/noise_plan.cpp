// SPDX-License-Identifier: Apache-2.0
#include "python/noise_plan.hpp"

#include <nanobind/stl/string.h>

#include <limits>
#include <utility>

#include "python/item_arrays.hpp"
#include "python/long_call.hpp"
#include "python/raw_arrays.hpp"
#include "tessera/error.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

std::variant<Noise, NoiseGrid> make_plan(const ImageInfo& image, const NoiseOptions& options) {
  if (options.mode == NoiseMode::grid) return kept_plan<NoiseGrid>(image, options);
  return kept_plan<Noise>(image, options);
}

void run_whole(const Noise& plan, AnyView in, AnyMutableView maps, Stream& stream) {
  plan({in, 0}, {maps, 0}, stream);
}

void draw_whole(const NoiseGrid& plan, const NoiseNodes& nodes, AnyView in, AnyMutableView maps,
                const Stream& stream) {
  plan.draw(nodes, {0, in.size.height}, maps, stream);
  plan.mask(in, maps, stream);
}

void run_whole(const NoiseGrid& plan, AnyView in, AnyMutableView maps, Stream& stream) {
  draw_whole(plan, plan.measured(in, stream), in, maps, stream);
}

/// A NumPy copy of an array on a device.
Array fetched(const Array& array, const std::string& what) {
  if (array.library == Library::torch)
    return look_at(array.object.attr("cpu")().attr("numpy")(), what);
  if (array.library == Library::cupy) return look_at(array.object.attr("get")(), what);
  throw nb::type_error((what + " must be an array of CuPy or torch for this").c_str());
}

/// Fills an array on a device from a NumPy one.
void send(const nb::object& host, const Array& to) {
  if (to.library == Library::torch) {
    to.object.attr("copy_")(nb::module_::import_("torch").attr("from_numpy")(host));
    return;
  }
  const CupyDevice current(to.device);
  nb::object target = to.object;
  target[nb::ellipsis()] = nb::module_::import_("cupy").attr("asarray")(host);
}

nb::object as_type(const Array& array, const char* dtype) {
  if (array.library != Library::torch) return array.object.attr("astype")(dtype);
  return array.object.attr("to")(nb::module_::import_("torch").attr(dtype));
}

/// By the arithmetic of the arrays' own library, on their device.
nb::object snr_on_device(const Array& image, const Array& background, const Array& rms,
                         const SnrRules& rules) {
  const nb::object values = as_type(image, dtype_name(rms.type));
  nb::object snr = (values - background.object) / rms.object;
  const auto none_where = [&](const nb::object& those) {
    snr[those] = std::numeric_limits<double>::quiet_NaN();
  };
  none_where(rms.object.attr("__eq__")(0));
  none_where(values.attr("__abs__")().attr("__eq__")(std::numeric_limits<double>::infinity()));
  if (rules.zero_is_blank) none_where(values.attr("__eq__")(0));
  return snr;
}

nb::object snr_on_host(const Array& image, const Array& background, const Array& rms,
                       const SnrRules& rules) {
  const Array snr = make_like(image, rms.shape, rms.type);
  for (long long plane = 0; plane < count_planes(image.shape); ++plane) {
    const std::vector<long long> index = plane_index(image.shape, plane);
    const auto view = [&](const char* name, const Array& array) {
      return plane_view(name, part_at(array, index, 0));
    };
    const AnyView in = view("image", image), below = view("background", background),
                  spread = view("rms", rms);
    const AnyMutableView out = view("snr", snr);
    const LongCall unlocked;
    signal_to_noise(in, below, spread, out, rules.zero_is_blank, Stream(kHost, rules.threads));
  }
  return snr.object;
}

}  // namespace

NoiseOfMode::NoiseOfMode(const ImageInfo& image, const NoiseOptions& options)
    : plan_(make_plan(image, options)) {}
const ImageInfo& NoiseOfMode::output() const {
  return std::visit([](const auto& plan) -> const ImageInfo& { return plan.output(); }, plan_);
}
const Noise& NoiseOfMode::rows() const {
  if (grid())
    throw Error(ErrorKind::usage,
                "noise: mode grid takes whole images; rows are made separately in modes exact and "
                "binned");
  return std::get<Noise>(plan_);
}
const Plan& NoiseOfMode::plan() const {
  return std::visit([](const auto& plan) -> const Plan& { return plan; }, plan_);
}
std::string NoiseOfMode::describe() const {
  return std::visit([](const auto& plan) { return plan.describe(); }, plan_);
}
void NoiseOfMode::operator()(AnyView in, AnyMutableView maps, Stream& stream) const {
  std::visit([&](const auto& plan) { run_whole(plan, in, maps, stream); }, plan_);
}

NoisePlan::NoisePlan(std::string operation, const Array& like, const NoiseOptions& options,
                     const HostOptions& run)
    : operation_(std::move(operation)),
      shape_(like.shape),
      type_(like.type),
      options_(options),
      run_(run) {
  check_planes(operation_ + ": image", like);
  const Array plane = part_at(like, plane_index(shape_, 0), 0);
  const ImageInfo output = plan_for(plane_view(operation_ + ": image", plane).info()).output();
  result_shape_ = shape_;
  result_shape_.insert(result_shape_.begin(), output.size.planes);
  result_type_ = output.type;
}

NoiseOfMode NoisePlan::plan_for(const ImageInfo& image) {
  return plans_.get(image.device, [&] { return NoiseOfMode(image, options_); });
}

Array NoisePlan::image_of(nb::handle given, nb::handle mask) const {
  return image_of_shape(given, mask, shape_);
}

Array NoisePlan::piece_of(nb::handle given, nb::handle mask) const {
  if (shape_.size() != 2)
    throw_usage(operation_ +
                ": rows are made of plans for one image, (rows, columns); this one is "
                "for " +
                shape_text(shape_));
  const Shape given_shape = look_at_raw(given, operation_ + ": image").shape;
  const long long rows = given_shape.empty() ? 0 : given_shape.front();
  return image_of_shape(given, mask, {rows, shape_[1]});
}

Array NoisePlan::image_of_shape(nb::handle given, nb::handle mask, const Shape& shape) const {
  const MaskedImage parts(given, mask);
  const Array image = look_at_values(parts.image, operation_ + ": image");
  check_array(operation_ + ": image", image, shape, type_);
  if (parts.masks.empty()) return image;
  if (is_integer(type_))
    throw Error(ErrorKind::usage, operation_ + ": " + dtype_name(type_) +
                                      " has no blanks for a mask; make the plan for float32 and "
                                      "give it images of that");
  return blanked(operation_, image, parts.masks);
}

nb::object NoisePlan::operator()(const Array& image, nb::handle out) {
  const Array result = result_array(operation_ + ": out", out, image, result_shape_, result_type_);
  for (long long plane = 0; plane < count_planes(shape_); ++plane) {
    const std::vector<long long> index = plane_index(shape_, plane);
    run_plane(part_at(image, index, 0), part_at(result, index, 1));
  }
  return result.object;
}

NoiseOfMode NoisePlan::host_plan() {
  const long long rows = shape_[shape_.size() - 2], columns = shape_.back();
  return plan_for({{static_cast<int>(columns), static_cast<int>(rows)}, type_, kHost});
}

nb::object NoisePlan::run_rows(const Array& piece, int first_row, Rows wanted) {
  const Noise plan = host_plan().rows();
  if (wanted.first < 0 || wanted.first > wanted.end || wanted.end > shape_.front())
    throw_usage(operation_ + ": the image has rows 0 to " + std::to_string(shape_.front()) +
                "; rows " + std::to_string(wanted.first) + " to " + std::to_string(wanted.end) +
                " are not among them");
  const Array maps = make_like(piece, {result_shape_[0], wanted.count(), shape_[1]}, result_type_);
  const Piece from{plane_view(operation_ + ": image", piece), first_row};
  const MutablePiece to{cube_view(operation_ + ": out", maps, 0), wanted.first};
  run(piece, maps, plan, [&](Stream& stream) { plan(from, to, stream); });
  return maps.object;
}

void NoisePlan::run_plane(const Array& image, const Array& result) {
  const AnyView in = plane_view(operation_ + ": image", image);
  const NoiseOfMode plan = plan_for(in.info());
  if (const NoiseGrid* grid = plan.grid(); grid && image.device != kHost)
    return run_grid_on_device(*grid, image, result);
  const AnyMutableView maps = cube_view(operation_ + ": out", result, 0);
  run(image, result, plan.plan(), [&](Stream& stream) { plan(in, maps, stream); });
}

void NoisePlan::run(const Array& image, const Array& result, const Plan& plan,
                    const std::function<void(Stream&)>& work) const {
  run_on_arrays({&image, &result}, plan, run_, work, operation_);
}

void NoisePlan::run_grid_on_device(const NoiseGrid& plan, const Array& image,
                                   const Array& result) const {
  const std::string what = operation_ + ": image";
  const AnyView in = plane_view(what, image);
  NoiseNodes nodes;
  run(image, result, plan, [&](Stream& stream) { nodes = plan.measured(in, stream); });
  const Array host_image = fetched(image, what),
              host_maps = make_like(Array(), result.shape, result_type_);
  const AnyView host_in = plane_view(what, host_image);
  const AnyMutableView maps = cube_view(operation_ + ": out", host_maps, 0);
  {
    const LongCall unlocked;
    draw_whole(plan, nodes, host_in, maps, Stream(kHost, run_.threads));
  }
  send(host_maps.object, result);
}

MapsResult::MapsResult(Array image, const nb::object& maps, const NoisePlan& plan)
    : background(maps[nb::int_(0)]),
      rms(maps[nb::int_(1)]),
      method(plan.describe()),
      image_(std::move(image)),
      rules_(plan.snr_rules()) {}

nb::object MapsResult::snr() {
  if (snr_) return snr_;
  const Array below = look_at(background, "noise: background"), spread = look_at(rms, "noise: rms");
  if (image_.device == kHost) return snr_ = snr_on_host(image_, below, spread, rules_);
  if (image_.library == Library::cupy) {
    const CupyDevice current(image_.device);
    return snr_ = snr_on_device(image_, below, spread, rules_);
  }
  return snr_ = snr_on_device(image_, below, spread, rules_);
}

void fill_maps(const nb::object& maps) {
  const Array array = look_at(maps, "noise: maps", true);
  if (array.device == kHost) {
    for (long long plane = 0; plane < count_planes(array.shape); ++plane) {
      const AnyMutableView view =
          plane_view("noise: maps", part_at(array, plane_index(array.shape, plane), 0));
      const LongCall unlocked;
      fill_from_nearest(view);
    }
    return;
  }
  const Array host = fetched(array, "noise: maps");
  fill_maps(host.object);
  send(host.object, array);
}

}  // namespace tessera::python
