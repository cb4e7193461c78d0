#!/bin/sh
# Plays HEVC on a Raspberry Pi 5 without a copy: its decoder writes pictures in columns (SAND) into dmabufs, which the filter imports.
# use:   INPUT=file:///home/me/video.mkv hevc-pi5.sh, on a console without a desktop; or: qpu play --as hevc-pi5 video.mkv
# needs: gstreamer1.0-plugins-base, gstreamer1.0-plugins-good, gstreamer1.0-plugins-bad (1.24 or newer), the Linux kernel's HEVC decoder
# SINK (kmssink): where the pictures go; PROPERTIES: properties of qpuloopfilter, such as alpha-offset=1
#
# Copyright (C) 2026 the gst-qpu authors
# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck disable=SC2086 # variables are split into words
exec ${GST_LAUNCH:-gst-launch-1.0} -e \
  urisourcebin uri="${INPUT:?is not set: an address, such as file:///home/me/video.mkv, of a Matroska, MP4 or MPEG-TS file with HEVC}" \
  ! parsebin ! h265parse ! v4l2slh265dec \
  ! 'video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format={NV12:0x0700000000000004,P030:0x0700000000000004}' \
  ! qpuloopfilter name=qpu substrate=qpu require-zero-copy=true ${PROPERTIES:-} ! ${SINK:-kmssink}
