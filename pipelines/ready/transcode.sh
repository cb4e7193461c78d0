#!/bin/sh
# Filters a file or an address and encodes it again, with its sound.
# use:   INPUT=file:///home/me/old.avi OUTPUT=new.mkv transcode.sh; or: qpu transcode old.avi new.mkv, which picks the encoders
# needs: gstreamer1.0-plugins-base, gstreamer1.0-plugins-good, gstreamer1.0-plugins-bad, gstreamer1.0-plugins-ugly
#        and a decoder for the video, such as gstreamer1.0-libav
# PROFILE: container, video and sound, as encodebin takes them; PROPERTIES: properties of qpuloopfilter, such as qp=36
#
# Copyright (C) 2026 the gst-qpu authors
# SPDX-License-Identifier: LGPL-2.1-or-later
exec ${GST_LAUNCH:-gst-launch-1.0} -e \
  urisourcebin uri="${INPUT:?is not set: an address, such as file:///home/me/old.avi}" \
  ! transcodebin profile="${PROFILE:-video/x-matroska:video/x-h264|element-properties,pass=5,quantizer=21,vbv-buf-capacity=0:audio/x-opus}" \
  video-filter="queue max-size-buffers=4 max-size-bytes=0 max-size-time=0 ! videoconvert ! qpuloopfilter name=qpu ${PROPERTIES:-} \
    ! queue max-size-buffers=4 max-size-bytes=0 max-size-time=0 ! videoconvert" \
  ! filesink location="${OUTPUT:?is not set: the file to write}"
