# Copyright (C) 2026 the gst-qpu authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Side information for qpuloopfilter: puts the meta "qpu-filter-params" on buffers of pictures, or on buffers that a decoder is about to
decode. Load the plugin first: by an element of it, or by Gst.Plugin.load_by_name("qpu"). Needs python3-gi and gir1.2-gstreamer-1.0.
"""
import ctypes

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, GObject, Gst

META = "qpu-filter-params"
_gst = ctypes.CDLL("libgstreamer-1.0.so.0")
_gst.gst_custom_meta_get_structure.restype = ctypes.c_void_p


def add(buffer, **fields):
    """Adds the meta to a buffer, with fields of type int, str or bytes; "_" in a name stands for "-"."""
    # Through C functions, because Python's binding returns a copy of the meta's structure.
    meta = buffer.add_custom_meta(META)
    structure = ctypes.c_void_p(_gst.gst_custom_meta_get_structure(ctypes.c_void_p(hash(meta))))
    for name, value in fields.items():
        if isinstance(value, int):
            kind, argument = GObject.TYPE_INT, ctypes.c_int(value)
        elif isinstance(value, str):
            kind, argument = GObject.TYPE_STRING, ctypes.c_char_p(value.encode())
        else:
            value = GLib.Bytes.new(value)
            kind, argument = GLib.Bytes.__gtype__, ctypes.c_void_p(hash(value))
        field = name.replace("_", "-").encode()
        _gst.gst_structure_set(structure, field, ctypes.c_size_t(hash(kind)), argument, None)


def probe(pad, fill):
    """Calls fill for each buffer that comes to a pad: the sink pad of qpuloopfilter, or that of a decoder. It returns a dict of the
    fields, or None if nothing is known of the buffer, which then gets no meta."""
    return pad.add_probe(Gst.PadProbeType.BUFFER, _hand_over, fill)


def _hand_over(pad, info, fill):
    # Python may not change the buffer of a probe. So a new buffer that shares its memory replaces it.
    shared = info.get_buffer()
    fields = None if shared.get_custom_meta(META) else fill(shared)
    if fields is None:
        return Gst.PadProbeReturn.OK
    buffer = Gst.Buffer.new()
    parts = Gst.BufferCopyFlags
    buffer.copy_into(shared, parts.FLAGS | parts.TIMESTAMPS | parts.META | parts.MEMORY, 0, shared.get_size())
    add(buffer, **fields)
    return Gst.PadProbeReturn.DROP if pad.chain(buffer) == Gst.FlowReturn.OK else Gst.PadProbeReturn.REMOVE
