#!/usr/bin/python3
# Copyright (C) 2026 the gst-qpu authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Filters the frames of a file and hands over side information with each, by the lines that the documents show.

usage: documented-params.py DOCUMENTED EXAMPLES IN CAPS FRAME_BYTES MACROBLOCKS QP OUT
"""
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst

documented, examples, frames, caps, frame_bytes, macroblocks, qp, out = sys.argv[1:]
frame_bytes, macroblocks, qp = int(frame_bytes), int(macroblocks), int(qp)
sys.path.insert(0, examples)
sys.dont_write_bytecode = True
Gst.init(None)
pipeline = Gst.parse_launch(
    f'appsrc name=src caps="{caps}" format=time ! qpuloopfilter substrate=cpu ! filesink location={out}'
)
source = pipeline.get_by_name("src")
pipeline.set_state(Gst.State.PLAYING)
qps = bytes([qp] * macroblocks)
# The bS of an intra frame: 4 between macroblocks, 3 inside, in both directions.
bs = (bytes([4] * 4) + bytes([3] * 12)) * 2 * macroblocks
with open(frames, "rb") as file:
    while frame := file.read(frame_bytes):
        buffer = Gst.Buffer.new_wrapped(frame)
        exec(open(documented).read())
        source.emit("push-buffer", buffer)
source.emit("end-of-stream")
message = pipeline.get_bus().timed_pop_filtered(
    Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.WARNING
)
pipeline.set_state(Gst.State.NULL)
if message.type != Gst.MessageType.EOS:
    sys.exit(message.get_structure().to_string())
