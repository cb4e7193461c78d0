/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench;

import static org.gstqpu.pipelines.cli.CommandFailedException.problem;
import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;
import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.WrongResultException;

/** A measurement of a benchmark command, with its output. */
@FunctionalInterface
public interface Measurement {
    /** Measures and prints. */
    void run() throws SubstrateUnavailableException;

    /**
     * Runs a measurement and turns its exceptions into exit statuses.
     *
     * @return {@link ExitStatus#OK}
     * @throws CommandFailedException when a device is missing or fails, or a result is wrong
     */
    static int measure(Measurement measurement) {
        try {
            measurement.run();
            return ExitStatus.OK;
        } catch (SubstrateUnavailableException e) {
            throw unavailable(e.getMessage(), e);
        } catch (DeviceException | WrongResultException e) {
            throw problem(e.getMessage(), e);
        }
    }

    /**
     * Checks the value of an option.
     *
     * @throws CommandFailedException when it is below {@code least}
     */
    static void require(String option, int least, int given) {
        if (given < least) {
            throw unusable(option + " is " + least + " or more, given " + given);
        }
    }
}
