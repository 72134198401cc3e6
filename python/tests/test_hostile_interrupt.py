# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C ends every long call soon, nothing is left half written, and everything works afterwards."""
import pytest
from hostile import check_alone

BEGIN = """
rng = np.random.default_rng(1)
image = rng.uniform(0, 200, (3000, 4000)).astype("f4")
bytes_ = rng.integers(0, 255, (3000, 4000)).astype("u1")

signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background would ignore it

def interrupt_later(seconds):
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()

def check_interrupted(call, seconds=0.5):
    interrupt_later(seconds)
    try:
        call()
    except KeyboardInterrupt:
        return
    raise SystemExit("the call was not interrupted")

small = rng.uniform(0, 200, (60, 80)).astype("f4")
expected = tessera.convolve(small, "gauss:2")
"""
END = """
assert np.array_equal(tessera.convolve(small, "gauss:2"), expected)
"""

# Each would run for half a minute and more.
CALLS = {
    "convolve": "tessera.convolve(image, rng.uniform(size=(301, 301)), method='direct', backend='cpu', threads=2)",
    "one thread": "tessera.convolve(image, rng.uniform(size=(301, 301)), method='direct', backend='cpu', threads=1)",
    "reference": "tessera.convolve(image, rng.uniform(size=(101, 101)), method='reference', backend='cpu')",
    "a plan": "tessera.Convolve(image.shape, 'f4', rng.uniform(size=(301, 301)), method='direct', backend='cpu',"
              " threads=2)(image)",
    "correlate": "tessera.correlate(image, max_shift=1000, method='direct', backend='cpu', threads=2)",
    "noise": "tessera.noise(image, box=200, method='reference', backend='cpu')",
    "faraday_synth": "tessera.faraday_synth(*[image[:300].reshape(300, 40, 100)] * 2, np.linspace(1e9, 2e9, 300),"
                     " phi_max=10000, dphi=1, method='reference', backend='cpu', threads=2)",
    "faraday_rmsf": "tessera.faraday_rmsf(tessera.faraday_axes(np.linspace(1e9, 2e9, 20000), phi_max=1e5, dphi=1))",
    "xengine": "tessera.xengine(rng.integers(-7, 7, (1 << 16, 2, 128, 2, 2)).astype('i1'), method='reference',"
               " backend='cpu', threads=2)",
}


@pytest.mark.parametrize("name", CALLS)
def test_long_calls_are_interrupted(name):
    check_alone(f"{BEGIN}\ncheck_interrupted(lambda: {CALLS[name]})\n{END}", timeout=120)


def test_what_a_handler_raises_comes_out():
    check_alone(f"""{BEGIN}
class Enough(Exception): pass
def enough(number, frame): raise Enough
signal.signal(signal.SIGALRM, enough)
signal.setitimer(signal.ITIMER_REAL, 0.3)
try:
    {CALLS["convolve"]}
except Enough: pass
else: raise SystemExit("not interrupted")
{END}""", timeout=120)


def test_a_handler_that_does_not_raise_does_not_end_the_call():
    check_alone(BEGIN + """
seen = []
signal.signal(signal.SIGINT, lambda number, frame: seen.append(tessera.convolve(small, "gauss:2")))
filter = rng.uniform(size=(31, 31))
part = image[:60, :2000]
wanted = tessera.convolve(part, filter, method="reference", backend="cpu", threads=1)
interrupt_later(0.1)
assert np.array_equal(tessera.convolve(part, filter, method="reference", backend="cpu", threads=1), wanted)
assert len(seen) == 1 and np.array_equal(seen[0], expected)
""" + END)


def test_other_threads_are_not_interrupted():
    check_alone(BEGIN + """
results, done, interrupted = [], threading.Event(), 0
def work():
    results.append(tessera.convolve(image[:60, :2000], rng.uniform(size=(31, 31)), method="reference", backend="cpu"))
    done.set()
threading.Thread(target=work).start()
interrupt_later(0.1)
while not done.is_set() or not interrupted:
    try:
        time.sleep(0.01)
    except KeyboardInterrupt:
        interrupted += 1
assert len(results) == 1 and np.isfinite(results[0]).all()
""" + END)


@pytest.mark.parametrize("name", ["old.npy", "old.png", "old.tif", "old.fits"])
def test_files_are_old_or_whole(tmp_path, name):
    check_alone(BEGIN + """
path = sys.argv[1]
whole = rng.integers(0, 255, (12000, 8000)).astype("u1")
try:
    tessera.write(path, whole[:10])
except Exception as error:
    assert "which this build lacks" in str(error), error
    raise SystemExit(0)
for delay in (0.02, 0.1, 0.3):
    interrupt_later(delay)
    try:
        tessera.write(path, whole, force=True)
        time.sleep(2)  # the signal comes at the latest now
    except KeyboardInterrupt: pass
    assert os.listdir(os.path.dirname(path)) == [os.path.basename(path)]
    assert len(tessera.read(path)) in (10, 12000)
    try:
        interrupt_later(delay)
        tessera.read(path)
        time.sleep(2)
    except KeyboardInterrupt: pass
""" + END, tmp_path / name, timeout=300)


def test_sums_and_films_know_that_they_were_interrupted():
    check_alone(BEGIN + """
voltages = rng.integers(-7, 7, (1 << 17, 4, 64, 2, 2)).astype("i1")
engine = tessera.XEngine(64, 2, 4, threads=1)
def add_for_ever():
    while True: engine.add(voltages)
check_interrupted(add_for_ever)
try:
    engine.add(voltages[:64])
except ValueError as error:
    assert "interrupted" in str(error), error
    engine.clear()
engine.clear()
engine.add(voltages[:64])
assert np.array_equal(engine.dump(), tessera.xengine(voltages[:64]))

film = rng.integers(0, 255, (3, 480, 640)).astype("u1")
cells = tessera.Cells((480, 640), "uint8", background="still")
def give_for_ever():
    while True:
        for frame in film: cells.add(frame)
check_interrupted(give_for_ever)
try:
    cells.tracks()
except ValueError as error:
    assert "interrupted" in str(error), error
""" + END, timeout=300)
