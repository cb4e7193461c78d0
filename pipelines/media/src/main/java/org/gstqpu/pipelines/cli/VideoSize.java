/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.util.List;

/**
 * A picture size that benchmarks measure.
 *
 * @param name the name on the command line
 * @param width in luma samples, a multiple of 16, so that rows have no padding
 * @param height in luma rows
 */
public record VideoSize(String name, int width, int height) {
    /** The known sizes: one at which a kernel has nearly nothing to do, and those from DVD to 4K. */
    static final List<VideoSize> ALL = List.of(
            new VideoSize("16x16", 16, 16),
            new VideoSize("480p", 720, 480),
            new VideoSize("720p", 1280, 720),
            new VideoSize("1080p", 1920, 1080),
            new VideoSize("4K", 3840, 2160));

    /**
     * Finds a size by its name.
     *
     * @throws CommandFailedException when there is none
     */
    public static VideoSize named(String name) {
        return ALL.stream()
                .filter(size -> size.name.equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> unusable("no size '" + name + "': one of "
                        + String.join(", ", ALL.stream().map(VideoSize::name).toList())));
    }
}
