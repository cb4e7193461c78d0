# Copyright (C) 2026 the gst-qpu authors
# SPDX-License-Identifier: LGPL-2.1-or-later

# shellcheck shell=bash disable=SC2034 # who sources it uses the variables
# Shared by the scripts of the rig: the folder in which its parts are kept between runs, and functions that get Debian's packages.

rig=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/gst-qpu/rig
arch=$(uname -m)

say() { echo "rig: $*"; }
die() { echo "rig: $*" >&2; exit 1; }

# place NAME FILE…: prints the path of a part that is made from these files. The path changes with their content.
place() {
  local name=$1; shift
  echo "$cache/$name-$(cd "$rig" && cat "$@" | sha256sum | cut -c 1-12)"
}

kernel=$(place linux build-kernel kernel.config)
root=$(place root build-root packages init)

# need COMMAND:PACKAGE…: ends the script if a command is not installed.
need() {
  local item missing=()
  for item in "$@"; do command -v "${item%%:*}" >/dev/null || missing+=("${item#*:}"); done
  [ ${#missing[@]} -eq 0 ] || die "the rig cannot be built, packages are missing: apt-get install ${missing[*]}"
}

# Lets one script at a time write to the cache; the others wait.
lock_cache() {
  mkdir -p "$cache"
  exec 9>"$cache/lock"
  flock -n 9 || { say "waiting for another build of the rig to end"; flock 9; }
}

# Removes parts that were not used for a week. `run` sets the date of the parts that it uses.
prune_cache() { find "$cache" -mindepth 1 -maxdepth 1 ! -name lock -mtime +7 -exec rm -rf {} +; }

# debian_packages SUITE…: reads the package lists of these suites from the machine's Debian mirror, and sets `apt_options`. With
# these options apt-get and apt-cache know only these lists, and treat every package as not installed. The machine's own packages
# stay untouched, and root is not needed.
debian_packages() {
  local home=$cache/apt mirror suite
  # shellcheck disable=SC2016 # apt expands it
  mirror=${RIG_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' | awk '/\/debian\/$/ && !found++')}
  [ -n "$mirror" ] || die "the rig cannot be built: apt knows no Debian mirror; name one with RIG_MIRROR"
  [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] \
    || die "the rig cannot be built: apt-get install debian-archive-keyring"
  mkdir -p "$home"/{lists,archives}/partial
  : >"$home/status"
  for suite in "$@"; do
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main"
  done >"$home/sources.list"
  # A mirror may be a snapshot, whose package lists are out of date by design. Their signature is still checked.
  apt_options=(-q -o Acquire::Check-Valid-Until=false -o APT::Architecture=amd64 -o APT::Architectures=amd64 -o APT::Install-Recommends=false
    -o APT::Sandbox::User=root -o Dpkg::Use-Pty=0 -o Acquire::Retries=3
    -o Dir::Etc::SourceList="$home/sources.list" -o Dir::Etc::SourceParts=- -o Dir::Etc::Preferences=-
    -o Dir::Etc::PreferencesParts=- -o Dir::State="$home" -o Dir::State::Status="$home/status"
    -o Dir::Cache="$home" -o Dir::Cache::Archives="$home/archives")
  apt-get "${apt_options[@]}" update >"$home/log" 2>&1 || { tail -5 "$home/log" >&2; die "no package lists from $mirror"; }
}
