#!/bin/sh
# Takes video from an RTSP server, and sends it filtered, as H.264, to an RTSP server. Ctrl-C ends it.
# use:   INPUT=rtsp://camera/stream OUTPUT=rtsp://server/filtered rtsp.sh; or: qpu transcode --as rtsp IN OUT
# needs: gstreamer1.0-plugins-base, gstreamer1.0-plugins-good, gstreamer1.0-plugins-ugly, gstreamer1.0-rtsp, a decoder for the
#        video, such as gstreamer1.0-libav, and a server that takes streams (RECORD)
# ENCODER (x264enc): the H.264 encoder, with its properties; PROPERTIES: properties of qpuloopfilter, such as alpha-offset=1
# GStreamer's RTP session sometimes does not report its end. gst-launch-1.0 then needs a second Ctrl-C; qpu waits only 2 seconds.
#
# Copyright (C) 2026 the gst-qpu authors
# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck disable=SC2086 # variables are split into words
exec ${GST_LAUNCH:-gst-launch-1.0} -e \
  rtspsrc location="${INPUT:?is not set: an address, such as rtsp://camera/stream}" latency=200 \
  ! application/x-rtp,media=video ! queue max-size-buffers=0 max-size-time=0 max-size-bytes=67108864 \
  ! decodebin ! queue ! videoconvert ! qpuloopfilter name=qpu ${PROPERTIES:-} ! videoconvert \
  ! ${ENCODER:-x264enc tune=zerolatency speed-preset=veryfast key-int-max=50} \
  ! rtspclientsink location="${OUTPUT:?is not set: an address, such as rtsp://server/filtered}"
