# Copyright (C) 2026 the gst-qpu authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""An RTSP server on loopback. It sends a test picture at /in, and takes a stream at /out. It prints its port, then "received" when
pictures have arrived at /out. It ends when its standard input ends."""
import sys
import threading

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer

PICTURES = 5

Gst.init(None)
loop = GLib.MainLoop()
received = 0


def count(*_):
    global received
    received += 1
    if received == PICTURES:
        print("received", flush=True)


def configure(_, media):
    media.get_element().get_by_name("seen").connect("handoff", count)


source = GstRtspServer.RTSPMediaFactory()
source.set_launch(
    "( videotestsrc is-live=true ! video/x-raw,format=I420,width=160,height=96,framerate=25/1"
    " ! x264enc tune=zerolatency key-int-max=10 ! rtph264pay name=pay0 )"
)
sink = GstRtspServer.RTSPMediaFactory()
sink.set_transport_mode(GstRtspServer.RTSPTransportMode.RECORD)
sink.set_launch(
    "( rtph264depay name=depay0 ! h264parse ! avdec_h264 ! fakesink name=seen signal-handoffs=true sync=false )"
)
sink.connect("media-configure", configure)

server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service("0")
server.get_mount_points().add_factory("/in", source)
server.get_mount_points().add_factory("/out", sink)
server.attach(None)
print(server.get_bound_port(), flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), loop.quit()), daemon=True).start()
loop.run()
