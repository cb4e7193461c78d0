/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.sun.jna.Callback;
import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.internal.vulkan.device.DriverExit;

/**
 * Owns the Java side of every {@code qpuloopfilter} of the process: the binding of libgstqpu.so, the callbacks that C calls, and the
 * open elements. libgstqpu.so calls {@link #boot}; in a Java application that has these classes on its class path, native-loader's
 * QpuPlugin does. Any thread may call the callbacks.
 */
public final class ElementRuntime {
    /** {@code RTLD_NOW | RTLD_LOCAL}; {@code RTLD_LOCAL} is 0, and keeps the library's symbols its own. */
    private static final int OPEN_FLAGS = 2;

    private static final int OK = 1;
    private static final int FAILED = -1;

    /** Returned by {@link #qos}: elements before this one need not know of the event, or shall. */
    private static final int ANSWERED = 1;

    private static final int PASSED_ON = 2;

    /** A thread is attached to the JVM once, until it ends. Attaching it at each call would make a Thread object for each frame. */
    private static final CallbackThreadInitializer THREADS =
            new CallbackThreadInitializer(true, false, "qpuloopfilter");

    /** Never released: C keeps pointers to the callbacks for as long as the process lives. */
    private static ElementRuntime booted;

    private final ElementTable elements = new ElementTable();
    private final MemoryWatch memoryWatch = new MemoryWatch();
    private final MemoryGiver memoryGiver =
            new MemoryGiver(() -> elements.all().isEmpty(), ElementRuntime::giveMemoryBack, MemoryGiver.PAUSE_NANOS);
    private final GstQpuLibrary.OpenCallback open = attached(this::open);
    private final GstQpuLibrary.HandleCallback close = attached(this::close);
    private final GstQpuLibrary.HandleResultCallback start = attached(this::start);
    private final GstQpuLibrary.HandleResultCallback stop = attached(this::stop);
    private final GstQpuLibrary.SetCapsCallback setCaps = attached(this::setCaps);
    private final GstQpuLibrary.BeginCallback begin = attached(this::begin);
    private final GstQpuLibrary.PassesCallback passes = attached(this::passes);
    private final GstQpuLibrary.FinishCallback finish = attached(this::finish);
    private final GstQpuLibrary.HandleCallback propertyChanged = attached(this::propertyChanged);
    private final GstQpuLibrary.SetTimingCallback setTiming = attached(this::setTiming);
    private final GstQpuLibrary.QosCallback qos = attached(this::qos);
    private final GstQpuLibrary.HandleCallback restart = attached(this::restart);
    private final GstQpuLibrary.HandleCallback cut = attached(this::cut);
    private final GstQpuLibrary.HandleCallback hurry = attached(this::hurry);
    private final GstQpuLibrary.StatsCallback stats = attached(this::stats);
    private final GstQpuLibrary.BootMeterCallback bootMeter = attached(this::bootMeter);
    private final String libraryPath;

    /** The meter, which is reachable by this: C keeps pointers to its callbacks, too. Null until the first qpumeter starts. */
    @SuppressWarnings("UnusedVariable") // Only to be reachable.
    private Class<?> meter;

    private ElementRuntime(String libraryPath) {
        this.libraryPath = libraryPath;
    }

    /**
     * Binds the library and gives it the callbacks; a second call does nothing. If classes of another class loader have already given
     * the process callbacks, their callbacks stay in use.
     *
     * @param libraryPath file of libgstqpu.so, which is already loaded. GStreamer's functions are also looked up through this file, so
     *     that Java calls the GStreamer that the element is linked with.
     */
    public static synchronized void boot(String libraryPath) {
        if (booted != null) {
            return;
        }
        NativeLibrary library = NativeLibrary.getInstance(
                libraryPath, Map.of(Library.OPTION_OPEN_FLAGS, OPEN_FLAGS, Library.OPTION_STRING_ENCODING, "UTF-8"));
        GstVideoLibrary.bind(library);
        GstQpuLibrary.bind(library);
        ElementRuntime runtime = new ElementRuntime(libraryPath);
        runtime.install();
        booted = runtime;
        DriverExit.watch(new DriverExit.Watch() {
            @Override
            public void deviceIsOpen() {
                GstQpuLibrary.gst_qpu_exit_end_first();
            }

            @Override
            public void driversAreGone() {
                GstQpuLibrary.gst_qpu_exit_end_late();
            }
        });
        // The JVM keeps this thread and so the runtime. Otherwise the class loader could be collected if nobody else
        // refers to it.
        Runtime.getRuntime().addShutdownHook(new Thread(runtime::closeAtExit, "qpuloopfilter"));
    }

    /**
     * Closes elements that still play when a process exits whose JVM the plugin has created: their devices must be idle before drivers
     * go. In an application in Java, pipelines that end by then come first.
     */
    private void closeAtExit() {
        if (GstQpuLibrary.gst_qpu_exit_has_begun() != 0) {
            for (LoopFilterElement element : elements.all()) {
                act(element, LoopFilterElement::stop);
                act(element, LoopFilterElement::close);
            }
        }
    }

