/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.report;

import static org.gstqpu.pipelines.cli.ChildProcess.words;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.media.ElementStats;

/**
 * A way for pictures to reach the filter, or to leave it, without a copy.
 *
 * @param name what it is
 * @param usable whether it works here, as far as that can be tried without a camera or a screen
 * @param finding what was seen
 */
record CopyFreePath(String name, boolean usable, String finding) {
    /**
     * Tries all ways on this machine.
     *
     * @param limitSeconds how long the pipeline may take in which the element's own memory is tried
     */
    static List<CopyFreePath> look(Installation installation, long limitSeconds) {
        List<CopyFreePath> all = new ArrayList<>();
        all.add(file("udmabuf", Path.of("/dev/udmabuf")));
        all.add(files("dma-heap", Path.of("/dev/dma_heap"), "*"));
        all.add(hevcDecoder());
        PiDecoder.look()
                .forEach(fault ->
                        all.add(new CopyFreePath("hevc decoder", false, fault.finding() + "; cure: " + fault.cure())));
        all.add(files("kms", Path.of("/dev/dri"), "card*"));
        all.add(files("render node", Path.of("/dev/dri"), "renderD*"));
        all.add(pool(installation, limitSeconds));
        return all;
    }

    private static CopyFreePath file(String name, Path file) {
        if (!Files.exists(file)) {
            return new CopyFreePath(name, false, "no " + file);
        }
        boolean may = Files.isReadable(file) && Files.isWritable(file);
        return new CopyFreePath(name, may, file + (may ? "" : ": this user may not open it"));
    }

    private static CopyFreePath files(String name, Path folder, String pattern) {
        if (!Files.isDirectory(folder)) {
            return new CopyFreePath(name, false, "no " + folder);
        }
        CopyFreePath last = new CopyFreePath(name, false, "none in " + folder);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, pattern)) {
            for (Path file : files) {
                last = file(name, file);
                if (last.usable) {
                    return last;
                }
            }
        } catch (IOException e) {
            return new CopyFreePath(name, false, folder + " cannot be read: " + e.getMessage());
        }
        return last;
    }

    /** The kernel's names of the HEVC decoders of Raspberry Pis. */
    private static CopyFreePath hevcDecoder() {
        Path devices = Path.of("/sys/class/video4linux");
        Map<String, String> found = new LinkedHashMap<>();
        if (Files.isDirectory(devices)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(devices)) {
                for (Path device : all) {
                    MachineFacts.text(device.resolve("name").toString())
                            .filter(name -> name.contains("hevc") || name.contains("rpivid"))
                            .ifPresent(name -> found.put(name, "/dev/" + device.getFileName()));
                }
            } catch (IOException e) {
                return new CopyFreePath("hevc decoder", false, devices + " cannot be read: " + e.getMessage());
            }
        }
        return found.isEmpty()
                ? new CopyFreePath("hevc decoder", false, "no V4L2 decoder of HEVC")
                : new CopyFreePath("hevc decoder", true, found.toString());
    }

    /** Lets a source draw into the element's own pool of dmabufs, which the device imports. */
    private static CopyFreePath pool(Installation installation, long limitSeconds) {
        String name = "element's dmabufs";
        Map<String, String> environment = new LinkedHashMap<>(installation.environment());
        environment.put("GST_DEBUG", "qpuloopfilter:4");
        environment.put("GST_DEBUG_NO_COLOR", "1");
        ChildProcess pipeline = new ChildProcess(
                words("gst-launch-1.0 videotestsrc num-buffers=10 ! video/x-raw,format=NV12,width=320,height=240"
                        + " ! qpuloopfilter substrate=qpu ! fakesink"),
                environment);
        Optional<ChildProcess.Result> result;
        try {
            result = pipeline.run(limitSeconds);
        } catch (CommandFailedException e) {
            return new CopyFreePath(name, false, "the pipeline was not done within " + limitSeconds + " s");
        }
        if (result.isEmpty()) {
            return new CopyFreePath(name, false, "no gst-launch-1.0: apt install gstreamer1.0-tools");
        }
        Optional<ElementStats> stats = ElementStats.find(result.get().output());
        if (result.get().status() != 0 || stats.isEmpty()) {
            return new CopyFreePath(
                    name,
                    false,
                    result.get()
                            .output()
                            .lines()
                            .filter(line -> line.startsWith("ERROR"))
                            .findFirst()
                            .orElse("the pipeline failed"));
        }
        long imports = stats.get().number("imports-dmabuf");
        long copied = stats.get().number("bytes-copied");
        return new CopyFreePath(
                name,
                imports > 0 && copied == 0,
                imports + " dmabufs imported, " + copied + " bytes copied on "
                        + stats.get().device());
    }
}
