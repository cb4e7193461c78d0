/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.FusionRace;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FusionTimes;
import org.gstqpu.kernels.internal.picture.WarmingContext;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceCounters;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.plugin.ElementHost.LogLevel;

/**
 * The substrate that filters an element's pictures: the one that was opened; or, after a device has failed, the CPU, until the
 * device serves again. Owns both. Belongs to the streaming thread; methods that any thread may call say so.
 *
 * <p>The device is opened again by a thread of its own, because that takes as long as some pictures, or for ever where the driver
 * hangs. It is tried after {@link #FIRST_WAIT} pictures on the CPU. If it fails again before it has served as many pictures as it
 * was waited for, the next wait is twice as long, up to {@link #LONGEST_WAIT} pictures. No clock is read. What a device that hangs
 * has taken stays taken until the process ends, so that a device is given up for good when it hangs for the {@link #MOST_HANGS}th
 * time.
 */
final class ServingSubstrate implements AutoCloseable {
    /** Pictures before a device that has failed is tried again. */
    static final int FIRST_WAIT = 16;

    /** Most pictures between two tries: about 11 minutes of 25 pictures a second. */
    static final int LONGEST_WAIT = 16384;

    /** How often a device may hang. */
    static final int MOST_HANGS = 3;

    /** How a substrate is opened: {@link org.gstqpu.kernels.Substrates#open}. */
    @FunctionalInterface
    interface Opener {
        /** Opens it. Any thread. */
        FilterContext open(SubstrateRequest request) throws SubstrateUnavailableException;
    }

    /** A device that was opened again, or why it could not be. */
    private record Reopened(Optional<FilterContext> device, String problem) {}

    private final Opener opener;
    private final SubstrateRequest request;
    private final boolean takesOver;
    private final Executor retries;
    private final ElementHost host;

    /** The substrate in use; only the streaming thread sets it. */
    private volatile FilterContext current;

    /** The CPU that takes a device's place; null before a device has failed. Kept for the next failure: its kernels are compiled. */
    private FilterContext standIn;

    /** What the devices have counted that were given up. */
    @GuardedBy("this")
    private DeviceCounters past = DeviceCounters.NONE;

    /** Why the CPU filters; empty while the substrate filters that was opened. */
    private volatile String lossReason = "";

    private final AtomicLong losses = new AtomicLong();
    private final AtomicLong tries = new AtomicLong();
    private volatile boolean hurried;

    /** Pictures that the device has finished since it was opened; it serves once there is one. */
    private long served;

    /** Pictures of the last wait; 0 before the first. */
    private int pause;

    /** Pictures on the CPU until the device is tried again. */
    private int left;

    private int hangs;

    /** The device that is being opened again; null if none is. */
    private CompletableFuture<Reopened> reopening;

    private boolean closed;

    /**
     * Opens the substrate.
     *
     * @param takesOver true if the CPU takes the place of a device that fails
     * @param retries runs the openings of a device that has failed
     */
    ServingSubstrate(Opener opener, SubstrateRequest request, boolean takesOver, Executor retries, ElementHost host)
            throws SubstrateUnavailableException {
        this.opener = opener;
        this.request = request;
        this.takesOver = takesOver;
        this.retries = retries;
        this.host = host;
        current = opener.open(request);
    }

    /** Runs each task in a daemon thread of its own: it may never end. */
    static void inOwnThread(Runnable task) {
        Thread thread = new Thread(task, "qpu-device-retry");
        thread.setDaemon(true);
        thread.start();
    }

    /** The substrate in use. Any thread may read its counters. */
    FilterContext current() {
        return current;
    }

    /** How the substrate in use is made warm. */
    WarmingContext warming() {
        return WarmingContext.of(current);
    }

    /** True if a device filters. */
    boolean onDevice() {
        return current.substrate() == Substrate.QPU;
    }

    /** True if the CPU takes the place of a device that fails. */
    boolean takesOver() {
        return takesOver;
    }

    /** Why that substrate is in use: one line. Any thread. */
    String reason() {
        String loss = lossReason;
        return loss.isEmpty() ? current.reason() : loss;
    }

    /** How often a device failed and the CPU took its place; any thread. */
    long losses() {
        return losses.get();
    }

    /** How often a device that had failed was tried again; any thread. */
    long tries() {
        return tries.get();
    }

    /**
     * What pictures take with fusion, as {@link FusionRace#times} finds out. Its own pictures are not counted.
     *
     * @throws DeviceException when the device failed
     */
    Optional<FusionTimes> fusionTimes(PixelFormat format, int width, int height) {
        DeviceCounters before = current.counters();
        try {
            return FusionRace.times(current, format, width, height);
        } finally {
            synchronized (this) {
                past = past.plus(before).minus(current.counters());
            }
        }
    }

