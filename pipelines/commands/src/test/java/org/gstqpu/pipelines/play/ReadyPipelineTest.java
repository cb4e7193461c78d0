/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;

class ReadyPipelineTest {
    private static final Installation INSTALLATION = Installation.current();

    @Test
    void eachIsAScriptThatSaysWhatItIsForAndWhatItNeeds() {
        List<ReadyPipeline> all = ReadyPipeline.all(INSTALLATION);
        assertEquals(
                List.of("camera", "compare", "dvd", "hevc-pi5", "play", "rtsp", "security-camera", "transcode"),
                all.stream().map(ReadyPipeline::name).toList());
        for (ReadyPipeline ready : all) {
            assertTrue(Files.isExecutable(ready.file()), ready.name());
            assertTrue(ready.title().endsWith("."), ready.title());
            assertTrue(ready.needs().startsWith("gstreamer1.0-plugins-base, "), ready.needs());
            List<String> elements = new ArrayList<>(ready.elements());
            assertEquals(1, elements.stream().filter("qpuloopfilter"::equals).count(), elements::toString);
            assertTrue(elements.size() > 3, elements::toString);
        }
    }

    @Test
    void theElementsAreThoseOfTheLineAndOfTheChainsInIt() {
        assertEquals(
                List.of(
                        "playbin",
                        "capssetter",
                        "videoconvert",
                        "videoflip",
                        "qpuloopfilter",
                        "identity",
                        "autovideosink",
                        "autoaudiosink"),
                List.copyOf(ReadyPipeline.named(INSTALLATION, "play", false).elements()));
        assertEquals(
                List.of("urisourcebin", "parsebin", "h265parse", "v4l2slh265dec", "qpuloopfilter", "kmssink"),
                List.copyOf(ReadyPipeline.named(INSTALLATION, "hevc-pi5", false).elements()));
    }

    @Test
    void aDescriptionHoldsEveryValueAsItIs() {
        String description = ReadyPipeline.named(INSTALLATION, "play", false)
                .description(Map.of(
                        "INPUT", "file:///a \"b\" $HOME 'ü'.mkv",
                        "SINK", "fakesink sync=true",
                        "PROPERTIES", "device=" + ReadyPipeline.quoted("a \"b\\")));
        assertEquals(
                "playbin uri=\"file:///a \\\"b\\\" $HOME 'ü'.mkv\""
                        + " video-filter=\"capssetter name=colours caps=video/x-raw ! videoconvert ! videoflip video-direction=auto ! videoconvert"
                        + " ! qpuloopfilter name=qpu device=\\\"a \\\\\\\"b\\\\\\\\\\\""
                        + " ! identity"
                        + " ! videoconvert\""
                        + " video-sink=\"fakesink sync=true\" audio-sink=\"autoaudiosink\"",
                description);
        assertEquals(
                "v4l2src device=\"/dev/video7\" ! video/x-raw;image/jpeg ! decodebin ! queue max-size-buffers=\"1\" leaky=\"downstream\" ! videoconvert"
                        + " ! qpuloopfilter name=\"qpu\" qp=\"3\""
                        + " ! identity"
                        + " ! videoconvert ! fakesink num-buffers=5",
                ReadyPipeline.named(INSTALLATION, "camera", false)
                        .description(Map.of(
                                "INPUT", "/dev/video7", "SINK", "fakesink num-buffers=5", "PROPERTIES", "qp=\"3\"")));
    }

    @Test
    void thePipelinesThatEncodeByTranscodebinHaveAFilterBetweenQueues() {
        assertEquals(
                Optional.of(
                        "queue max-size-buffers=4 max-size-bytes=0 max-size-time=0 ! videoconvert ! qpuloopfilter name=qpu qp=\"3\""
                                + "     ! queue max-size-buffers=4 max-size-bytes=0 max-size-time=0 ! videoconvert"),
                ReadyPipeline.named(INSTALLATION, "transcode", true).videoFilter("qp=\"3\""));
        assertTrue(ReadyPipeline.named(INSTALLATION, "dvd", true)
                .videoFilter("")
                .orElseThrow()
                .contains("! deinterlace !"));
        assertEquals(
                Optional.empty(),
                ReadyPipeline.named(INSTALLATION, "security-camera", true).videoFilter(""));
    }