    private static <T extends Callback> T attached(T callback) {
        Native.setCallbackThreadInitializer(callback, THREADS);
        return callback;
    }

    private void install() {
        // The callbacks take and return primitive types only, and a direct-mapped function takes them. So JNA makes no
        // Java object when C calls one.
        GstQpuLibrary.gst_qpu_install_callbacks(
                open,
                close,
                start,
                stop,
                setCaps,
                begin,
                passes,
                finish,
                propertyChanged,
                setTiming,
                qos,
                restart,
                cut,
                hurry,
                stats,
                bootMeter);
    }

    private int open(long nativeElement, long values) {
        ElementHost host = new NativeElementHost(nativeElement);
        try {
            return elements.add(LoopFilterElement.open(
                    host,
                    ElementValues.at(values),
                    device(nativeElement),
                    Substrates::open,
                    memoryWatch,
                    ServingSubstrate::inOwnThread));
        } catch (Throwable failure) {
            return failed(host, failure, FAILED);
        }
    }

    private static Optional<String> device(long nativeElement) {
        long text = GstQpuLibrary.gst_qpu_dup_string(nativeElement, ElementProperty.DEVICE.slot());
        if (text == 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Pointer(text).getString(0, "UTF-8"));
        } finally {
            GstVideoLibrary.g_free(text);
        }
    }

    private void close(int handle) {
        act(elements.remove(handle), LoopFilterElement::close);
        memoryGiver.elementClosed();
    }

    /** The garbage of a JVM that an application has made is that one's to collect. */
    private static void giveMemoryBack() {
        if (GstQpuLibrary.gst_qpu_exit_ends_jvm() != 0) {
            System.gc();
            GstQpuLibrary.gst_qpu_jvm_trim();
        }
    }

    private int start(int handle) {
        return act(elements.get(handle), LoopFilterElement::start);
    }

    private int stop(int handle) {
        return act(elements.get(handle), LoopFilterElement::stop);
    }

    private int setCaps(int handle, long caps, int outputDmabufs, int inColumns, int outColumns) {
        return act(elements.get(handle), element -> element.setCaps(caps, outputDmabufs != 0, inColumns, outColumns));
    }

    private int begin(int handle, int place, long inBuffer, long outBuffer, long runningTime) {
        LoopFilterElement element = elements.get(handle);
        try {
            return element.begin(place, inBuffer, outBuffer, runningTime);
        } catch (Throwable failure) {
            return failed(element.host(), failure, Flow.ERROR);
        }
    }

    private int passes(int handle, long runningTime) {
        LoopFilterElement element = elements.get(handle);
        try {
            return element.passes(runningTime) ? OK : 0;
        } catch (Throwable failure) {
            return failed(element.host(), failure, 0);
        }
    }

    private int finish(int handle, int place, int wait) {
        LoopFilterElement element = elements.get(handle);
        try {
            return element.finish(place, wait != 0);
        } catch (Throwable failure) {
            return failed(element.host(), failure, Flow.ERROR);
        }
    }

    private void propertyChanged(int handle) {
        act(elements.get(handle), LoopFilterElement::propertyChanged);
    }

    private void setTiming(int handle, int live, int keepsTime) {
        act(elements.get(handle), element -> element.setTiming(live != 0, keepsTime != 0));
    }

    private int qos(int handle, long jitter, long runningTime) {
        LoopFilterElement element = elements.get(handle);
        try {
            return element.judge(jitter, runningTime) ? ANSWERED : PASSED_ON;
        } catch (Throwable failure) {
            return failed(element.host(), failure, PASSED_ON);
        }
    }

    private void restart(int handle) {
        act(elements.get(handle), LoopFilterElement::restart);
    }

    private void cut(int handle) {
        act(elements.get(handle), LoopFilterElement::cut);
    }

    private void hurry(int handle) {
        act(elements.get(handle), LoopFilterElement::hurry);
    }

    private long stats(int handle) {
        LoopFilterElement element = elements.get(handle);
        try {
            return element.stats();
        } catch (Throwable failure) {
            return failed(element.host(), failure, 0);
        }
    }

    private int bootMeter(long nativeElement, long folder) {
        try {
            meter = MeterModule.boot(Path.of(new Pointer(folder).getString(0, "UTF-8")), libraryPath);
            return OK;
        } catch (Throwable failure) {
            return failed(new NativeElementHost(nativeElement), failure, FAILED);
        }
    }

    /** What a callback that is not called with every picture does with an element. */
    @FunctionalInterface
    private interface Action {
        void on(LoopFilterElement element) throws ElementException;
    }

    /** Acts on an element. Returns {@link #OK}, or {@link #FAILED} after an element error was posted. */
    private static int act(LoopFilterElement element, Action action) {
        try {
            action.on(element);
            return OK;
        } catch (Throwable failure) {
            return failed(element.host(), failure, FAILED);
        }
    }

    /** Posts a failure as an element error and returns {@code result}. */
    private static int failed(ElementHost host, Throwable failure, int result) {
        ElementFailure.post(host, failure);
        return result;
    }
}