    /** What all devices have counted; any thread. */
    synchronized DeviceCounters counts() {
        return past.plus(current.counters());
    }

    /** Lets waits for the device be short, or not: see {@link FilterContext#hurry}; any thread. */
    void hurry(boolean hurry) {
        hurried = hurry;
        current.hurry(hurry);
    }

    /**
     * Puts the CPU in the place of a device that has failed, and closes the device. All that was made by the device is closed before.
     *
     * @param hung true if the device did not end its work
     * @return what the user is told
     * @throws SubstrateUnavailableException if the CPU cannot be used
     */
    Loss replaceDevice(DeviceException failure, boolean hung) throws SubstrateUnavailableException {
        FilterContext device = current;
        if (standIn == null) {
            standIn = opener.open(new SubstrateRequest(Substrate.CPU, Optional.empty(), request.threads()));
        }
        if (hung) {
            hangs++;
        }
        boolean before = losses.get() > 0 && served == 0;
        waitOn(served);
        String cause = device.deviceName() + " failed: " + failure.getMessage();
        synchronized (this) {
            past = past.plus(device.counters());
            current = standIn;
        }
        lossReason = "the CPU filters in the device's place: " + cause;
        losses.incrementAndGet();
        served = 0;
        close(device);
        return new Loss(cause, !before, hangs < MOST_HANGS ? pause : 0);
    }

    /**
     * What the user is told of a device that was given up.
     *
     * @param cause which device failed, and how
     * @param news false if the device failed at its first picture after an earlier failure
     * @param pause pictures until the device is tried again; 0 for never
     */
    record Loss(String cause, boolean news, int pause) {}

    /** Begins a wait, after the device has finished so many pictures. */
    private void waitOn(long finished) {
        pause = finished >= pause ? FIRST_WAIT : Math.min(2 * pause, LONGEST_WAIT);
        left = pause;
    }

    /**
     * Counts a picture that is about to begin, and tries the device again if it is time. Never waits.
     *
     * @return true if a device is open again: {@link #adopt} follows
     */
    boolean isBack() {
        if (lossReason.isEmpty() || onDevice() || hangs >= MOST_HANGS) {
            return false;
        }
        if (reopening == null) {
            left--;
            if (left <= 0) {
                tries.incrementAndGet();
                reopening = beginReopening();
            }
        }
        if (reopening == null || !reopening.isDone()) {
            return false;
        }
        Reopened reopened = reopening.join();
        if (reopened.device().isPresent()) {
            return true;
        }
        reopening = null;
        waitOn(0);
        host.log(
                LogLevel.INFO,
                "the device is not back, and is tried again after " + pause + " pictures: " + reopened.problem());
        return false;
    }

    private CompletableFuture<Reopened> beginReopening() {
        try {
            return CompletableFuture.supplyAsync(this::reopen, retries);
        } catch (OutOfMemoryError e) {
            // No thread can be started. The stream runs well without the device.
            return CompletableFuture.completedFuture(new Reopened(Optional.empty(), e.toString()));
        }
    }

    /** Opens the device. Throws nothing, errors included: where a limit is reached, the stream still runs well on the CPU. */
    private Reopened reopen() {
        try {
            FilterContext opened = opener.open(request);
            if (opened.substrate() == Substrate.QPU) {
                return new Reopened(Optional.of(opened), "");
            }
            String why = opened.reason();
            opened.close();
            return new Reopened(Optional.empty(), why);
        } catch (Throwable e) {
            return new Reopened(Optional.empty(), e.toString());
        }
    }

    /** Puts the device that is back in the place of the CPU. */
    void adopt() {
        FilterContext device = reopening.join().device().orElseThrow();
        reopening = null;
        synchronized (this) {
            current = device;
        }
        device.hurry(hurried);
    }

    /**
     * Counts a picture that the device has finished.
     *
     * @return true if it is the first after a failure, so that the device serves again
     */
    boolean finished() {
        served++;
        if (served == 1 && !lossReason.isEmpty()) {
            lossReason = "";
            return true;
        }
        return false;
    }

    private void close(FilterContext context) {
        try {
            context.close();
        } catch (DeviceException e) {
            host.log(LogLevel.WARNING, "the device could not be closed: " + e.getMessage());
        }
    }

    /** Releases both substrates; a device that is being opened is closed by its thread. A second call does nothing. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (reopening != null) {
            reopening = reopening.whenComplete((late, failure) -> {
                if (late != null) {
                    late.device().ifPresent(this::close);
                }
            });
        }
        FilterContext used = current;
        try (used) {
            if (standIn != null && standIn != used) {
                standIn.close();
            }
        }
    }
}
