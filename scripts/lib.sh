# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared by the scripts: stages with progress and times, and failing with one clear sentence.
# Sourced; the caller sets `stages` to their number and calls `stage NAME COMMAND…` for each.
set -euo pipefail
program=${0##*/} script=$(realpath "$0")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
logs=build/logs
stages=0 stage_number=0 stage_name="" stage_log="" stage_child=""
stage_limit=0  # seconds that a stage may take; 0: no limit
stage_table=() failed_stages=()
on_terminal=no
if [ -t 1 ]; then on_terminal=yes; fi

usage() {  # the comment at the head of the script
  sed -n '/^# SPDX/d; 2,/^[^#]/s/^# \{0,1\}//p' "$script"
}

fail() {
  trap - EXIT
  printf '%s: %s\n' "$program" "$1" >&2
  exit "${2:-1}"
}

on_exit() {
  local status=$?
  if [ -n "$stage_child" ]; then kill -TERM -- "-$stage_child" 2>/dev/null || true; fi
  [ "$status" -eq 0 ] && return
  [ "$status" -lt 128 ] || fail "stopped by a signal${stage_name:+ in the stage \"$stage_name\"}" "$status"
  fail "an unexpected error${stage_name:+ in the stage \"$stage_name\"; its log is $stage_log}" "$status"
}
trap on_exit EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

stage_place() { if [ "$stages" -gt 0 ]; then printf "[%d/%d] " "$stage_number" "$stages"; fi; }

# A line on the terminal that is overwritten: the stage, its seconds, the last line of its log.
show_progress() {
  local width=${COLUMNS:-$(tput cols 2>/dev/null || echo 80)}
  local line
  line="$(stage_place)$stage_name ($((SECONDS - stage_start)) s) "
  line+=$(tail -c 400 "$stage_log" 2>/dev/null | tr '\r' '\n' | tail -n 1 | tr -cd '[:print:]')
  printf '\r\e[K%s' "${line:0:$((width - 1))}"
}

# Seconds of processor time of this script's children that have ended; the kernel counts hundredths.
cpu_seconds() { awk '{ print ($16 + $17) / 100 }' "/proc/$$/stat"; }

begin_stage() {
  stage_name=$1
  stage_log=$logs/${1// /-}.log
  stage_start=$SECONDS
  stage_cpu_start=$(cpu_seconds)
  stage_number=$((stage_number + 1))
  mkdir -p "$logs"
  : >"$stage_log"
}

minutes_line() {  # minutes_line SECONDS CPU_SECONDS_BEFORE NAME
  awk -v s="$1" -v c="$(cpu_seconds)" -v b="$2" -v n="$3" 'BEGIN { printf "%8.1f %12.1f  %s", s / 60, (c - b) / 60, n }'
}

end_stage() {  # end_stage [STATUS]
  local seconds=$((SECONDS - stage_start)) note=""
  stage_table+=("$(minutes_line "$seconds" "$stage_cpu_start" "$stage_name")")
  # The result of a stage is the last line of its log that begins with "=> ".
  note=$(sed -n 's/^=> //p' "$stage_log" | tail -n 1)
  if [ "${1:-0}" -ne 0 ]; then note="failed${note:+, $note}"; fi
  if [ $on_terminal = yes ]; then printf '\r\e[K'; fi
  printf '%s%s (%d s)%s\n' "$(stage_place)" "$stage_name" "$seconds" "${note:+: $note}"
}

# Runs a command or function with its output in the log, and sets `status`. It is a separate process
# group, so that an interrupt ends all of it. Never call it in a condition: `set -e` would have no effect
# in the function that is run.
run_logged() {
  status=0
  set -m
  ("$@") </dev/null >>"$stage_log" 2>&1 &
  stage_child=$!
  set +m
  while kill -0 "$stage_child" 2>/dev/null; do
    if [ $on_terminal = yes ]; then show_progress; fi
    if [ "$stage_limit" -gt 0 ] && [ $((SECONDS - stage_start)) -ge "$stage_limit" ]; then
      echo "=> stopped after $stage_limit s, its limit" >>"$stage_log"
      kill -TERM -- "-$stage_child" 2>/dev/null || true
      break
    fi
    sleep 0.2
  done
  wait "$stage_child" 2>/dev/null || status=$?
  stage_child=""
}

show_log_end() {
  echo "--- the end of $stage_log"
  grep -v '^=> ' "$stage_log" | tail -n 30
  echo "---"
}

stage() {  # stage NAME COMMAND…: the script ends if it fails
  begin_stage "$1"
  shift
  local status
  run_logged "$@"
  end_stage "$status"
  [ "$status" -eq 0 ] && return
  show_log_end
  fail "the stage \"$stage_name\" failed; its log is $stage_log"
}

try_stage() {  # like stage, but the script goes on, and fail_if_a_stage_failed fails at the end
  begin_stage "$1"
  shift
  local status
  run_logged "$@"
  end_stage "$status"
  [ "$status" -eq 0 ] && return
  show_log_end
  failed_stages+=("$stage_name")
}

stage_times() {
  printf '\n minutes  CPU-minutes  stage\n'
  printf '%s\n' "${stage_table[@]}" "$(minutes_line "$SECONDS" 0 all)"
}

fail_if_a_stage_failed() {
  [ ${#failed_stages[@]} -eq 0 ] && return
  local list
  list=$(printf ', "%s"' "${failed_stages[@]}")
  fail "failed in ${list:2}; the logs are in $logs"
}
