#!/bin/sh
# Shows a live camera in a window. If the filter is slower than the camera, pictures are dropped.
# use:   INPUT=/dev/video0 camera.sh; or: qpu play --as camera /dev/video0
# needs: gstreamer1.0-plugins-base, gstreamer1.0-plugins-good and a V4L2 camera
# SINK (autovideosink): where the pictures go; PROPERTIES: properties of qpuloopfilter, such as qp=36
# OVERLAY (identity): an element that writes into the filtered pictures
#
# Copyright (C) 2026 the gst-qpu authors
# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck disable=SC2086 # variables are split into words
exec ${GST_LAUNCH:-gst-launch-1.0} -e \
  v4l2src device="${INPUT:-/dev/video0}" ! 'video/x-raw;image/jpeg' ! decodebin \
  ! queue max-size-buffers=1 leaky=downstream ! videoconvert \
  ! qpuloopfilter name=qpu ${PROPERTIES:-} ! ${OVERLAY:-identity} ! videoconvert ! ${SINK:-autovideosink}
