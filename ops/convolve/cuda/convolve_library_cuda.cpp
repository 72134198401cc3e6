// SPDX-License-Identifier: Apache-2.0
// cuFFT on whole planes: for explicit requests and comparisons, and for filters larger than tiles.
#include <fmt/format.h>

#include "core/device_fft.hpp"
#include "ops/convolve/convolve_tiles.hpp"
#include "ops/convolve/cuda/convolve_any_cuda.hpp"
#include "ops/convolve/cuda/convolve_library_args.cuh"

namespace tessera {
namespace {

/// The next product of powers of 2, 3, 5 and 7: sizes at which cuFFT is fast.
int smooth_from(int n) {
  for (;; ++n) {
    int rest = n;
    for (const int factor : {2, 3, 5, 7})
      while (rest % factor == 0) rest /= factor;
    if (rest == 1) return n;
  }
}

template <class T>
class LibraryCuda : public ConvolveCudaRunner {
 public:
  LibraryCuda(const ConvolveProblem& p, int (*padded)(int))
      : ConvolveCudaRunner(p),
        width_(padded(p.output.size.width + p.filter_width - 1)),
        height_(padded(p.output.size.height + p.filter_height - 1)),
        any_(p),
        fft_(make_device_fft(p.device, height_, width_, p.sums)),
        spectrum_(make_spectrum(p)) {}

  std::string describe() const override {
    return fmt::format("device {}, cuFFT on {}x{}", problem().device, width_, height_);
  }
  int row_step() const override { return std::max(1, problem().output.size.height); }
  double error_factor() const override {  // radices 3, 5 and 7 have larger rounding errors
    return 2 * fft_error_factor(problem(), {width_, height_}, inside_prefix(problem()));
  }

 protected:
  void launch(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    // Each strip transforms the whole plane, so that strips change no bit.
    LibraryArgs<T> args{};
    fill(args, in, out);
    const Rows wanted = args.made;
    args.padded_width = width_;
    args.padded_height = height_;
    const Scratch real = stream.scratch(real_bytes()), complex = stream.scratch(complex_bytes()),
                  found = stream.scratch(sizeof(int));
    const float zero = 0;
    device_stream(stream).copy(packed(&zero, Size{1}),
                               packed(found.as<float>(), Size{1}, stream.device()));
    args.real = real.as<T>();
    args.complex = complex.as<T>();
    args.spectrum = spectrum_->template as<T>();
    args.found = found.as<int>();
    for (args.plane = 0; args.plane < out.view.size.planes; ++args.plane)
      for (args.channel = 0; args.channel < args.channels; ++args.channel) {
        args.made = {0, problem().output.size.height};
        step("pad_" + std::string(name_of(problem().image.type)), reals(), args, stream);
        fft_->forward(stream, args.real, args.complex);
        step("multiply", complexes(), args, stream);
        fft_->inverse(stream, args.complex, args.real);
        take(args, wanted, stream);
      }
    DirectArgs<T> direct{};
    fill(direct, in, out);
    any_.launch(direct, in, out, found.as<int>(), stream);
    spectrum_->used_by(stream);
  }

 private:
  long long reals() const { return 1LL * width_ * height_; }
  long long complexes() const { return 1LL * (width_ / 2 + 1) * height_; }
  std::size_t real_bytes() const { return static_cast<std::size_t>(reals()) * sizeof(T); }
  std::size_t complex_bytes() const {
    return static_cast<std::size_t>(complexes()) * 2 * sizeof(T);
  }

  void step(const std::string& what, long long values, const LibraryArgs<T>& args,
            Stream& stream) const {
    find_kernel(problem().device,
                {"convolve_library", fmt::format("{}_{}", what, name_of(problem().sums)), "", ""})
        .launch(stream, {blocks_for(values, kLibraryThreads)}, {kLibraryThreads}, 0, args);
  }

  /// The results of the wanted rows, which begin further down in the plane.
  void take(LibraryArgs<T> args, Rows wanted, Stream& stream) const {
    args.real += 1LL * wanted.first * width_;
    args.made = wanted;
    step("take_" + std::string(name_of(problem().output.type)),
         1LL * args.out_width * wanted.count(), args, stream);
  }

  std::unique_ptr<const Resident> make_spectrum(const ConvolveProblem& p) const {
    Stream stream(p.device);
    const Resident weights(p.device, std::vector<T>(p.weights.begin(), p.weights.end()));
    const Scratch real = stream.scratch(real_bytes());
    Scratch complex = stream.scratch(complex_bytes());
    LibraryArgs<T> args{};
    args.filter_width = p.filter_width;
    args.filter_height = p.filter_height;
    args.padded_width = width_;
    args.padded_height = height_;
    args.real = real.as<T>();
    args.weights = weights.template as<T>();
    step("filter", reals(), args, stream);
    fft_->forward(stream, args.real, complex.data());
    weights.used_by(stream);
    return std::make_unique<Resident>(stream, std::move(complex));
  }

  int width_, height_;
  AnyFilterKernel<T> any_;
  std::unique_ptr<const DeviceFft> fft_;
  std::unique_ptr<const Resident> spectrum_;
};

}  // namespace

std::string why_no_fft_library_on_device(const ConvolveProblem& p) {
  constexpr long long kMostValues = 1LL << 31;
  const long long width = p.output.size.width + p.filter_width - 1LL,
                  height = p.output.size.height + p.filter_height - 1LL;
  if (p.output.size.empty()) return "the output is empty";
  if (width * height >= kMostValues)
    return fmt::format("a plane of {}x{} is too large for one transform", width, height);
  return why_no_device_fft();
}

std::unique_ptr<const ConvolveRunner> make_convolve_fft_library_cuda(
    const ConvolveProblem& problem) {
  return make_convolve_fft_library_padded(problem, smooth_from);
}

std::unique_ptr<const ConvolveRunner> make_convolve_fft_library_padded(
    const ConvolveProblem& problem, int (*padded)(int)) {
  if (problem.sums == Type::f64) return std::make_unique<LibraryCuda<double>>(problem, padded);
  return std::make_unique<LibraryCuda<float>>(problem, padded);
}

}  // namespace tessera
