#!/bin/sh
# Records a security camera, which sends MJPEG over HTTP, as H.264 in a Matroska file. Ctrl-C ends it.
# use:   INPUT=http://192.168.1.20/video.mjpg OUTPUT=door.mkv security-camera.sh; or: qpu transcode --as security-camera IN OUT
# needs: gstreamer1.0-plugins-base, gstreamer1.0-plugins-good, gstreamer1.0-plugins-bad, gstreamer1.0-plugins-ugly
# ENCODER (x264enc): the H.264 encoder, with its properties; PROPERTIES: properties of qpuloopfilter, such as alpha-offset=1
# SPLITTER (multipartdemux): what finds the pictures; jpegparse finds those of a stream without a boundary before its first picture
# The first queue takes what the camera sends while the rest starts. Pictures that come at once have one time: jpegdec adds 10 us to
# each, ten ticks of the file. No B pictures: with such ticks a time is at most 33 ms before that of the cluster.
#
# Copyright (C) 2026 the gst-qpu authors
# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck disable=SC2086 # variables are split into words
exec ${GST_LAUNCH:-gst-launch-1.0} -e \
  souphttpsrc location="${INPUT:?is not set: the address of the camera\'s MJPEG stream}" is-live=true do-timestamp=true \
  ! ${SPLITTER:-multipartdemux single-stream=true ! image/jpeg} ! capssetter caps=image/jpeg,framerate=1000000/1 \
  ! queue max-size-buffers=0 max-size-time=0 max-size-bytes=67108864 \
  ! jpegdec idct-method=islow ! capssetter caps=video/x-raw,framerate=0/1 ! queue ! videoconvert \
  ! qpuloopfilter name=qpu ${PROPERTIES:-} ! videoconvert \
  ! ${ENCODER:-x264enc pass=qual quantizer=23 vbv-buf-capacity=0 speed-preset=veryfast bframes=0} ! h264parse ! matroskamux timecodescale=1000 \
  ! filesink location="${OUTPUT:?is not set: the file to write}"
