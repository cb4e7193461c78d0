/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.sun.jna.Callback;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/**
 * The functions that libgstqpu.so exports for Java, direct-mapped, with pointers as {@code long}. The headers of native-loader
 * document them where they say {@code GST_QPU_FOR_JAVA}. {@link #bind} binds them once a process; any thread may call them afterwards.
 */
final class GstQpuLibrary {
    private GstQpuLibrary() {}

    /** Binds this class to the library. */
    static void bind(NativeLibrary library) {
        Native.register(GstQpuLibrary.class, library);
    }

    static native void gst_qpu_install_callbacks(
            OpenCallback open,
            HandleCallback close,
            HandleResultCallback start,
            HandleResultCallback stop,
            SetCapsCallback setCaps,
            BeginCallback begin,
            PassesCallback passes,
            FinishCallback finish,
            HandleCallback propertyChanged,
            SetTimingCallback setTiming,
            QosCallback qos,
            HandleCallback restart,
            HandleCallback cut,
            HandleCallback hurry,
            StatsCallback stats,
            BootMeterCallback bootMeter);

    static native void gst_qpu_element_error(long element, int domain, int code, String text, String debug);

    static native void gst_qpu_element_warning(long element, int domain, int code, String text, String debug);

    static native void gst_qpu_element_info(long element, int domain, int code, String text);

    static native void gst_qpu_log(long element, int level, String line);

    static native int gst_qpu_log_threshold();

    static native int gst_qpu_exit_ends_jvm();

    static native void gst_qpu_jvm_trim();

    static native void gst_qpu_exit_end_first();

    static native void gst_qpu_exit_end_late();

    static native int gst_qpu_exit_has_begun();

    static native long gst_qpu_dup_string(long element, int ordinal);

    static native void gst_qpu_set_passthrough(long element, int passthrough);

    static native void gst_qpu_set_look_ahead(long element, int pictures);

    static native void gst_qpu_describe_device(long element, int importsDmabufs, int worksAlone);

    static native void gst_qpu_degraded(long element, long lateNanos, int step, int steps, long frames);

    static native int gst_qpu_is_own_dmabuf(long memory);

    static native int gst_qpu_replace_memory_leaking(long buffer);

    static native void gst_qpu_watch_memory(long memory, FreedCallback freed);

    static native int gst_qpu_column_rows(long meta, int plane);

    static native long gst_qpu_params_new();

    static native void gst_qpu_params_free(long params);

    static native int gst_qpu_params_read(long params, long buffer);

    static native void gst_qpu_params_release(long params);

    static native String gst_qpu_params_cause(long params);

    static native String gst_qpu_params_problem(long params);

    static native long gst_qpu_stats_new();

    static native void gst_qpu_stats_add_text(long stats, String name, String text);

    static native void gst_qpu_stats_add(long stats, String name, long value, int isSigned);

    /** {@code freed} of gst_qpu_watch_memory. */
    interface FreedCallback extends Callback {
        /** The GstMemory at that address is being freed. */
        void invoke(long data, long memory);
    }

    /** {@code open} of gstqpuruntime.h. */
    interface OpenCallback extends Callback {
        /** Returns the handle, or -1. */
        int invoke(long element, long values);
    }

    /** {@code close}, {@code property_changed}, {@code restart}, {@code cut} and {@code hurry} of gstqpuruntime.h. */
    interface HandleCallback extends Callback {
        /** Acts on the element with this handle. */
        void invoke(int handle);
    }

    /** {@code start} and {@code stop} of gstqpuruntime.h. */
    interface HandleResultCallback extends Callback {
        /** Returns 1, or -1. */
        int invoke(int handle);
    }

    /** {@code set_caps} of gstqpuruntime.h. */
    interface SetCapsCallback extends Callback {
        /** Returns 1, or -1. */
        int invoke(int handle, long caps, int outputDmabufs, int inColumns, int outColumns);
    }

    /** {@code begin} of gstqpuruntime.h. */
    interface BeginCallback extends Callback {
        /** Returns 1, 2 or 3, or a GstFlowReturn other than GST_FLOW_OK. */
        int invoke(int handle, int place, long inBuffer, long outBuffer, long runningTime);
    }

    /** {@code passes} of gstqpuruntime.h. */
    interface PassesCallback extends Callback {
        /** Returns 1 if the next picture goes on as it is, else 0. */
        int invoke(int handle, long runningTime);
    }

    /** {@code finish} of gstqpuruntime.h. */
    interface FinishCallback extends Callback {
        /** Returns 1 or 2, or a GstFlowReturn other than GST_FLOW_OK. */
        int invoke(int handle, int place, int wait);
    }

    /** {@code set_timing} of gstqpuruntime.h. */
    interface SetTimingCallback extends Callback {
        /** Adopts whether the stream is live, and whether downstream keeps time. */
        void invoke(int handle, int live, int keepsTime);
    }

    /** {@code qos} of gstqpuruntime.h. */
    interface QosCallback extends Callback {
        /** Returns 1 or 2. */
        int invoke(int handle, long jitter, long runningTime);
    }

    /** {@code stats} of gstqpuruntime.h. */
    interface StatsCallback extends Callback {
        /** Returns a new GstStructure, or 0 on failure. */
        long invoke(int handle);
    }

    /** {@code boot_meter} of gstqpuruntime.h. */
    interface BootMeterCallback extends Callback {
        /** Returns 1, or -1. */
        int invoke(long element, long folder);
    }
}
