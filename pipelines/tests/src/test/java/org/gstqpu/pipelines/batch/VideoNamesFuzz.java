/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.play.CutTimes;
import org.gstqpu.pipelines.play.TranscodeSettings;

/** Names of videos that anyone may have chosen: a plan of them is read as it was written, or one line says why there is none. */
public final class VideoNamesFuzz {
    private static final Planner.Wish WISH =
            new Planner.Wish("1", new TranscodeSettings("transcode", null, 20, null, Map.of()), ".mkv", null, false);

    private VideoNamesFuzz() {}

    /**
     * Plans a folder.
     *
     * @param data names of its files, with a zero between two
     */
    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        Path folder = Files.createTempDirectory("fuzz");
        try {
            Path in = Files.createDirectory(folder.resolve("in"));
            for (String name : new String(data, StandardCharsets.UTF_8).split("\0", -1)) {
                make(in, name);
            }
            plan(in, folder.resolve("out"));
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    /** Makes a file, if that is a name of one. */
    private static void make(Path in, String name) throws IOException {
        if (name.isBlank() || name.contains("/") || name.getBytes(StandardCharsets.UTF_8).length > 255) {
            return;
        }
        try {
            Path file = in.resolve(name);
            if (!Files.exists(file)) {
                Files.createFile(file);
            }
        } catch (InvalidPathException e) {
            // Java has no name for it where the locale has not all of Unicode.
            return;
        }
    }

    private static void plan(Path in, Path out) throws IOException {
        try {
            BatchPlan plan =
                    Planner.plan(BatchInputs.find(List.of(in.toString()), out), out, WISH, input -> CutTimes.NONE);
            if (!plan.equals(BatchPlan.read(out.resolve(BatchPlan.FILE), WISH.software()))) {
                throw new IllegalStateException("another plan is read");
            }
        } catch (CommandFailedException e) {
            if (e.getMessage().lines().count() != 1) {
                throw new IllegalStateException("not one line", e);
            }
        }
    }
}
