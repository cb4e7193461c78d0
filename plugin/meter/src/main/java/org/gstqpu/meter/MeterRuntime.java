/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.gstqpu.kernels.metrics.Metrics;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.meter.MeterException.Kind;
import org.gstqpu.plugin.FramePair;

/**
 * Owns the Java side of every {@code qpumeter} of the process: the callbacks that C calls, and the started meters. The plugin's
 * ElementRuntime calls {@link #boot} when the first qpumeter starts. Any thread may call the callbacks, one at a time for a meter.
 */
public final class MeterRuntime {
    /** {@code RTLD_NOW | RTLD_LOCAL}. */
    private static final int OPEN_FLAGS = 2;

    private static final int OK = 1;
    private static final int FAILED = -1;

    /** Never released: C keeps pointers to the callbacks for as long as the process lives. */
    private static MeterRuntime booted;

    private record Started(long nativeElement, MeterElement meter) {}

    /** By handle. Those of meters that are gone are used again: small ones are boxed without an allocation. */
    private final Map<Integer, Started> meters = new ConcurrentHashMap<>();

    private final GstMeterLibrary.OpenCallback open = this::open;
    private final GstMeterLibrary.SetFormatCallback setFormat = this::setFormat;
    private final GstMeterLibrary.MeasureCallback measure = this::measure;
    private final GstMeterLibrary.FiguresCallback figures = this::figures;
    private final GstMeterLibrary.CountsCallback counts = this::counts;
    private final GstMeterLibrary.ReportCallback report = this::report;
    private final GstMeterLibrary.CloseCallback close = this::close;

    private MeterRuntime() {}

    /**
     * Binds the library and gives it the callbacks; a second call does nothing. The caller keeps this class reachable.
     *
     * @param libraryPath file of libgstqpu.so, which is already loaded
     */
    public static synchronized void boot(String libraryPath) {
        if (booted != null) {
            return;
        }
        GstMeterLibrary.bind(NativeLibrary.getInstance(
                libraryPath, Map.of(Library.OPTION_OPEN_FLAGS, OPEN_FLAGS, Library.OPTION_STRING_ENCODING, "UTF-8")));
        MeterRuntime runtime = new MeterRuntime();
        runtime.install();
        booted = runtime;
        Runtime.getRuntime().addShutdownHook(new Thread(runtime::closeAtExit, "qpumeter"));
    }

    /** Closes meters that still measure when a process exits, as ElementRuntime does with elements. */
    private void closeAtExit() {
        if (GstMeterLibrary.gst_qpu_exit_has_begun() != 0) {
            List.copyOf(meters.keySet()).forEach(this::close);
        }
    }

    private void install() {
        // A thread is attached to the JVM once, until it ends.
        CallbackThreadInitializer threads = new CallbackThreadInitializer(true, false, "qpumeter");
        List.of(open, setFormat, measure, figures, counts, report, close)
                .forEach(callback -> Native.setCallbackThreadInitializer(callback, threads));
        GstMeterLibrary.gst_qpu_install_meter_callbacks(open, setFormat, measure, figures, counts, report, close);
    }

    private int open(long nativeElement, long settings) {
        try {
            MeterElement meter = new MeterElement(
                    MeterSettings.at(settings),
                    Metrics::open,
                    context -> new FramePair(context, nativeElement),
                    (line, failure) -> GstMeterLibrary.gst_qpu_element_warning(
                            nativeElement,
                            Kind.DEVICE_FAILED.domain(),
                            Kind.DEVICE_FAILED.code(),
                            line,
                            trace(failure)));
            Started started = new Started(nativeElement, meter);
            int handle = 1;
            while (meters.putIfAbsent(handle, started) != null) {
                handle++;
            }
            return handle;
        } catch (Throwable failure) {
            return failed(nativeElement, failure);
        }
    }

    private int setFormat(int handle, long reference, long distorted) {
        return act(meters.get(handle), meter -> meter.setFormat(reference, distorted));
    }

    private int measure(int handle, long reference, long distorted, int begins) {
        Started started = meters.get(handle);
        try {
            // Called with every pair: a lambda would be an object.
            started.meter.measure(reference, distorted, begins != 0);
            return OK;
        } catch (Throwable failure) {
            return failed(started.nativeElement, failure);
        }
    }

    private int figures(int handle, int pair, long to) {
        Started started = meters.get(handle);
        try {
            started.meter.figures(pair, to);
            return OK;
        } catch (Throwable failure) {
            return failed(started.nativeElement, failure);
        }
    }

    private int counts(int handle, long to) {
        return act(meters.get(handle), meter -> meter.counts(to));
    }

    private int report(int handle, long referenceOnly, long distortedOnly) {
        return act(meters.get(handle), meter -> meter.report(referenceOnly, distortedOnly));
    }

    private void close(int handle) {
        act(meters.remove(handle), MeterElement::close);
    }

    /** What a callback that is not called with every pair does with a meter. */
    @FunctionalInterface
    private interface Action {
        void on(MeterElement meter) throws MeterException;
    }

    /** Acts on a meter. Returns {@link #OK}, or {@link #FAILED} after an element error was posted. */
    private static int act(Started started, Action action) {
        try {
            action.on(started.meter);
            return OK;
        } catch (Throwable failure) {
            return failed(started.nativeElement, failure);
        }
    }

    /** Posts a failure as an element error, because no exception may reach C. */
    private static int failed(long nativeElement, Throwable failure) {
        Kind kind = Kind.FAULT;
        String text = "A fault in qpumeter, please report it with its additional debug info ("
                + failure.toString().replace('\n', ' ') + ")";
        if (failure instanceof MeterException known) {
            kind = known.kind();
            text = known.getMessage();
        } else if (failure instanceof DeviceException device) {
            kind = Kind.DEVICE_FAILED;
            text = device.getMessage();
        } else if (failure instanceof OutOfMemoryError) {
            kind = Kind.DEVICE_FAILED;
            text = "Java is out of memory (" + failure.getMessage() + "): give it more with GST_QPU_JVM_OPTIONS=-Xmx1g";
        }
        GstMeterLibrary.gst_qpu_element_error(nativeElement, kind.domain(), kind.code(), text, trace(failure));
        return FAILED;
    }

    private static String trace(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace, true));
        return trace.toString();
    }
}
