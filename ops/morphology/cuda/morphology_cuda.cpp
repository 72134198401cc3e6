// SPDX-License-Identifier: Apache-2.0
#include "ops/morphology/cuda/morphology_cuda.hpp"

#include <fmt/format.h>

#include "core/piece_launch.hpp"
#include "core/rows.hpp"
#include "core/staging.hpp"
#include "ops/morphology/parts/morphology_keys.cuh"
#include "tune/table.hpp"

namespace tessera {
namespace {

bool same(const MorphologyKnobs& a, const MorphologyKnobs& b) {
  return a.block_x == b.block_x && a.block_y == b.block_y && a.rows == b.rows;
}

/// Whether usual tiles would leave multiprocessors without a block.
bool has_few_tiles(const MorphologyProblem& p, int multiprocessors) {
  const MorphologyKnobs usual = usual_morphology_knobs(static_cast<int>(bytes_of(p.image.type)));
  const Size size = p.output.size;
  return 1LL * blocks_for(size.width, usual.block_x) *
             blocks_for(size.height, usual.block_y * usual.rows) * size.planes * size.channels <
         multiprocessors;
}

MorphologyKnobs find_knobs_of(const MorphologyProblem& p, const char* unit) {
  const auto& device = device_info(p.device);
  if (has_few_tiles(p, device.multiprocessors)) return kSmallMorphologyKnobs;
  const Knobs tuned =
      find_knobs(fmt::format("{}@1", unit), problem_key(p), table_name(device.name));
  return with_table(p, worth_compiling(tuned, static_cast<double>(p.output.size.samples())));
}

const char* max_word(const MorphologyProblem& p) {
  return p.kind == MorphologyKind::dilate ? "true" : "false";
}

std::string entry_name(const MorphologyProblem& p, const std::string& stem) {
  return fmt::format("{}_{}_{}", stem, name_of(p.kind), name_of(p.image.type));
}

const GpuKernel& find_tile_kernel(const MorphologyProblem& p, const char* unit,
                                  const MorphologyKnobs& knobs) {
  KernelName name = morphology_tile_kernel(p, unit, knobs);
  const bool ahead_of_time = same(knobs, usual_morphology_knobs(bytes_of(p.image.type))) ||
                             same(knobs, kSmallMorphologyKnobs);
  if (ahead_of_time && !force_run_time_kernels()) name.body.clear();
  return find_kernel(p.device, name);
}

const GpuKernel& find(const MorphologyProblem& p, const std::string& unit, const std::string& stem,
                      const std::string& body, const char* args, bool tuned) {
  return find_kernel(
      p.device, {unit, entry_name(p, stem), tuned || force_run_time_kernels() ? body : "", args});
}

template <int kBytes>
long long outside_key(const MorphologyProblem& p) {
  const bool max = p.kind == MorphologyKind::dilate;
  if (p.border != Border::constant)
    return max ? losing_key<kBytes, true>() : losing_key<kBytes, false>();
  const auto bits = static_cast<typename KeyTypes<kBytes>::Bits>(constant_bits(p));
  return max ? to_key<kBytes, true>(bits) : to_key<kBytes, false>(bits);
}

long long outside_key(const MorphologyProblem& p) {
  switch (p.image.type) {
    case Type::u8:
      return outside_key<1>(p);
    case Type::u16:
      return outside_key<2>(p);
    case Type::f32:
      return outside_key<4>(p);
    default:
      return outside_key<8>(p);
  }
}

}  // namespace

KernelName morphology_tile_kernel(const MorphologyProblem& p, const std::string& unit,
                                  const MorphologyKnobs& k) {
  return {unit, entry_name(p, same(k, kSmallMorphologyKnobs) ? unit + "_small" : unit),
          fmt::format("{}_tile<{}, {}, MorphologyKnobs{{{}, {}, {}}}>", unit,
                      bytes_of(p.image.type), max_word(p), k.block_x, k.block_y, k.rows),
          unit == "morphology_direct" ? "MorphologyDirectArgs" : "MorphologySeparableArgs"};
}

MorphologyKnobs with_table(const MorphologyProblem& p, const Knobs& tuned) {
  const int bytes = static_cast<int>(bytes_of(p.image.type));
  const MorphologyKnobs usual = usual_morphology_knobs(bytes),
                        knobs{tuned.get("block_x", usual.block_x),
                              tuned.get("block_y", usual.block_y), tuned.get("rows", usual.rows)};
  return morphology_knobs_fit(knobs, bytes) ? knobs : usual;
}

MorphologyCuda::MorphologyCuda(const MorphologyProblem& problem, const char* unit)
    : problem_(problem),
      knobs_(find_knobs_of(problem, unit)),
      kernel_(find_tile_kernel(problem, unit, knobs_)),
      packed_(MorphologyPacked::find(problem)) {
  if (kernel_.origin() == "ahead of time" && !same(knobs_, kSmallMorphologyKnobs))
    // No run-time compiler: the entry point's own.
    knobs_ = usual_morphology_knobs(bytes_of(problem.image.type));
}

const GpuKernel& MorphologyCuda::kernel(const std::string& unit, const std::string& stem,
                                        const std::string& body, const char* args,
                                        bool tuned) const {
  return find(problem_, unit, stem,
              fmt::format("{}<{}, {}>", body, bytes_of(problem_.image.type), max_word(problem_)),
              args, tuned);
}

std::string MorphologyCuda::describe() const {
  if (packed_) return packed_->describe();
  return fmt::format("device {}, blocks of {}x{}, {} rows per thread, {}", problem_.device,
                     knobs_.block_x, knobs_.block_y, knobs_.rows, kernel_.origin());
}

void MorphologyCuda::run(const Piece& in, const MutablePiece& out, Stream& stream) const {
  const char* name = name_of(problem_.kind).data();
  const auto checked = [&](const Piece& device_in, const MutablePiece& device_out, Stream& work) {
    // Throws if a row is missing; the kernel could not report that.
    find_rows(name, problem_.reads(device_out.rows()), device_in.rows(), problem_.image.size.height,
              problem_.border);
    if (packed_ && packed_->takes(device_in, device_out))
      packed_->launch(arguments(device_in, device_out), device_in, device_out, work);
    else
      launch(device_in, device_out, work);
  };
  if (in.view.device != kHost) return checked(in, out, stream);
  const RowRule rule{name, [this](Rows rows) { return problem_.needs(rows); },
                     problem_.image.size.height, problem_.border};
  run_staged(in, out, rule, stream, checked);
}

MorphologyArgs MorphologyCuda::arguments(const Piece& in, const MutablePiece& out) const {
  const MorphologyProblem& p = problem_;
  MorphologyArgs a{};
  fill_piece(a, in, out, p.image.size, p.output.size.width, p.anchor, p.border);
  a.outside = outside_key(p);
  return a;
}

void MorphologyCuda::for_each_launch(
    MorphologyArgs image, const Piece& in, const MutablePiece& out, int tile_height,
    const std::function<void(const MorphologyArgs&, int planes)>& one) {
  each_launch(out, tile_height, image.channels, [&](Rows rows, int plane, int planes) {
    move_to_part(image, in, out, rows, plane);
    one(image, planes);
  });
}

}  // namespace tessera
