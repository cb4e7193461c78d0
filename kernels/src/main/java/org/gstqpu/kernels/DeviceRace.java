/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.lang.System.Logger;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.internal.vulkan.device.Patience;

/**
 * A race of a device in a thread of its own, so that nobody waits long for a device that hangs, or for a driver that compiles. Such a
 * race is left to itself: it goes on until the device has failed or has done its pictures, and then closes the device. Belongs to the
 * thread that begins it.
 */
final class DeviceRace {
    /** How long a race is waited for. It takes some tenths of a second, and a few seconds where a driver compiles. */
    static final long USUAL_NANOS = Patience.USUAL_NANOS / 6;

    /** How long the end of a race is waited for that was left to itself. A device that is hurried is given up in 2 seconds. */
    private static final long LAST_WAIT_NANOS = Patience.USUAL_NANOS / 12;

    private static final Logger LOG = System.getLogger(DeviceRace.class.getName());

    private final FilterContext device;
    private final CompletableFuture<SubstrateTimes> result = new CompletableFuture<>();
    private CompletableFuture<Void> closed;

    /** Begins the race. Until {@link #await} returns a result, the device belongs to the race. */
    DeviceRace(FilterContext device, Supplier<SubstrateTimes> race) {
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
     * Waits for the result. With a result, or a failure of the race, the device belongs to the caller again. Without one in time the
     * race is left to itself, with the device: {@link #end} follows.
     *
     * @return empty if the race takes longer than so many nanoseconds, or this thread is interrupted
     */
    Optional<SubstrateTimes> await(long nanos) {
        try {
            return Optional.of(result.get(nanos, TimeUnit.NANOSECONDS));
        } catch (ExecutionException e) {
            throw unchecked(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            LOG.log(
                    Logger.Level.WARNING,
                    () -> device.deviceName() + " has not filtered its first pictures in "
                            + TimeUnit.NANOSECONDS.toSeconds(nanos) + " s, so the CPU takes its place");
        }
        closed = result.handle((times, failure) -> {
            device.close();
            return null;
        });
        return Optional.empty();
    }

    private static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return (RuntimeException) failure;
    }

    /**
     * Hurries a race that was left to itself, and waits a short time for its end: a process should not exit while a driver works. A
     * driver that compiles is not hurried by that; it goes on alone.
     */
    void end() {
        device.hurry(true);
        try {
            closed.get(LAST_WAIT_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            LOG.log(Logger.Level.WARNING, () -> "the device could not be closed after its race: " + e.getCause());
        } catch (TimeoutException e) {
            LOG.log(Logger.Level.DEBUG, "the race of {0} goes on", device.deviceName());
        }
    }
}
