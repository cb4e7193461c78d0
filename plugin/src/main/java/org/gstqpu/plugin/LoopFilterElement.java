/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.Optional;
import java.util.concurrent.Executor;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.plugin.ElementHost.ErrorCode;
import org.gstqpu.plugin.ElementHost.LogLevel;

/**
 * One {@code qpuloopfilter} between NULL→READY and READY→NULL: owns its substrate, its settings, its stream of pictures and its
 * statistics. The application's thread opens and closes it. In between it belongs to the streaming thread; methods that any thread
 * may call say so.
 */
final class LoopFilterElement implements AutoCloseable {
    private final ElementHost host;
    private final ServingSubstrate serving;
    private final ImportCache imports;
    private final ElementSettings settings;
    private final ElementStatistics statistics;
    private final PictureStream stream;

    /** True once it was logged that the kernels are compiled. */
    private boolean warm;

    private LoopFilterElement(
            ElementHost host,
            ElementValues values,
            FilterSettings firstSettings,
            ServingSubstrate serving,
            MemoryWatch memoryWatch) {
        this.host = host;
        this.serving = serving;
        imports = new ImportCache(serving::current, memoryWatch, host);
        settings = new ElementSettings(host, values, firstSettings);
        statistics = new ElementStatistics(serving, imports);
        stream = new PictureStream(
                host, serving, imports, statistics, settings, values.get(ElementProperty.REQUIRE_ZERO_COPY) != 0);
    }

    /**
     * Opens the substrate that the properties ask for.
     *
     * @param device value of the property {@code device}
     * @param memoryWatch reports when a frame's memory is freed
     * @param retries runs the openings of a device that has failed: see {@link ServingSubstrate}
     * @throws ElementException if a property has an invalid value, or the substrate cannot be used
     */
    static LoopFilterElement open(
            ElementHost host,
            ElementValues values,
            Optional<String> device,
            ServingSubstrate.Opener opener,
            MemoryWatch memoryWatch,
            Executor retries)
            throws ElementException {
        FilterSettings settings = FilterSettings.read(values, false, Temporal.Choice.PENDING);
        for (FilterSettings.Invalid invalid : settings.invalid()) {
            throw new ElementException(ErrorCode.LIBRARY_SETTINGS, invalid.line());
        }
        Substrate substrate = substrate(values.get(ElementProperty.SUBSTRATE));
        Optional<String> wanted = device.filter(name -> !name.isBlank());
        if (substrate == Substrate.CPU && wanted.isPresent()) {
            host.log(LogLevel.WARNING, "device=" + wanted.get() + " has no effect with substrate=cpu");
        }
        ServingSubstrate serving;
        try {
            SubstrateRequest request = new SubstrateRequest(
                    substrate, wanted, values.get(ElementProperty.THREADS), values.get(ElementProperty.TIMING) != 0);
            boolean takesOver = takesOver(values.get(ElementProperty.ON_DEVICE_FAILURE), substrate);
            serving = new ServingSubstrate(opener, request, takesOver, retries, host);
        } catch (SubstrateUnavailableException e) {
            throw new ElementException(ErrorCode.RESOURCE_NOT_FOUND, e.getMessage(), e);
        }
        FilterContext context = serving.current();
        host.log(
                LogLevel.INFO,
                "filters run on " + ElementStatistics.nick(context.substrate()) + ": " + context.deviceName() + " ("
                        + context.reason() + ")");
        if (values.get(ElementProperty.TIMING) != 0 && !context.timesPictures()) {
            host.log(
                    LogLevel.INFO,
                    "timing is set, but " + context.deviceName()
                            + (context.substrate() == Substrate.QPU ? " writes no timestamps" : " is no device")
                            + ": stats has no gpu-time fields");
        }
        host.describeDevice(context.importsDmabufs(), context.substrate() == Substrate.QPU);
        LoopFilterElement element = new LoopFilterElement(host, values, settings, serving, memoryWatch);
        element.settings.changed();
        return element;
    }

