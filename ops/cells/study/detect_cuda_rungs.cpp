// SPDX-License-Identifier: Apache-2.0
// The published CUDA programs for detection: two kernels between loops on the host. Memory is
// allocated and released for every frame.
#include <algorithm>
#include <optional>

#include "core/piece_launch.hpp"
#include "core/texture.hpp"
#include "ops/cells/study/cells_rungs.hpp"
#include "ops/cells/study/detect_args.cuh"

namespace tessera {
namespace {

struct DetectProgram {
  std::string gicov_unit, gicov_entry, dilate_unit, dilate_entry;
  bool constant = true, texture = true, columns = true;
};

DetectTables made_tables() {
  const CircleTables& circles = circle_tables();
  DetectTables tables = {};
  const auto as_float = [](double value) { return static_cast<float>(value); };
  std::transform(circles.sine.begin(), circles.sine.end(), tables.sine, as_float);
  std::transform(circles.cosine.begin(), circles.cosine.end(), tables.cosine, as_float);
  std::copy(circles.offset_x.begin(), circles.offset_x.end(), tables.offset_x);
  std::copy(circles.offset_y.begin(), circles.offset_y.end(), tables.offset_y);
  for (int j = -kDiskReach; j <= kDiskReach; ++j)
    for (int i = -kDiskReach; i <= kDiskReach; ++i)
      tables.disk[(j + kDiskReach) * kDiskSide + i + kDiskReach] =
          i * i + j * j <= kDiskReach * kDiskReach ? 1.0F : 0.0F;
  return tables;
}

/// Row by row, or column by column.
std::vector<float> as_floats(const std::vector<double>& map, int width, int height, bool columns) {
  std::vector<float> floats(map.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      floats[columns ? x * height + y : y * width + x] = static_cast<float>(map[y * width + x]);
  return floats;
}

/// Memory of a frame, textures over it, and the arguments that point to it.
struct OnDevice {
  Scratch along_x, along_y, gicov, dilated, tables;
  Texture along_x_texture, along_y_texture, gicov_texture;
  DetectArgs args = {};

  OnDevice(const CellsCase& c, const DetectProgram& program, WatchedDevice& device, int index) {
    const std::size_t bytes = c.cropped().size() * sizeof(float);
    for (Scratch* map : {&along_x, &along_y, &gicov, &dilated}) *map = device.allocate(bytes);
    if (!program.constant) tables = device.allocate(sizeof(DetectTables));
    if (program.texture) make_textures(index, static_cast<long long>(c.cropped().size()));
    args = {.tables = tables.as<const DetectTables>(),
            .along_x = along_x.as<const float>(),
            .along_y = along_y.as<const float>(),
            .along_x_texture = along_x_texture.handle(),
            .along_y_texture = along_y_texture.handle(),
            .gicov_texture = gicov_texture.handle(),
            .gicov = gicov.as<float>(),
            .dilated = dilated.as<float>(),
            .width = c.width(),
            .height = c.crop_height()};
  }
  void make_textures(int index, long long samples) {
    along_x_texture = make_texture(index, along_x.as<const float>(), samples, 1);
    along_y_texture = make_texture(index, along_y.as<const float>(), samples, 1);
    gicov_texture = make_texture(index, gicov.as<const float>(), samples, 1);
  }
  void release(WatchedDevice& device) {
    along_x_texture = along_y_texture = gicov_texture = {};
    for (Scratch* memory : {&along_x, &along_y, &gicov, &dilated, &tables}) device.release(*memory);
  }
};

struct DetectKernels {
  const GpuKernel &gicov, &dilate;
  DetectTables tables;
};

void launch(const CellsCase& c, const DetectKernels& kernels, const DetectProgram& program,
            const DetectArgs& args, WatchedDevice& device) {
  const auto columns = static_cast<unsigned>(c.width() - 2 * kGicovMargin);
  const auto rows = static_cast<unsigned>(c.crop_height() - 2 * kGicovMargin);
  const unsigned blocks = blocks_for(args.width * args.height, kDilationThreads);
  if (program.constant) {
    const ConstantDetectArgs with_tables{args, kernels.tables};
    device.launch(kernels.gicov, columns, rows, with_tables);
    device.launch(kernels.dilate, blocks, kDilationThreads, with_tables);
  } else {
    device.launch(kernels.gicov, columns, rows, args);
    device.launch(kernels.dilate, blocks, kDilationThreads, args);
  }
}

void detect(const CellsCase& c, const DetectKernels& kernels, const DetectProgram& program,
            Stream& stream) {
  WatchedDevice device(stream, c.watched());
  const int width = c.width(), height = c.crop_height();
  const std::size_t pixels = c.cropped().size();
  std::vector<double> along_x(pixels), along_y(pixels);
  plain_gradient(c.cropped().data(), width, height, along_x.data(), along_y.data());
  OnDevice there(c, program, device, stream.device());
  std::vector<float> map(pixels);  // zeros: margins have no thread
  device.upload(map.data(), pixels, there.gicov);
  device.upload(as_floats(along_x, width, height, program.columns).data(), pixels, there.along_x);
  device.upload(as_floats(along_y, width, height, program.columns).data(), pixels, there.along_y);
  if (!program.constant) device.upload(&kernels.tables, 1, there.tables);
  launch(c, kernels, program, there.args, device);
  Detected& made = c.detected();
  // Squares in float, as the kernel compared them: a maximum is its own.
  device.download(there.gicov, pixels, map.data());
  made.gicov.assign(map.begin(), map.end());
  std::vector<double> squares(pixels);
  device.download(there.dilated, pixels, map.data());
  made.dilated.assign(map.begin(), map.end());
  there.release(device);
  for (std::size_t k = 0; k < pixels; ++k) {
    const auto score = static_cast<float>(made.gicov[k]);
    squares[k] = score * score == map[k] ? made.gicov[k] * made.gicov[k] : -1.0;
  }
  made.cells = plain_outlines(made.gicov.data(), squares.data(), along_x.data(), along_y.data(),
                              width, height, c.crop());
}

const GpuKernel& kernel(Stream& stream, const std::string& unit, const std::string& entry) {
  return find_kernel(stream.device(), {unit, entry, "", ""});
}

CellsRung detect_rung(const std::string& id, const std::string& title,
                      const DetectProgram& program) {
  std::vector<std::string> files{"detect_args.", "gicov_pixel.", program.gicov_unit + "."};
  if (program.dilate_unit != program.gicov_unit) files.push_back(program.dilate_unit + ".");
  return {"detect." + id, title, cells_ladder_files(files),
          [program](const CellsCase& c, Stream& stream) {
            const auto kernels = std::make_shared<const DetectKernels>(DetectKernels{
                kernel(stream, program.gicov_unit, program.gicov_entry),
                kernel(stream, program.dilate_unit, program.dilate_entry), made_tables()});
            PreparedRung rung;
            rung.truth = truth_of(CellsStage::detect, false);
            rung.bound = 1;  // floats
            rung.block_x = 1;
            rung.block_y = c.crop_height() - 2 * kGicovMargin;
            rung.registers = kernels->gicov.registers();
            rung.shared_bytes = kernels->gicov.static_shared_bytes();
            rung.run = [&c, kernels, program](Stream& on) { detect(c, *kernels, program, on); };
            return rung;
          }};
}

}  // namespace

std::vector<CellsRung> detect_cuda_rungs() {
  const std::string naive = "d1_detect_naive", constant = "d2_detect_constant",
                    texture = "d3_detect_texture";
  return {
      detect_rung("naive", "loops become kernels",
                  {naive, "gicov_naive", naive, "dilate_naive", false, false, false}),
      detect_rung("constant", "tables in constant memory",
                  {constant, "gicov_constant", constant, "dilate_constant", true, false, false}),
      detect_rung("texture", "maps through textures",
                  {texture, "gicov_texture", texture, "dilate_texture", true, true, false}),
      detect_rung("columns", "gradients in column order",
                  {"d4_detect_columns", "gicov_columns", texture, "dilate_texture"}),
      detect_rung("one-pass", "variance in one pass",
                  {"d5_detect_one_pass", "gicov_one_pass", texture, "dilate_texture"})};
}

}  // namespace tessera
