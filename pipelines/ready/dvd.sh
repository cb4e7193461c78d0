#!/bin/sh
# Encodes MPEG-2 of a DVD or a broadcast again. Interlaced pictures are filtered field by field, as they were coded, then deinterlaced.
# use:   INPUT=file:///home/me/VTS_01_1.VOB OUTPUT=film.mkv dvd.sh; or: qpu transcode --as dvd VTS_01_1.VOB film.mkv
# needs: gstreamer1.0-plugins-base, gstreamer1.0-plugins-good, gstreamer1.0-plugins-bad, gstreamer1.0-plugins-ugly,
#        gstreamer1.0-libav
# PROFILE: container, video and sound, as encodebin takes them; PROPERTIES: properties of qpuloopfilter, such as alpha-offset=1
#
# Copyright (C) 2026 the gst-qpu authors
# SPDX-License-Identifier: LGPL-2.1-or-later
exec ${GST_LAUNCH:-gst-launch-1.0} -e \
  urisourcebin uri="${INPUT:?is not set: an address, such as file:///home/me/VTS_01_1.VOB}" \
  ! transcodebin profile="${PROFILE:-video/x-matroska:video/x-h264|element-properties,pass=5,quantizer=21,vbv-buf-capacity=0:audio/x-opus}" \
  video-filter="queue max-size-buffers=4 max-size-bytes=0 max-size-time=0 ! videoconvert ! qpuloopfilter name=qpu ${PROPERTIES:-} \
    ! queue max-size-buffers=4 max-size-bytes=0 max-size-time=0 ! deinterlace ! videoconvert" \
  ! filesink location="${OUTPUT:?is not set: the file to write}"