    private static Substrate substrate(int choice) throws ElementException {
        return switch (choice) {
            case 0 -> Substrate.AUTO;
            case 1 -> Substrate.CPU;
            case 2 -> Substrate.QPU;
            default ->
                throw new ElementException(
                        ErrorCode.LIBRARY_SETTINGS, "substrate is auto, cpu or qpu, but choice " + choice + " was set");
        };
    }

    /** True if the CPU takes the place of a device that fails. A substrate that was asked for by name stays, unless that was allowed. */
    private static boolean takesOver(int choice, Substrate substrate) throws ElementException {
        return switch (choice) {
            case 0 -> substrate == Substrate.AUTO;
            case 1 -> false;
            case 2 -> true;
            default ->
                throw new ElementException(
                        ErrorCode.LIBRARY_SETTINGS,
                        "on-device-failure is auto, error or cpu, but choice " + choice + " was set");
        };
    }

    /** The host that failures of this element are posted to. */
    ElementHost host() {
        return host;
    }

    /** Adopts the caps of the stream: see {@link PictureStream#setCaps}. */
    void setCaps(long caps, boolean outputDmabufs, int inColumns, int outColumns) throws ElementException {
        settings.changed();
        stream.setCaps(caps, outputDmabufs, inColumns, outColumns);
    }

    /** Reads the properties' values again; any thread. */
    void propertyChanged() {
        settings.changed();
    }

    /**
     * Adopts what is known of the stream's timing; any thread.
     *
     * @param live whether upstream is live
     * @param keepsTime whether downstream shows pictures at their time, and says how late they come
     */
    void setTiming(boolean live, boolean keepsTime) {
        settings.setLive(live);
        stream.setTiming(live, keepsTime);
    }

    /** Adopts what a QoS event says: see {@link DegradeControl#judge}; any thread. */
    boolean judge(long nanos, long runningTime) {
        return stream.control().judge(nanos, runningTime);
    }

    /** Gives up nothing more of the filters: see {@link DegradeControl#restart}; any thread. */
    void restart() {
        stream.control().restart();
    }

    /** The next picture does not continue the one before; any thread. */
    void cut() {
        stream.cut();
    }

    /** A stream begins: the device has its whole time for each picture. */
    void start() {
        serving.hurry(false);
        restart();
    }

    /** The stream is to end: a device that does not end its pictures soon is given up; any thread. */
    void hurry() {
        serving.hurry(true);
    }

    /** Begins a picture: see {@link PictureStream#begin}. */
    int begin(int place, long inBuffer, long outBuffer, long runningTime) throws ElementException {
        if (!warm && serving.warming().warmUpNanos() > 0) {
            warm = true;
            host.log(
                    LogLevel.INFO,
                    "full speed: the kernels were compiled "
                            + serving.warming().warmUpNanos() / 1_000_000
                            + " ms after the element was opened");
        }
        return stream.begin(place, inBuffer, outBuffer, runningTime);
    }

    /** Decides whether the next picture goes on as it is: see {@link PictureStream#passes}. */
    boolean passes(long runningTime) {
        return stream.passes(runningTime);
    }

    /** Finishes a picture: see {@link PictureStream#finish}. */
    int finish(int place, boolean wait) throws ElementException {
        return stream.finish(place, wait);
    }

    /** Releases what belongs to the stream. Called after the streaming thread has ended. */
    void stop() {
        stream.stop();
    }

    /** A new GstStructure with the values of all counters; any thread. */
    long stats() {
        return statistics.structure(settings.current(), stream.control(), stream.estimate(), stream.fusion());
    }

    /** Releases everything; a second call does nothing. */
    @Override
    public void close() {
        // Each part is closed even if closing the part before it failed.
        try (serving;
                imports) {
            stream.close();
        }
    }
}
