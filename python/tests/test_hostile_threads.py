# SPDX-License-Identifier: Apache-2.0
"""Many Python threads at once, objects that go away during a call, and an interpreter that ends during one."""
import pytest
from hostile import check_alone, run_alone

BEGIN = """
rng = np.random.default_rng(1)
image = rng.uniform(0, 200, (400, 500)).astype("f4")
weights = rng.uniform(size=(41, 41))
"""


def test_many_threads_share_stateful_objects():
    check_alone(BEGIN + """
from concurrent.futures import ThreadPoolExecutor
voltages = rng.integers(-7, 7, (64, 4, 8, 2, 2)).astype("i1")
engine = tessera.XEngine(8, 2, 4)
film = rng.integers(0, 255, (10, 96, 128)).astype("u1")
cells = tessera.Cells((96, 128), "uint8")
def work(number):
    engine.add(voltages)
    cells.add(film[number % 10])
    cells.frames_given, cells.frames_done, cells.describe(), engine.samples, engine.describe()
    return cells.tracks()
with ThreadPoolExecutor(8) as pool:
    list(pool.map(work, range(64)))
assert engine.samples == 64 * 64 and cells.frames_given == 64
assert np.array_equal(engine.dump(), 64 * tessera.xengine(voltages))
cells.finish()
""", timeout=300)


def test_objects_may_go_away_during_a_call():
    check_alone(BEGIN + """
expected = tessera.convolve(image, weights)
def forget(holder):
    time.sleep(0.005)
    holder.clear()
calls = 0
for _ in range(20):
    holder = {"plan": tessera.Convolve(image.shape, image.dtype, weights), "image": image.copy()}
    other = threading.Thread(target=forget, args=(holder,))
    other.start()
    try:
        assert np.array_equal(holder["plan"](holder["image"]), expected)
        calls += 1
    except KeyError:
        pass  # forgotten before the call began, on a busy machine
    other.join()
assert calls > 0
""")


@pytest.mark.parametrize("call", [
    "tessera.convolve(image, weights, method='reference', backend='cpu')",
    "tessera.convolve(image, 'gauss:1')",
    "tessera.noise(image, box=16)",
    "tessera.read(__import__('sys').argv[1])",
], ids=["long", "short", "noise", "read"])
def test_the_interpreter_may_end_during_a_call_of_a_daemon_thread(tmp_path, call):
    for _ in range(3):
        done = run_alone(BEGIN + f"""
tessera.write(sys.argv[1], image, force=True)
def work():
    while True: {call}
for _ in range(3): threading.Thread(target=work, daemon=True).start()
time.sleep(0.3)
print("ends", flush=True)
""", tmp_path / "a.npy")
        assert (done.returncode, done.stdout) == (0, "ends\n"), done.stderr[-4000:]


def test_sys_exit_in_the_middle():
    done = run_alone(BEGIN + """
threading.Timer(0.3, os._exit, (7,)).start()
while True: tessera.convolve(image, weights)
""")
    assert done.returncode == 7, done.stderr[-4000:]
