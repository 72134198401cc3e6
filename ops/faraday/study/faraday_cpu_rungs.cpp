// SPDX-License-Identifier: Apache-2.0
// The talk's CPU programs: loops by hand, loops with a better layout, and BLAS.
#include "ops/faraday/study/faraday_rungs.hpp"
#include "ops/faraday/study/plain_blas.hpp"
#include "study/study_threads.hpp"

namespace tessera {
namespace {

template <class T>
PlainSynth<T> plain_of(const FaradayCase& c, const FaradayRoom& room,
                       const std::vector<std::complex<T>>& turns) {
  return {static_cast<const std::complex<T>*>(room.given),
          turns.data(),
          static_cast<std::complex<T>*>(room.made),
          c.pixels(),
          c.axes().channels(),
          c.axes().depths()};
}

template <class T>
PreparedRung prepare_plain(const FaradayCase& c, Stream& stream,
                           void (*run)(const PlainSynth<T>&)) {
  const FaradayRoom& room = c.room(TypeOf<T>::value, FaradayForm::pixels, false, stream);
  PreparedRung rung = described_faraday(c, room.type);
  rung.run = [&c, &room, run, turns = turns_as<T>(c)](Stream&) { run(plain_of(c, room, turns)); };
  return rung;
}

/// On that many threads, or on those of its stream if it is 0.
template <class T>
PreparedRung prepare_layout(const FaradayCase& c, Stream& stream, int threads) {
  const FaradayRoom& room = c.room(TypeOf<T>::value, FaradayForm::planes, false, stream);
  PreparedRung rung = described_faraday(c, room.type);
  rung.run = [&c, &room, threads, turns = turns_as<T>(c)](Stream& on) {
    layout_synth(PlaneSynth<T>{room.q.as<const T>().data, room.u.as<const T>().data, turns.data(),
                               room.real.as<T>().data, room.imaginary.as<T>().data, c.pixels(),
                               c.axes().channels(), c.axes().depths()},
                 threads > 0 ? threads : on.threads());
  };
  return rung;
}

/// A product for each row of pixels, as in the talk.
template <class T>
PreparedRung prepare_rows(const FaradayCase& c, Stream& stream) {
  if (std::string reason = why_no_plain_blas(); !reason.empty()) return {.absent = reason};
  const FaradayRoom& room = c.room(TypeOf<T>::value, FaradayForm::pixels, false, stream);
  PreparedRung rung = described_faraday(c, room.type);
  rung.run = [&c, &room, turns = turns_as<T>(c)](Stream&) {
    PlainSynth<T> row = plain_of(c, room, turns);
    row.pixels = c.side();
    for (int y = 0; y < c.side(); ++y) {
      blas_synth(row);
      row.given += 1LL * row.pixels * row.channels;
      row.made += 1LL * row.pixels * row.depths;
    }
  };
  return rung;
}

template <class T>
PreparedRung prepare_stacked_on_cpu(const FaradayCase& c, Stream& stream) {
  if (std::string reason = why_no_plain_blas(); !reason.empty()) return {.absent = reason};
  const FaradayRoom& room = c.room(TypeOf<T>::value, FaradayForm::planes, false, stream);
  PreparedRung rung = described_faraday(c, room.type);
  rung.run = [&c, &room, matrix = real_matrix<T>(c)](Stream&) {
    stacked_synth(StackedSynth<T>{static_cast<const T*>(room.given), matrix.data(),
                                  static_cast<T*>(room.made), c.pixels(), c.axes().channels(),
                                  c.axes().depths()});
  };
  return rung;
}

/// `prepare` is a template over the type of numbers.
template <class Prepare>
void add(std::vector<FaradayRung>& rungs, const std::string& id, const std::string& title,
         const std::vector<std::string>& files, Prepare prepare) {
  add_faraday_rungs(rungs, id, title, files, [prepare](const FaradayCase& c, Type type, Stream& s) {
    return type == Type::f64 ? prepare.template operator()<double>(c, s)
                             : prepare.template operator()<float>(c, s);
  });
}

std::vector<FaradayRung> make_cpu_rungs() {
  std::vector<FaradayRung> rungs;
  add(rungs, "cpu.naive", "four loops, one thread", {faraday_ladder_file("plain_synth.")},
      []<class T>(const FaradayCase& c, Stream& s) {
        return prepare_plain<T>(c, s, plain_synth<T>);
      });
  const std::vector<std::string> layout{faraday_ladder_file("plain_layout.")};
  add(rungs, "cpu.layout", "planes and tiles, one thread", layout,
      []<class T>(const FaradayCase& c, Stream& s) { return prepare_layout<T>(c, s, 1); });
  add(rungs, "cpu.threads", "planes and tiles, all threads", layout,
      []<class T>(const FaradayCase& c, Stream& s) { return prepare_layout<T>(c, s, 0); });
  for (FaradayRung& rung : rungs) rung.threaded = rung.id.starts_with("cpu.threads.");
  const std::vector<std::string> blas{faraday_ladder_file("plain_blas.cpp")};
  add(rungs, "cpu.blas.rows", "CBLAS, a complex product for each y", blas,
      []<class T>(const FaradayCase& c, Stream& s) { return prepare_rows<T>(c, s); });
  add(rungs, "cpu.blas", "CBLAS, one complex product", blas,
      []<class T>(const FaradayCase& c, Stream& s) {
        if (std::string reason = why_no_plain_blas(); !reason.empty())
          return PreparedRung{.absent = reason};
        return prepare_plain<T>(c, s, blas_synth);
      });
  add(rungs, "cpu.blas.stacked", "CBLAS, one real product", blas,
      []<class T>(const FaradayCase& c, Stream& s) { return prepare_stacked_on_cpu<T>(c, s); });
  for (FaradayRung& ours : our_faraday_rungs(Backend::cpu)) rungs.push_back(std::move(ours));
  return rungs;
}

}  // namespace

PreparedRung described_faraday(const FaradayCase& c, Type type, PreparedRung rung) {
  rung.flops = c.flops();
  rung.bytes = c.bytes(type);
  return rung;
}

bool is_of_one_thread_faraday(const std::string& rung) {
  return rung.starts_with("cpu.naive.") || rung.starts_with("cpu.layout.");
}

const std::vector<FaradayRung>& faraday_cpu_rungs() { return rungs_by_threads(make_cpu_rungs); }

}  // namespace tessera
