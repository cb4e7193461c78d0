package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frames that come as real dmabufs, from the kernel's virtual camera. */
@Tag(RealDmabufs.TAG)
final class DmabufCameraIT {
    private static final int WIDTH = 320;
    private static final int HEIGHT = 180;
    private static final int FRAMES = 8;

    @Test
    void theDoctorFindsADeviceThatImportsDmabufs() throws IOException {
        ProcessOutcome doctor = Processes.run(
                        List.of(BuildTree.root().resolve("pipelines/qpu").toString(), "doctor"),
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

    @Test
    void framesInDmabufsComeOutAsTheSameFramesInSystemMemory(@TempDir Path folder) throws IOException {
        Path seen = folder.resolve("seen.yuv");
        Path filtered = folder.resolve("filtered.yuv");
        GstLaunch.succeed("v4l2src device=" + camera() + " io-mode=dmabuf num-buffers=" + FRAMES
                + " ! video/x-raw,format=NV12,width=" + WIDTH + ",height=" + HEIGHT
                + " ! tee name=t t. ! queue ! filesink location=" + seen
                + " t. ! queue ! qpuloopfilter substrate=qpu ! filesink location=" + filtered);

        RawVideo input = RawVideo.read(seen, VideoFormat.NV12, WIDTH, HEIGHT);
        assertEquals(FRAMES, input.frames().size(), "frames of the camera");
        FilterRun again = new FilterRun(folder);
        again.add(input, "substrate=cpu");
        again.run(GstEnvironment.standard())
                .get(0)
                .requireSame(RawVideo.read(filtered, VideoFormat.NV12, WIDTH, HEIGHT), "from dmabufs");
    }

    /** The virtual camera's device file; without one the test does not run, but the rig always has one. */
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
