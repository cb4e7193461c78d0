/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/**
 * The functions of GStreamer and GLib that this package calls, direct-mapped. Pointers are {@code long}, so that no call allocates or
 * takes a reference. {@link #bind} binds them once a process; any thread may call them afterwards.
 *
 * <p>gst1-java-core does not bind these functions, and its argument mapping would wrap and reference each buffer.
 */
final class GstVideoLibrary {
    /** GST_MAP_READ. */
    static final int MAP_READ = 1;

    /** GST_MAP_WRITE. */
    static final int MAP_WRITE = 2;

    /** GST_VIDEO_FRAME_MAP_FLAG_NO_REF: the frame takes no reference of the buffer, because the caller holds one. */
    static final int FRAME_MAP_NO_REF = 1 << 16;

    /** GST_BUFFER_FLAG_DISCONT. */
    static final int BUFFER_FLAG_DISCONT = 1 << 6;

    /** GST_VIDEO_BUFFER_FLAG_INTERLACED. */
    static final int BUFFER_FLAG_INTERLACED = 1 << 20;

    private GstVideoLibrary() {}

    /** Binds this class to a library that was linked with libgstvideo-1.0 and libgstallocators-1.0. */
    static void bind(NativeLibrary library) {
        Native.register(GstVideoLibrary.class, library);
    }

    static native int gst_video_info_from_caps(long info, long caps);

    static native int gst_video_frame_map(long frame, long info, long buffer, int flags);

    static native void gst_video_frame_unmap(long frame);

    static native long gst_mini_object_ref(long object);

    static native int gst_buffer_n_memory(long buffer);

    static native int gst_buffer_get_flags(long buffer);

    static native long gst_buffer_get_size(long buffer);

    static native long gst_buffer_get_video_meta(long buffer);

    static native int gst_buffer_find_memory(long buffer, long offset, long size, long index, long length, long skip);

    static native long gst_buffer_peek_memory(long buffer, int index);

    static native long gst_memory_get_sizes(long memory, long offset, long maxSize);

    static native int gst_is_dmabuf_memory(long memory);

    static native int gst_dmabuf_memory_get_fd(long memory);

    static native long memcpy(long destination, long source, long size);

    static native void g_free(long memory);
}
