#!/bin/bash
# A job of `qpu batch submit` in Slurm: runs qpu, the arguments of this script.
#
# Slurm starts a job again if its node fails, but not if the program is killed, as the kernel does when memory is short, or crashes.
# Then it starts again here, at once, on what is left; twice at most.
#
# Copyright (C) 2026 the gst-qpu authors
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
for start in 1 2 3; do
  status=0
  "$@" || status=$?
  case $status in
    # SIGABRT, SIGKILL and SIGSEGV.
    134 | 137 | 139) echo "slurm-job: start $start of 3 ended with status $status" >&2 ;;
    *) break ;;
  esac
done
exit "$status"
