/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Temporal fusion in the element: which pictures know which, on both substrates. */
final class TemporalIT {
    private static final int PICTURES = 8;
    private static final int CUT = 4;
    private static final long PICTURE_NANOS = 40_000_000;

    @TempDir
    private static Path files;

    private static RawVideo coded;

    @BeforeAll
    static void code() throws IOException {
        RawVideo footage = ReferenceDecoder.h264(H264Stream.all().get(0), true, files.resolve("footage.yuv"));
        Path jpeg = files.resolve("jpeg.yuv");
        GstLaunch.succeed(footage.parserFor(files.resolve("footage.yuv")) + " ! jpegenc quality=25 ! jpegdec"
                + " ! video/x-raw,format=I420 ! filesink location=" + jpeg);
        coded = RawVideo.read(jpeg, VideoFormat.I420, footage.width(), footage.height())
                .select(IntStream.range(0, PICTURES).boxed().toList());
    }

    /** The coded video, with a command in the middle. */
    private static RawVideo filtered(Path folder, String substrate, String setting, String inTheMiddle)
            throws IOException {
        ElementHost host = new ElementHost(folder)
                .then("set substrate " + substrate, setting, "start")
                .caps(coded)
                .push(coded.select(IntStream.range(0, CUT).boxed().toList()), 0);
        switch (inTheMiddle) {
            case "" -> host.then("stats");
            case "caps" -> host.caps(coded);
            default -> host.then(inTheMiddle);
        }
        return host.push(coded.select(IntStream.range(CUT, PICTURES).boxed().toList()), CUT * PICTURE_NANOS)
                .run()
                .video(VideoFormat.I420, coded.width(), coded.height());
    }

    /** Numbers of the pictures that are not as they are when each is filtered by itself. */
    private static String fused(RawVideo video, RawVideo alone) {
        assertEquals(PICTURES, video.frames().size());
        return IntStream.range(0, PICTURES)
                .filter(i ->
                        !Arrays.equals(alone.frames().get(i), video.frames().get(i)))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ':',
            value = {
                "'' : 1 2 3 4 5 6 7",
                "flush : 1 2 3 5 6 7",
                "gap 160000000 : 1 2 3 5 6 7",
                "discont : 1 2 3 5 6 7",
                "caps : 1 2 3 5 6 7",
                "set temporal off : 1 2 3",
            })
    void noPictureKnowsAnotherAcrossACut(String inTheMiddle, String expected, @TempDir Path folder) throws IOException {
        String command = inTheMiddle.trim();
        RawVideo alone = filtered(Files.createDirectory(folder.resolve("alone")), "cpu", "set temporal off", command);
        RawVideo cpu = filtered(Files.createDirectory(folder.resolve("cpu")), "cpu", "set temporal past", command);
        RawVideo qpu = filtered(Files.createDirectory(folder.resolve("qpu")), "qpu", "set temporal past", command);
        cpu.requireSame(qpu, "cpu and qpu");
        assertEquals(expected, fused(cpu, alone));
    }
}
