/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes and runs a script for the C program {@code dmabuf-host}, which pushes NV12 pictures in real dmabufs of many shapes through a
 * {@code qpuloopfilter}. Belongs to one test; its files lie in the test's folder.
 */
final class DmabufHost {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(20);

    private final Path folder;
    private final RawVideo video;
    private final List<String> script = new ArrayList<>();
    private int framerate = 24;

    /**
     * The output of a run.
     *
     * @param lines one line for each event, in order
     * @param pictures the filtered pictures, not cut into columns
     */
    record Result(List<String> lines, RawVideo pictures) {
        /** Lines that start with {@code word}. */
        List<String> linesOf(String word) {
            return lines.stream().filter(line -> line.startsWith(word + " ")).toList();
        }

        /** The errors and warnings that the element posted. */
        List<String> said() {
            return lines.stream()
                    .filter(line -> line.startsWith("error ") || line.startsWith("warning "))
                    .toList();
        }

        /** The element's statistics, for which the script must ask once. */
        Stats stats() {
            return Stats.of(linesOf("stats")).get(0);
        }
    }

    /**
     * Pictures to push.
     *
     * @param video NV12 or P010_10LE
     */
    DmabufHost(Path folder, RawVideo video) throws IOException {
        this.folder = folder;
        this.video = video;
        video.write(folder.resolve("pictures.raw"));
        if (video.format() == VideoFormat.P010_10LE) {
            script.add("depth 10");
        }
    }

    /** Caps of dmabufs with a DRM format, without a size. */
    static String drm(String drmFormat) {
        return "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=" + drmFormat;
    }

    /** Adds commands as the C program's header describes them. Returns itself. */
    DmabufHost then(String... commands) {
        script.addAll(List.of(commands));
        return this;
    }

    /** Adds the input caps of the pictures. Each call makes different caps. Returns itself. */
    DmabufHost caps(String drmFormat) {
        return caps(drmFormat, video.width(), video.height());
    }

    /** Adds the input caps of the pictures, cropped to this size. Returns itself. */
    DmabufHost croppedCaps(String drmFormat, int width, int height) {
        return caps(drmFormat, width, height).then("coded " + video.width() + " " + video.height());
    }

    private DmabufHost caps(String drmFormat, int width, int height) {
        framerate++;
        return then("caps " + drm(drmFormat) + ",framerate=" + framerate + "/1,width=" + width + ",height=" + height);
    }

    /** Adds a command that pushes a picture in dmabufs of this shape. Returns itself. */
    DmabufHost push(String shape, int picture) {
        int pictureBytes = video.format().pictureBytes(video.width(), video.height());
        return then("push " + shape + " " + folder.resolve("pictures.raw") + " " + (long) picture * pictureBytes);
    }

    /** Runs the script. Fails unless the process ends well; messages of the element are no failure. */
    Result run() throws IOException {
        Path scriptFile = folder.resolve("script.txt");
        Path output = folder.resolve("output.raw");
        Files.write(scriptFile, script);
        ProcessOutcome outcome = Processes.run(
                        List.of(CProgram.named("dmabuf-host").toString(), output.toString()),
                        GstEnvironment.standard().variables(),
                        scriptFile,
                        TIME_LIMIT)
                .requireSuccess();
        return new Result(
                outcome.output().lines().toList(),
                RawVideo.read(output, video.format(), video.width(), video.height()));
    }
}