    @Test
    void aNameThatIsNoneOrOfTheOtherCommandIsRefusedWithThoseThatThereAre() {
        CommandFailedException refused =
                assertThrows(CommandFailedException.class, () -> ReadyPipeline.named(INSTALLATION, "dvd", false));
        assertEquals("--as takes one of camera, hevc-pi5, play, given dvd", refused.getMessage());
        assertEquals(ExitStatus.UNUSABLE_INPUT, refused.exitStatus());
    }

    @Test
    void aPipelineOfTheNetworkRefusesFiles() {
        ReadyPipeline camera = ReadyPipeline.named(INSTALLATION, "security-camera", true);
        String file = camera.file().toString();
        CommandFailedException refused = assertThrows(CommandFailedException.class, () -> camera.inputAddress(file));
        assertEquals(
                "security-camera reads from an address that begins with http://, given " + file
                        + "; files are for qpu transcode without --as security-camera",
                refused.getMessage());
        assertEquals(ExitStatus.UNUSABLE_INPUT, refused.exitStatus());
        assertEquals("https://door/video", camera.inputAddress("https://door/video"));
        camera.checkOutput("door.mkv");
        ReadyPipeline relay = ReadyPipeline.named(INSTALLATION, "rtsp", true);
        assertEquals("rtsp://door/video", relay.inputAddress("rtsp://door/video"));
        assertThrows(CommandFailedException.class, () -> relay.inputAddress("http://door/video"));
        assertThrows(CommandFailedException.class, () -> relay.checkOutput("door.mkv"));
        relay.checkOutput("rtsp://server/door");
        assertTrue(ReadyPipeline.named(INSTALLATION, "transcode", true)
                .inputAddress(file)
                .startsWith("file:///"));
    }

    /** An element that takes the name of a file would not find {@code file:///…}. */
    @Test
    void eachPipelineTakesTheKindOfInputThatIsMadeForIt() {
        for (ReadyPipeline ready : ReadyPipeline.all(INSTALLATION)) {
            String source = ready.elements().iterator().next();
            assertTrue(
                    List.of("urisourcebin", "uridecodebin", "playbin", "rtspsrc", "souphttpsrc", "v4l2src")
                            .contains(source),
                    () -> ready.name() + ": " + source);
        }
    }

    @Test
    void filesAndDevicesAreNotTakenForEachOther() {
        ReadyPipeline play = ReadyPipeline.named(INSTALLATION, "play", false);
        ReadyPipeline camera = ReadyPipeline.named(INSTALLATION, "camera", false);
        assertEquals("/dev/null", camera.inputAddress("/dev/null"));
        String file = play.file().toString();
        for (String noDevice : List.of(file, "https://door/video")) {
            refused(
                    camera,
                    noDevice,
                    "camera reads from a device, such as /dev/video0, given " + noDevice
                            + "; files and addresses are for qpu play without --as camera");
        }
        refused(camera, "/dev", "/dev is a folder: name a device in it");
        refused(camera, " ", "the name of the input is empty: name a device, such as /dev/video0");
        refused(camera, "/dev/video-none", "/dev/video-none: no such file");
        refused(
                play,
                "/dev/null",
                "/dev/null is no regular file: name a file or an address; a camera is for qpu play --as camera");
        refused(play, "/dev", "/dev is a folder: name a file in it");
    }

    private static void refused(ReadyPipeline ready, String input, String message) {
        CommandFailedException refused =
                assertThrows(CommandFailedException.class, () -> ready.inputAddress(input), message);
        assertEquals(message, refused.getMessage());
        assertEquals(ExitStatus.UNUSABLE_INPUT, refused.exitStatus());
    }
}
