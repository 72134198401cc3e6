// SPDX-License-Identifier: Apache-2.0
#include "jobs/beam/beam_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "core/folder.hpp"
#include "io/formats.hpp"
#include "io/hdu_name.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/beam/beam_log.hpp"
#include "jobs/file_list.hpp"
#include "jobs/job_files.hpp"
#include "jobs/sky_header.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr double kArcsec = 3600;

/// The unit in lower case without spaces: "jy/beam".
std::string plain_unit(const std::string& text) {
  std::string unit;
  for (const char c : text)
    if (c != ' ') unit += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return unit;
}

std::optional<BeamFlux> flux_of_unit(const std::string& text) {
  const std::string unit = plain_unit(text);
  const auto has = [&](const char* part) { return unit.find(part) != std::string::npos; };
  if (has("beam")) return BeamFlux::per_beam;
  const bool kelvin = unit == "k" || unit == "mk" || unit == "uk" || unit.starts_with("k(");
  if (kelvin || has("/sr") || has("sr-1") || has("sr^-1") || has("pixel") || has("/pix"))
    return BeamFlux::surface;
  return std::nullopt;
}

BeamFlux flux_of(const BeamJob& job, const std::string& path, const HeaderCards& header) {
  if (job.options.flux) return *job.options.flux;
  const auto flux = flux_of_unit(header.text("BUNIT"));
  if (flux) return *flux;
  throw Error(ErrorKind::usage,
              fmt::format("beam: {}: its unit (BUNIT) is '{}', which does not say whether values "
                          "are per beam; give --flux per-beam or --flux surface",
                          path, header.text("BUNIT")));
}

SkySteps pixel_of(const std::string& path, const HeaderCards& header) {
  const auto steps = sky_steps(header);
  if (!steps)
    throw Error(ErrorKind::input,
                fmt::format("beam: {}: it does not state the size of its pixels; its header needs "
                            "CDELT1 and CDELT2, or CDi_j",
                            path));
  return {kArcsec * steps->east_x, kArcsec * steps->east_y, kArcsec * steps->north_x,
          kArcsec * steps->north_y};
}

std::vector<std::optional<Beam>> stated_beams(const BeamJob& job, const std::string& path,
                                              const ImageSource& file) {
  const std::string own = beam_log_of(split_hdu(path).path);
  if (!job.options.beams.empty()) {
    const std::string log = job.options.beams == "own" ? own : job.options.beams;
    return table_beams(log + ": it", HeaderCards(file.header()), read_beam_log(log),
                       file.info().size.planes);
  }
  auto beams = plane_beams(path, file);
  if (!beams.empty()) return beams;
  throw Error(
      ErrorKind::input,
      fmt::format("beam: {}: it does not state its beam; its header needs BMAJ, BMIN and "
                  "BPA, or CASAMBM and a table BEAMS, {}",
                  path,
                  path_exists(own) ? fmt::format("and {} is next to it: give --beams own", own)
                                   : "or give a beam log with --beams"));
}

void read_beams(const BeamJob& job, const ImageSource& file, BeamInput& input) {
  input.beams = stated_beams(job, input.path, file);
  for (std::optional<Beam>& beam : input.beams) {
    if (!beam) {
      ++input.without_beam;
      continue;
    }
    beam->major *= kArcsec;
    beam->minor *= kArcsec;
    if (!job.options.cutoff || beam->major <= *job.options.cutoff) continue;
    ++input.beyond_cutoff;
    beam.reset();
  }
}

BeamInput look_at(const BeamJob& job, const std::string& path) {
  const auto file = open_input(path, job.reading, job.settings);
  const ImageInfo info = file->info();
  if (info.type != Type::f32 && info.type != Type::f64)
    throw Error(ErrorKind::input,
                fmt::format("beam: {}: its samples are {}; they must be f32 or f64, which convert "
                            "makes with --type f32",
                            path, name_of(info.type)));
  const HeaderCards header(file->header());
  BeamInput input;
  input.path = path;
  read_beams(job, *file, input);
  input.pixel = pixel_of(path, header);
  input.flux = flux_of(job, path, header);
  return input;
}

