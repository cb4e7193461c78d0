#!/bin/sh
# Compares without a screen: writes one PNG for each second of video, with the left half unfiltered and the right half filtered.
# use:   INPUT=file:///home/me/video.mp4 OUTPUT=compare-%03d.png compare.sh; or: qpu transcode --as compare IN OUT
# needs: gstreamer1.0-plugins-base, gstreamer1.0-plugins-good and a decoder for the video, such as gstreamer1.0-libav
# PROPERTIES: properties of qpuloopfilter, such as qp=36
#
# Copyright (C) 2026 the gst-qpu authors
# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck disable=SC2086 # variables are split into words
exec ${GST_LAUNCH:-gst-launch-1.0} -e \
  uridecodebin uri="${INPUT:?is not set: an address, such as file:///home/me/video.mp4}" ! videoconvert \
  ! qpuloopfilter name=qpu split-view=0.5 ${PROPERTIES:-} ! videorate drop-only=true ! video/x-raw,framerate=1/1 \
  ! videoconvert ! pngenc ! multifilesink location="${OUTPUT:?is not set: files to write, such as compare-%03d.png}"
