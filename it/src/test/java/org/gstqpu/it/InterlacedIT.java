package org.gstqpu.it;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Interlaced pictures are filtered as their fields are, one after the other. */
final class InterlacedIT {
    private static final int WIDTH = 82;
    private static final int HEIGHT = 68;

    /** Luma for certain, by a filter the rest of whose strength is automatic. */
    private static final String[] SETTINGS = {"set deblock false", "set cdef-y-primary 9", "set cdef-y-secondary 4"};

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void fieldsAreFilteredApart(String substrate, @TempDir Path folder) throws IOException {
        RawVideo frames = RawVideo.synthetic(VideoFormat.I420, WIDTH, HEIGHT, 3, 11);
        RawVideo whole = new ElementHost(Files.createDirectory(folder.resolve("whole")))
                .then("set substrate " + substrate)
                .then(SETTINGS)
                .then("start video-meta")
                .then("caps video/x-raw,format=I420,width=" + WIDTH + ",height=" + HEIGHT
                        + ",framerate=25/1,interlace-mode=interleaved")
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

    /** Every other row of each plane, then the rest. */
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
