#!/bin/sh
# Plays a file or an address in a window, with its sound.
# use:   INPUT=file:///home/me/video.mp4 play.sh; or: qpu play video.mp4
# needs: gstreamer1.0-plugins-base, gstreamer1.0-plugins-good and a decoder for the video, such as gstreamer1.0-libav
# SINK (autovideosink), AUDIO_SINK (autoaudiosink): where pictures and sound go; PROPERTIES: properties of qpuloopfilter, such as qp=36
# OVERLAY (identity): an element that writes into the filtered pictures
#
# Copyright (C) 2026 the gst-qpu authors
# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck disable=SC2086 # variables are split into words
exec ${GST_LAUNCH:-gst-launch-1.0} -e \
  playbin uri="${INPUT:?is not set: an address, such as file:///home/me/video.mp4}" \
  video-filter="capssetter name=colours caps=video/x-raw ! videoconvert ! videoflip video-direction=auto ! videoconvert ! qpuloopfilter name=qpu ${PROPERTIES:-} ! ${OVERLAY:-identity} ! videoconvert" \
  video-sink="${SINK:-autovideosink}" audio-sink="${AUDIO_SINK:-autoaudiosink}"
