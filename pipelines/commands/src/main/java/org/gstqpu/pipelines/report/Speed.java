/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.report;

/**
 * How fast one substrate filters pictures of one size.
 *
 * @param substrate {@code cpu} or {@code qpu}
 * @param device name of the device
 * @param quality {@code fast}: deblocking and CDEF; {@code best}: shrinkage with 8 shifts
 * @param width width of the pictures in pixels
 * @param height height of the pictures in pixels
 * @param coldFramesPerSecond pictures a second in the first second after the start of a process, the opening of the device included
 * @param framesPerSecond pictures a second after that
 * @param cores processors that the process used meanwhile, on average
 * @param checksum CRC-32 of a filtered picture; all substrates have the same
 * @param problem why there is no figure; null if there is one
 */
record Speed(
        String substrate,
        String device,
        String quality,
        int width,
        int height,
        double coldFramesPerSecond,
        double framesPerSecond,
        double cores,
        long checksum,
        String problem) {}
