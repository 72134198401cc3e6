# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154  # lib.sh sets stage_log
# The stages that scripts/demo and scripts/test share. Sourced after lib.sh. Each is fast if there is
# nothing to do.
venv=build/venv
tool=build/tessera
python=$venv/bin/python

# In the foreground: sudo may ask for a password.
packages_stage() {
  begin_stage packages
  scripts/packages --log "$stage_log" || fail "the packages could not be installed; the log is $stage_log"
  end_stage
}

# The system's Python is preferred to one that a version manager put on PATH: it has the headers and venv.
find_python() {
  local python
  for python in /usr/bin/python3 "$(command -v python3 || true)"; do
    if "$python" -c 'import ensurepip, venv' 2>/dev/null; then echo "$python"; return; fi
  done
  fail "no python3 with the venv module; install python3-venv"
}

python_environment() {
  local python wanted
  python=$(find_python)
  wanted=$({ "$python" --version; cat scripts/requirements*.txt; } | sha256sum)
  if [ -x $venv/bin/pip ] && [ "$(cat $venv/requirements.stamp 2>/dev/null)" = "$wanted" ]; then return; fi
  "$python" -m venv --clear $venv
  $venv/bin/pip install --disable-pip-version-check --progress-bar off -r scripts/requirements.txt
  $venv/bin/pip install --disable-pip-version-check --progress-bar off --no-deps -r scripts/requirements-alone.txt
  echo "$wanted" >$venv/requirements.stamp
}

configure_and_build() {  # configure_and_build PRESET [TARGET…]: all targets if none is named
  cmake --preset "$1"
  shift
  if grep -Eq '^TESSERA_(NVCC:.*NOTFOUND|CUDA:.*=OFF)$' build/CMakeCache.txt
  then echo "=> for the CPU only"; else echo "=> with CUDA"; fi
  if [ $# -gt 0 ]; then cmake --build build --target "$@"; else cmake --build build; fi
}

# The module links the libraries already built, so it is installed again when they or its own files
# are newer.
python_module() {
  local stamp=$venv/module.stamp
  if [ -e $stamp ] && [ -z "$(find build/*.a python pyproject.toml VERSION -newer $stamp -type f -not -name '*.pyc')" ]
  then return; fi
  $venv/bin/pip install --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall \
    --config-settings=cmake.define.tessera_DIR="$PWD/build" .
  (cd / && "$OLDPWD/$python" -c 'import tessera; print("=> tessera", tessera.__version__)')
  touch $stamp
}

info_of() {  # info_of EXPRESSION: evaluated with `tessera info --json` as `info`, one value per line
  $tool info --json | $python -c "import json, sys; info = json.load(sys.stdin); print('\n'.join(map(str, $1)))"
}
has_device() { [ -n "$(info_of 'info["devices"]')" ]; }
