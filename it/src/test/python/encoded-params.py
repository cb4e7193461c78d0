#!/usr/bin/python3
# Copyright (C) 2026 the gst-qpu authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Puts a meta on each coded picture of a video, by the module of the examples, and prints the numbers of those that come out.

usage: encoded-params.py EXAMPLES FILE DECODER
"""
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst

examples, file, decoder = sys.argv[1:]
sys.path.insert(0, examples)
sys.dont_write_bytecode = True
import qpu_params

Gst.init(None)
assert Gst.Plugin.load_by_name("qpu")
pipeline = Gst.parse_launch(
    f"filesrc location={file} ! matroskademux ! {decoder} name=decoder ! fakesink name=sink sync=false signal-handoffs=true"
)
shown = []


def number(buffer):
    return round(buffer.pts * 25 / Gst.SECOND)


def take(_, buffer, __):
    meta = buffer.get_custom_meta(qpu_params.META)
    shown.append((number(buffer), meta and meta.get_structure().get_int("qp")[1]))


# The first picture is one of which nothing is known.
qpu_params.probe(
    pipeline.get_by_name("decoder").get_static_pad("sink"),
    lambda buffer: {"qp": number(buffer)} if number(buffer) else None,
)
pipeline.get_by_name("sink").connect("handoff", take)
pipeline.set_state(Gst.State.PLAYING)
message = pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
pipeline.set_state(Gst.State.NULL)
if message.type != Gst.MessageType.EOS:
    sys.exit(message.get_structure().to_string())
print(*("none" if meta is None else "own" if meta == index else "other" for index, meta in shown))
