/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Y4mVideoTest {
    @TempDir
    private Path folder;

    /** A file of a header, and of pictures of so many zeros each. */
    private String file(String header, int pictures, int pictureBytes) throws Exception {
        Path file = Files.createTempFile(folder, "video", ".y4m");
        byte[] frame = new byte[6 + pictureBytes];
        System.arraycopy("FRAME\n".getBytes(StandardCharsets.US_ASCII), 0, frame, 0, 6);
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            out.write(("YUV4MPEG2 " + header + "\n").getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < pictures; i++) {
                out.write(frame);
            }
        }
        return file.toString();
    }

    private void refused(String header, int bytes, String cause) throws Exception {
        String file = file(header, 1, bytes);
        String message = assertThrows(CommandFailedException.class, () -> Y4mVideo.open(file), header)
                .getMessage();
        assertTrue(
                message.startsWith(file)
                        && message.contains(cause)
                        && message.lines().count() == 1,
                message);
    }

    @Test
    void picturesAreReadInOrder() throws Exception {
        for (int pictures : new int[] {1, 2, 9}) {
            try (Video video = Y4mVideo.open(file("W6 H4 F25:1", pictures, 36))) {
                assertEquals(pictures, video.pictures());
                for (int i = 0; i < pictures; i++) {
                    assertTrue(video.next().isPresent(), "picture " + i + " of " + pictures);
                }
                assertTrue(video.next().isEmpty());
                assertTrue(video.next().isEmpty());
            }
        }
    }

    @Test
    void memoryFollowsWhatIsThere() throws Exception {
        refused(
                "W30000 H30000 F25:1",
                3,
                "holds no whole picture: one of 30000x30000 has 1350000000 bytes; get it whole");
        refused("W65536 H65536 F25:1", 3, "holds no whole picture");
        refused("W16777216 H16777216 C444p10", 3, "holds no whole picture");
        refused("W6 H4 F25:1", 35, "holds no whole picture: one of 6x4 has 36 bytes");
        Path sparse = Path.of(file("W30000 H60000 F25:1", 1, 3));
        try (RandomAccessFile out = new RandomAccessFile(sparse.toFile(), "rw")) {
            out.setLength(3L << 30);
        }
        String message = assertThrows(CommandFailedException.class, () -> Y4mVideo.open(sparse.toString()))
                .getMessage();
        assertTrue(message.contains("more than 2 GiB each"), message);
    }

    @Test
    void headersThatCannotBeAreRefused() throws Exception {
        refused("W1000000000 H1000000000", 3, "its header says 1000000000x1000000000 C420");
        refused("W2147483647 H2", 3, "its header says 2147483647x2");
        refused("W99999999999 H2", 3, "its header says 99999999999 for a number");
        refused("W-6 H4", 36, "its header says -6x4");
        refused("W6", 36, "its header says 6x0");
        refused("W6 H4 C411", 36, "C411");
        refused("W6 H4 F25", 36, "its header says 25 for a rate");
        refused("W6 H4 X" + "x".repeat(300), 36, "a line of more than 256 characters");
    }
}
