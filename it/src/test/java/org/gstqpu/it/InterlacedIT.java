/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Interlaced pictures are filtered field by field: the result equals that of the fields as pictures of their own. */
final class InterlacedIT {
    private static final int WIDTH = 82;
    private static final int HEIGHT = 68;

    private static final String INTERLEAVED = "caps video/x-raw,format=I420,width=" + WIDTH + ",height=" + HEIGHT
            + ",framerate=25/1,interlace-mode=interleaved";

    /** A fixed strength for luma; the other strengths are automatic. */
    private static final String[] SETTINGS = {"set deblock false", "set cdef-y-primary 9", "set cdef-y-secondary 4"};

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void fieldsAreFilteredApart(String substrate, @TempDir Path folder) throws IOException {
        RawVideo frames = RawVideo.synthetic(VideoFormat.I420, WIDTH, HEIGHT, 3, 11);
        RawVideo whole = new ElementHost(Files.createDirectory(folder.resolve("whole")))
                .then("set substrate " + substrate)
                .then(SETTINGS)
                .then("start video-meta")
                .then(INTERLEAVED)
                .push(frames, 0)
                .run()
                .video(VideoFormat.I420, WIDTH, HEIGHT);
        RawVideo fields = fields(frames);
        RawVideo apart = new ElementHost(Files.createDirectory(folder.resolve("apart")))
                .then("set substrate " + substrate)
                .then(SETTINGS)
                .then("start video-meta")
                .caps(fields)
                .push(fields, 0)
                .run()
                .video(VideoFormat.I420, WIDTH, HEIGHT / 2);
        apart.requireSame(fields(whole), "fields of frames");
    }

    /**
     * Pictures with side information are filtered as frames. The JVM may allocate in one round; a filter that was made anew would
     * allocate in every round.
     */
    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void sideInformationByTurnsMakesNoFilterAnew(String substrate, @TempDir Path folder) throws IOException {
        RawVideo frame = RawVideo.synthetic(VideoFormat.I420, WIDTH, HEIGHT, 1, 11);
        ElementHost host = new ElementHost(folder).then("set substrate " + substrate, "start video-meta", INTERLEAVED);
        int rounds = 6;
        int pairs = 10;
        for (int i = 0; i < rounds * pairs; i++) {
            host.then("param codec string h264", "param qp int 40").push(frame, 2L * i);
            host.then("params none").push(frame, 2L * i + 1);
            if (i % pairs == pairs - 1) {
                host.then("stats");
            }
        }
        ElementHost.Result result = host.run();
        List<Stats> stats = Stats.of(result.linesOf("stats"));
        long least = Long.MAX_VALUE;
        for (int round = 1; round < rounds; round++) {
            long before = Math.max(0, stats.get(round - 1).number("java-bytes"));
            least = Math.min(least, stats.get(round).number("java-bytes") - before);
        }
        assertEquals(0, least, stats::toString);
        Stats last = stats.get(rounds - 1);
        assertEquals((long) rounds * pairs, last.number("frames-with-params"));
        assertEquals(stats.get(1).number("pool-bytes"), last.number("pool-bytes"));
        assertEquals(stats.get(1).number("re-records"), last.number("re-records"));
        List<byte[]> pictures = result.video(VideoFormat.I420, WIDTH, HEIGHT).frames();
        byte[] asFrame = new ElementHost(Files.createDirectory(folder.resolve("alone")))
                .then("set substrate cpu", "start")
                .caps(frame)
                .then("param codec string h264", "param qp int 40")
                .push(frame, 0)
                .run()
                .pictures();
        for (int i = 0; i < pictures.size(); i += 2) {
            assertArrayEquals(asFrame, pictures.get(i), "frame " + i);
            assertFalse(Arrays.equals(asFrame, pictures.get(i + 1)), "frame " + (i + 1) + " has no side information");
        }
    }

    /** The even rows of each plane, then the odd rows. */
    private static RawVideo fields(RawVideo frames) {
        List<byte[]> fields = new ArrayList<>();
        for (byte[] frame : frames.frames()) {
            for (int field = 0; field < 2; field++) {
                ByteBuffer rows = ByteBuffer.allocate(frame.length / 2);
                int at = 0;
                for (int plane = 0; plane < 3; plane++) {
                    int width = plane == 0 ? WIDTH : WIDTH / 2;
                    int height = plane == 0 ? HEIGHT : HEIGHT / 2;
                    for (int row = 0; row < height; row++) {
                        if (row % 2 == field) {
                            rows.put(frame, at, width);
                        }
                        at += width;
                    }
                }
                fields.add(rows.array());
            }
        }
        return new RawVideo(frames.format(), WIDTH, HEIGHT / 2, fields);
    }
}