std::string with_suffix(const std::string& path, const std::string& suffix) {
  const std::size_t dot = path.rfind('.');
  const std::size_t slash = path.rfind('/');
  const bool named = dot != std::string::npos && (slash == std::string::npos || dot > slash + 1);
  return named ? path.substr(0, dot) + suffix + path.substr(dot) : path + suffix;
}

bool is_folder(const std::string& output) {
  return output.ends_with('/') || (path_exists(output) && !is_regular_file(output));
}

std::string output_of(const BeamJob& job, const std::string& input, std::size_t count) {
  const std::string path = split_hdu(input).path;
  if (!job.options.suffix.empty()) return with_suffix(path, job.options.suffix);
  if (!is_folder(job.output)) {
    if (count == 1) return job.output;
    throw Error(ErrorKind::usage,
                fmt::format("beam: {} files cannot become {}; give a folder that ends with /, or "
                            "--suffix",
                            count, job.output));
  }
  return joined(job.output, name_in_folder(path));
}

std::vector<std::string> all_files(const BeamJob& job) {
  if (job.output.empty() == job.options.suffix.empty())
    throw Error(ErrorKind::usage, job.output.empty()
                                      ? "beam: the results have no place; give -o with a folder or "
                                        "file, or --suffix"
                                      : "beam: both -o and --suffix name the results; give one");
  if (job.options.suffix.find('/') != std::string::npos)
    throw Error(ErrorKind::usage, "beam: --suffix is part of a file name and cannot contain /");
  std::vector<std::string> files;
  for (const std::string& word : job.inputs)
    for (std::string& file : files_in_word(word)) files.push_back(std::move(file));
  return files;
}

void check_fits(const std::string& path) {
  const Format* format = format_of_name(path);
  if (!format || format->name != std::string_view("FITS"))
    throw Error(ErrorKind::usage,
                fmt::format("beam: {}: only FITS can state its beam; give a name that ends with "
                            ".fits",
                            path));
}

}  // namespace

std::vector<BeamInput> beam_inputs(const BeamJob& job) {
  const std::vector<std::string> files = all_files(job);
  std::vector<BeamInput> inputs;
  std::map<std::string, std::string> made_of;
  for (const std::string& file : files) {
    inputs.push_back(look_at(job, file));
    const std::string output = output_of(job, file, files.size());
    check_fits(output);
    const auto [other, is_new] = made_of.emplace(output, file);
    if (!is_new)
      throw Error(ErrorKind::usage,
                  fmt::format("beam: {} and {} would both become {}; give --suffix instead of -o",
                              other->second, file, output));
    check_apart(split_hdu(file).path, output, "another folder, or --suffix");
    if (!job.writing.force && path_exists(output))
      throw Error(ErrorKind::usage,
                  fmt::format("{}: it exists; give --force to replace it", output));
    inputs.back().output = output;
  }
  return inputs;
}

Beam target_beam(const BeamJob& job, const std::vector<BeamInput>& inputs) {
  std::vector<Beam> beams;
  for (const BeamInput& input : inputs)
    for (const auto& beam : input.beams)
      if (beam) beams.push_back(*beam);
  if (beams.empty())
    throw Error(ErrorKind::input,
                fmt::format("beam: {} no channel with a beam{}",
                            inputs.size() == 1 ? inputs[0].path + " has"
                                               : fmt::format("the {} files have", inputs.size()),
                            job.options.cutoff ? " within the cutoff" : ""));
  const Beam target =
      job.options.to.beam ? *job.options.to.beam : common_beam(beams, job.options.circular);
  for (const BeamInput& input : inputs)
    for (std::size_t plane = 0; plane < input.beams.size(); ++plane)
      if (input.beams[plane] && !deconvolve_beam(target, *input.beams[plane])) {
        const Beam& beam = *input.beams[plane];
        const Beam common = common_beam(beams, job.options.circular);
        throw Error(
            ErrorKind::usage,
            fmt::format("beam: {:.6g} x {:.6g} arcsec at {:.6g} degrees cannot be reached from "
                        "{:.6g} x {:.6g} at {:.6g} (plane {} of {}); the smallest that all can "
                        "reach is {:.6g},{:.6g},{:.6g} (--to common), and --cutoff leaves out "
                        "channels",
                        target.major, target.minor, target.angle, beam.major, beam.minor,
                        beam.angle, plane, input.path, common.major, common.minor, common.angle));
      }
  return target;
}

}  // namespace tessera
