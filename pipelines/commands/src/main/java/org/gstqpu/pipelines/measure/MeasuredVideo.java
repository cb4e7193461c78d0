/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import org.gstqpu.meter.Measurement;

/**
 * What was measured of one video.
 *
 * @param distorted the video
 * @param reference what it was compared with
 * @param shift pictures of the reference, or if negative of the video, that were left out at the beginning
 * @param originalOnly pictures of the reference without a counterpart; all behind the video's end count as one
 * @param madeOnly pictures of the video without a counterpart, likewise
 * @param framesPerSecond how fast it was measured
 * @param measured the figures of its pictures
 */
record MeasuredVideo(
        String distorted,
        String reference,
        int shift,
        int originalOnly,
        int madeOnly,
        double framesPerSecond,
        Measurement measured) {}
