/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

import com.sun.jna.Callback;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/**
 * The functions of libgstqpu.so that the meter calls, direct-mapped, with pointers as {@code long}. gstqpumeterjava.h,
 * gstqpuforjava.h and gstqpuexit.h document them. {@link #bind} binds them once a process; any thread may call them afterwards.
 */
final class GstMeterLibrary {
    private GstMeterLibrary() {}

    /** Binds this class to the library. */
    static void bind(NativeLibrary library) {
        Native.register(GstMeterLibrary.class, library);
    }

    static native void gst_qpu_install_meter_callbacks(
            OpenCallback open,
            SetFormatCallback setFormat,
            MeasureCallback measure,
            FiguresCallback figures,
            CountsCallback counts,
            ReportCallback report,
            CloseCallback close);

    static native int gst_qpu_exit_has_begun();

    static native void gst_qpu_element_error(long element, int domain, int code, String text, String debug);

    static native void gst_qpu_element_warning(long element, int domain, int code, String text, String debug);

    /** {@code open} of gstqpumeterjava.h. */
    interface OpenCallback extends Callback {
        /** Returns the handle, or -1. */
        int invoke(long element, long settings);
    }

    /** {@code set_format} of gstqpumeterjava.h. */
    interface SetFormatCallback extends Callback {
        /** Returns 1, or -1. */
        int invoke(int handle, long reference, long distorted);
    }

    /** {@code measure} of gstqpumeterjava.h. */
    interface MeasureCallback extends Callback {
        /** Returns 1, or -1. */
        int invoke(int handle, long reference, long distorted, int begins);
    }

    /** {@code figures} of gstqpumeterjava.h. */
    interface FiguresCallback extends Callback {
        /** Returns 1, or -1. */
        int invoke(int handle, int pair, long figures);
    }

    /** {@code counts} of gstqpumeterjava.h. */
    interface CountsCallback extends Callback {
        /** Returns 1, or -1. */
        int invoke(int handle, long counts);
    }

    /** {@code report} of gstqpumeterjava.h. */
    interface ReportCallback extends Callback {
        /** Returns 1, or -1. */
        int invoke(int handle, long referenceOnly, long distortedOnly);
    }

    /** {@code close} of gstqpumeterjava.h. */
    interface CloseCallback extends Callback {
        /** Releases the meter. */
        void invoke(int handle);
    }
}
