/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames in real dmabufs from the kernel's virtual camera. */
@Tag(RealDmabufs.TAG)
final class DmabufCameraIT {
    private static final int WIDTH = 320;
    private static final int HEIGHT = 180;
    private static final int FRAMES = 60;

    /** The largest number of buffers of a V4L2 queue. */
    private static final int CAMERA_BUFFERS = 32;

    @Test
    void theDoctorFindsADeviceThatImportsDmabufs() throws IOException {
        ProcessOutcome doctor = Processes.run(
                        List.of(BuildTree.root().resolve("pipelines/qpu").toString(), "doctor", "--kernels"),
                        GstEnvironment.standard().variables(),
                        Path.of("/dev/null"),
                        Duration.ofMinutes(2))
                .requireSuccess();
        assertTrue(
                doctor.output().lines().anyMatch(line -> line.matches("\\s+can .*\\bimport dmabufs\\b.*")),
                () -> doctor.describe("no device imports dmabufs"));
        assertTrue(
                doctor.output().lines().anyMatch(line -> line.matches("ok .*/dev/udmabuf\\b.*")),
                () -> doctor.describe("the doctor does not see /dev/udmabuf"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"video/x-raw,format=NV12", "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=NV12"})
    void framesInDmabufsComeOutAsTheSameFramesInSystemMemory(String caps, @TempDir Path folder) throws IOException {
        if (caps.contains("DMA_DRM") && !hasDmaDrm()) {
            abort("format=DMA_DRM is of GStreamer 1.24");
        }
        Path seen = folder.resolve("seen.yuv");
        Path filtered = folder.resolve("filtered.yuv");
        // Without a queue: if many of its buffers are held, v4l2src changes to copies in system memory.
        PipelineHost.Result result = PipelineHost.run(
                GstEnvironment.standard(),
                folder,
                List.of("v4l2src device=" + camera() + " io-mode=dmabuf num-buffers=" + FRAMES + " ! " + caps
                        + ",width="
                        + WIDTH + ",height=" + HEIGHT + " ! tee name=t t. ! filesink async=false location=" + seen
                        + " t. ! qpuloopfilter name=qpu substrate=qpu require-zero-copy=true"
                        + " ! filesink async=false location=" + filtered),
                "play",
                "wait",
                "stats qpu");

        RawVideo input = RawVideo.read(seen, VideoFormat.NV12, WIDTH, HEIGHT);
        assertEquals(FRAMES, input.frames().size(), "frames of the camera");
        FilterRun again = new FilterRun(folder);
        again.add(input, "substrate=cpu");
        again.run(GstEnvironment.standard())
                .get(0)
                .requireSame(RawVideo.read(filtered, VideoFormat.NV12, WIDTH, HEIGHT), "from dmabufs");

        Stats stats = Stats.of(result.lines().stream()
                        .filter(line -> line.startsWith("stats "))
                        .toList())
                .get(0);
        assertEquals(FRAMES, stats.frames(), stats::toString);
        assertEquals(0, stats.number("bytes-copied"), stats::toString);
        assertEquals(0, stats.number("imports-host"), stats::toString);
        // The camera's buffers come again, and the element then knows them.
        long imports = stats.number("imports-dmabuf");
        assertTrue(imports > 0 && imports <= CAMERA_BUFFERS, stats::toString);
        assertEquals(
                2 * FRAMES,
                imports + stats.number("imports-pool") + stats.number("import-cache-hits"),
                stats::toString);
    }

    @Test
    void theReadyPipelineOfACameraShowsItsPictures() throws IOException {
        ProcessOutcome play = Processes.run(
                        List.of(
                                BuildTree.root().resolve("pipelines/qpu").toString(),
                                "play",
                                "--as",
                                "camera",
                                camera().toString(),
                                "--sink",
                                "fakesink num-buffers=5",
                                "--set",
                                "substrate=cpu"),
                        GstEnvironment.standard().variables(),
                        Path.of("/dev/null"),
                        Duration.ofMinutes(2))
                .requireSuccess();
        assertTrue(
                play.output().lines().anyMatch(line -> line.matches("[1-9]\\d* pictures on cpu .*")),
                () -> play.describe("no picture of the camera was filtered"));
    }

    private static boolean hasDmaDrm() throws IOException {
        String version = Processes.run(
                        List.of("gst-inspect-1.0", "--version"),
                        GstEnvironment.standard().variables(),
                        Path.of("/dev/null"),
                        Duration.ofMinutes(1))
                .requireSuccess()
                .output();
        Matcher matcher = Pattern.compile("GStreamer 1\\.(\\d+)").matcher(version);
        return matcher.find() && Integer.parseInt(matcher.group(1)) >= 24;
    }

    /** The device file of the virtual camera. A machine without a camera skips the test; the rig always has one. */
    private static Path camera() throws IOException {
        Path devices = Path.of("/sys/class/video4linux");
        if (Files.isDirectory(devices)) {
            try (Stream<Path> found = Files.list(devices)) {
                for (Path device : found.sorted().toList()) {
                    if (Files.readString(device.resolve("name")).matches("vivid-\\d+-vid-cap\\s*")) {
                        return Path.of("/dev").resolve(device.getFileName());
                    }
                }
            }
        }
        return abort("no virtual camera: modprobe vivid");
    }
}
