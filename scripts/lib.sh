# SPDX-License-Identifier: Apache-2.0
# What the scripts share: stages with progress and times, and failing with one clear sentence.
# Sourced; the caller sets `stages` to their number and calls `stage NAME COMMAND…` for each.
set -euo pipefail
program=${0##*/} script=$(realpath "$0")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
logs=build/logs
stages=0 stage_number=0 stage_name="" stage_log="" stage_child=""
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

# A line on the terminal that is overwritten: the stage, its seconds, the last line of its log.
show_progress() {
  local width=${COLUMNS:-$(tput cols 2>/dev/null || echo 80)}
  local line="[$stage_number/$stages] $stage_name ($((SECONDS - stage_start)) s) "
  line+=$(tail -c 400 "$stage_log" 2>/dev/null | tr '\r' '\n' | tail -n 1 | tr -cd '[:print:]')
  printf '\r\e[K%s' "${line:0:$((width - 1))}"
}

begin_stage() {
  stage_name=$1
  stage_log=$logs/${1// /-}.log
  stage_start=$SECONDS
  stage_number=$((stage_number + 1))
  stage_note=""
  mkdir -p "$logs"
  : >"$stage_log"
}

end_stage() {
  local seconds=$((SECONDS - stage_start)) note=""
  stage_table+=("$(awk -v s="$seconds" -v n="$stage_name" 'BEGIN { printf "%8.1f  %s", s / 60, n }')")
  # A stage says what came out of it in the last line of its log that begins with "=> ".
  note=$(sed -n 's/^=> //p' "$stage_log" | tail -n 1)
  if [ $on_terminal = yes ]; then printf '\r\e[K'; fi
  printf '[%d/%d] %s (%d s)%s\n' "$stage_number" "$stages" "$stage_name" "$seconds" "${note:+: $note}"
}

# Runs a command or function, output in its log. It is a process group of its own, so that an
# interrupt ends all of it, and `set -e` holds in it although its status is looked at.
run_logged() {
  local status=0
  set -m
  (set -e; "$@") </dev/null >>"$stage_log" 2>&1 &
  stage_child=$!
  set +m
  if [ $on_terminal = yes ]; then
    while kill -0 "$stage_child" 2>/dev/null; do show_progress; sleep 0.3; done
  fi
  wait "$stage_child" || status=$?
  stage_child=""
  return $status
}

show_log_end() {
  echo "--- the end of $stage_log"
  grep -v '^=> ' "$stage_log" | tail -n 30
  echo "---"
}

stage() {  # stage NAME COMMAND…: the script ends when it fails
  begin_stage "$1"
  shift
  local status=0
  run_logged "$@" || status=$?
  end_stage
  [ "$status" -eq 0 ] && return
  show_log_end
  fail "the stage \"$stage_name\" failed; its log is $stage_log"
}

try_stage() {  # as stage, but the script goes on and `end_of_stages` fails
  begin_stage "$1"
  shift
  local status=0
  run_logged "$@" || status=$?
  end_stage
  [ "$status" -eq 0 ] && return
  show_log_end
  failed_stages+=("$stage_name")
}

stage_times() {
  printf '\n minutes  stage\n'
  printf '%s\n' "${stage_table[@]}"
  awk -v s="$SECONDS" 'BEGIN { printf "%8.1f  all\n", s / 60 }'
}

fail_if_a_stage_failed() {
  [ ${#failed_stages[@]} -eq 0 ] && return
  local list
  list=$(printf ', "%s"' "${failed_stages[@]}")
  fail "failed in ${list:2}; the logs are in $logs"
}
