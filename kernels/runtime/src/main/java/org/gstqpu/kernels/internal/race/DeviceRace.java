/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.race;

import java.lang.System.Logger;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.gstqpu.kernels.internal.vulkan.device.Patience;
import org.gstqpu.kernels.substrate.SubstrateTimes;

/**
 * A race of a device in a thread of its own, so that nobody waits long for a device that hangs, or for a driver that compiles. Such a
 * race is left to itself: it goes on until the device has failed or has done its pictures, and then closes the device. Belongs to one
 * thread at a time, which is not the race's.
 */
public final class DeviceRace {
    /** How long a race is waited for. It takes some tenths of a second, and a few seconds where a driver compiles. */
    public static final long USUAL_NANOS = Patience.USUAL_NANOS / 6;

    /** How long {@link #end} waits. A device that hangs is given up after less than half of that, once it is hurried. */
    private static final long LAST_WAIT_NANOS = Patience.USUAL_NANOS / 12;

    /** A device in a race. */
    public interface Racer extends AutoCloseable {
        /** Its name. */
        String deviceName();

        /** Lets waits for it be short, as {@code FilterContext.hurry} says; any thread. */
        void hurry(boolean hurried);

        @Override
        void close();
    }

    private static final Logger LOG = System.getLogger(DeviceRace.class.getName());

    private final Racer device;
    private final CompletableFuture<SubstrateTimes> result = new CompletableFuture<>();

    /** Done once the device is closed; null unless the race was left to itself. */
    private Future<Void> closed;

    /**
     * Begins the race. Until {@link #await} returns a result, or throws, the device belongs to the race.
     *
     * @throws OutOfMemoryError if no thread can be started; the device stays the caller's
     */
    public DeviceRace(Racer device, Supplier<SubstrateTimes> race) {
        this.device = device;
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(race.get());
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                },
                "qpu-race");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Waits for the result, and gives the device back to the caller with it, or with what the race threw. A race that takes longer is
     * left to itself, with the device. Call it once.
     *
     * @param nanos how long to wait
     * @param late takes the result of a race that was left to itself, in the race's thread
     * @return empty if the race was left to itself
     */
    public Optional<SubstrateTimes> await(long nanos, Consumer<SubstrateTimes> late) {
        try {
            return Optional.of(get(result, nanos));
        } catch (ExecutionException e) {
            throw unchecked(e.getCause());
        } catch (TimeoutException e) {
            closed = result.handle((times, failure) -> finish(times, failure, late));
            return Optional.empty();
        }
    }

    private Void finish(SubstrateTimes times, Throwable failure, Consumer<SubstrateTimes> late) {
        try {
            if (failure == null) {
                LOG.log(Logger.Level.INFO, () -> "the race has ended late: " + times.explanation());
                late.accept(times);
            } else {
                LOG.log(Logger.Level.WARNING, () -> "the race of " + device.deviceName() + " failed: " + failure);
            }
        } finally {
            device.close();
        }
        return null;
    }

    /**
     * Ends a race that was left to itself: hurries the device, and waits a short time until it is closed, since a process should not
     * exit while a driver works. A driver that compiles cannot be hurried, and goes on alone. Does nothing for any other race.
     */
    public void end() {
        end(LAST_WAIT_NANOS);
    }

    /** Does the same, and waits so long at most. */
    public void end(long waitNanos) {
        if (closed == null) {
            return;
        }
        device.hurry(true);
        try {
            get(closed, waitNanos);
        } catch (ExecutionException e) {
            LOG.log(Logger.Level.WARNING, () -> "the device could not be closed after its race: " + e.getCause());
        } catch (TimeoutException e) {
            LOG.log(Logger.Level.DEBUG, "the race of {0} goes on", device.deviceName());
        }
    }

    /** Waits as {@link Future#get} does, but is not interrupted. */
    private static <T> T get(Future<T> future, long nanos) throws ExecutionException, TimeoutException {
        long begin = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(nanos - (System.nanoTime() - begin), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return (RuntimeException) failure;
    }
}
