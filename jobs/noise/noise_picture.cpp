// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_picture.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "io/header_cards.hpp"
#include "report/noise_plot.hpp"

namespace tessera {
namespace {

std::string panel_name(const NoiseProduct& product) {
  if (product.name == "bkg") return "background";
  if (product.name == "rms") return "noise";
  if (product.name == "snr") return "signal over noise";
  return "quantile " + product.name.substr(1) + "%";
}

}  // namespace

Picture draw_noise_picture(const NoisePicture& what) {
  const Size size = what.input.info().size;
  const HeaderCards header(what.input.file().header());
  const std::string unit = header.text("BUNIT");
  std::vector<PlottedPanel> panels{{"image", unit, what.small.means(-1)}};
  for (const NoiseProduct& product : what.products)
    panels.push_back(
        {panel_name(product), product.name == "snr" ? "" : unit, what.small.means(product.plane)});
  const PanelFrame frame{what.small.width(), what.small.height(), size.width, size.height,
                         what.input.file().format() == "FITS"};
  const std::string name = std::filesystem::path(what.input.name()).filename().string();
  return draw_picture(plot_panels(fmt::format("{}, {}x{}", name, size.width, size.height), frame,
                                  panels, picture_format(what.path)),
                      what.path, what.force);
}

}  // namespace tessera
