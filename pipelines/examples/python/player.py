#!/usr/bin/python3
# Copyright (C) 2026 the gst-qpu authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Plays a file through the filter in a window.

Usage: player.py FILE [SINK [QP]]. QP is the quantiser with which the pictures were coded. The player attaches it to each picture as
side information, as a decoder would. Keys on standard input: d switches deblocking, c switches CDEF, i prints statistics of the
element, and q quits. Needs python3-gi and gir1.2-gstreamer-1.0.
"""
import os
import signal
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst

import qpu_params


class Player:
    def __init__(self, file, sink="autovideosink", qp=None):
        self.loop = GLib.MainLoop()
        self.pipeline = Gst.parse_launch(
            f"uridecodebin uri={Gst.filename_to_uri(file)} ! videoconvert"
            f" ! qpuloopfilter name=qpu ! videoconvert ! {sink}"
        )
        self.filter = self.pipeline.get_by_name("qpu")
        self.keys = False
        if qp is not None:
            qpu_params.probe(self.filter.get_static_pad("sink"), lambda _: {"qp": int(qp)})
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message", self.take_message)

    def play(self):
        # Ctrl-C also stops the pipeline before the process ends.
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGINT, self.loop.quit)
        self.pipeline.set_state(Gst.State.PLAYING)
        self.loop.run()
        self.say_stats()
        self.pipeline.set_state(Gst.State.NULL)

    def take_message(self, _, message):
        if message.type == Gst.MessageType.ASYNC_DONE and not self.keys:
            # The first picture has arrived: from now on, keys are read.
            GLib.unix_fd_add_full(0, sys.stdin.fileno(), GLib.IOCondition.IN | GLib.IOCondition.HUP, self.press_key)
            self.keys = True
        elif message.type == Gst.MessageType.ERROR:
            print(message.parse_error()[0].message, file=sys.stderr)
            self.loop.quit()
        elif message.type == Gst.MessageType.EOS:
            self.loop.quit()

    def press_key(self, file, _):
        key = os.read(file, 1)
        if key == b"d":
            self.toggle("deblock")
        elif key == b"c":
            self.toggle("cdef")
        elif key == b"i":
            self.say_stats()
        elif key == b"q":
            self.loop.quit()
        return key != b""

    def toggle(self, name):
        on = not self.filter.get_property(name)
        self.filter.set_property(name, on)
        print(f"{name}={str(on).lower()}", flush=True)

    def say_stats(self):
        stats = self.filter.get_property("stats")
        frames, told = (stats.get_uint64(name)[1] for name in ("frames", "frames-with-params"))
        print(f"{frames} pictures on {stats.get_string('substrate')}, {told} with side information", flush=True)


if __name__ == "__main__":
    Gst.init(None)
    try:
        player = Player(*sys.argv[1:4])
    except GLib.Error as mistake:
        sys.exit(mistake.message)
    player.play()
