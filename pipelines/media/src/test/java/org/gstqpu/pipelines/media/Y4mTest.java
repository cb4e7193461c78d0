/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Y4mTest {
    @TempDir
    private Path folder;

    @Test
    void whatIsWrittenIsReadBackAlsoAtOddSizes() throws IOException {
        Path file = folder.resolve("odd.y4m");
        I420Picture[] written = {new I420Picture(17, 5), new I420Picture(17, 5)};
        Random random = new Random(7);
        try (Y4mWriter writer = new Y4mWriter(file, 17, 5, 25)) {
            for (I420Picture picture : written) {
                for (int plane = 0; plane < 3; plane++) {
                    random.nextBytes(picture.plane(plane));
                }
                writer.write(picture);
            }
        }
        try (Y4mReader reader = Y4mReader.open(file)) {
            assertEquals(17, reader.width());
            assertEquals(5, reader.height());
            I420Picture read = reader.newPicture();
            for (I420Picture picture : written) {
                assertTrue(reader.read(read));
                for (int plane = 0; plane < 3; plane++) {
                    assertArrayEquals(picture.plane(plane), read.plane(plane));
                }
            }
            assertFalse(reader.read(read));
        }
    }

    @Test
    void frameParametersAreAllowed() throws IOException {
        Path file = folder.resolve("parameters.y4m");
        Files.writeString(file, "YUV4MPEG2 W2 H2 F25:1 C420jpeg XA=b\nFRAME Ip\nabcdef", StandardCharsets.US_ASCII);
        try (Y4mReader reader = Y4mReader.open(file)) {
            I420Picture picture = reader.newPicture();
            assertTrue(reader.read(picture));
            assertEquals('e', picture.sample(1, 0, 0));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "RIFF....",
                "YUV4MPEG2 W2 H2",
                "YUV4MPEG2 W2\n",
                "YUV4MPEG2 Wtwo H2\n",
                "YUV4MPEG2 W2 H2 C444\n",
                "YUV4MPEG2 W2 H2 C420p10\n"
            })
    void otherFilesAreRefusedByName(String content) throws IOException {
        Path file = folder.resolve("other.y4m");
        Files.writeString(file, content, StandardCharsets.US_ASCII);
        IOException failure = assertThrows(IOException.class, () -> Y4mReader.open(file));
        assertTrue(failure.getMessage().contains("other.y4m"), failure.getMessage());
    }

    @Test
    void aHeaderLineWithoutEndIsRefused() throws IOException {
        Path file = folder.resolve("long.y4m");
        byte[] line = new byte[100_000];
        Arrays.fill(line, (byte) 'Y');
        Files.write(file, line);
        assertThrows(IOException.class, () -> Y4mReader.open(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"YUV4MPEG2 W2 H2\nFRAME\nabcde", "YUV4MPEG2 W2 H2\nFRAM", "YUV4MPEG2 W2 H2\nEMARF\nabcdef"})
    void aPictureThatIsCutOffOrMissingIsAnError(String content) throws IOException {
        Path file = folder.resolve("cut.y4m");
        Files.writeString(file, content, StandardCharsets.US_ASCII);
        try (Y4mReader reader = Y4mReader.open(file)) {
            I420Picture picture = reader.newPicture();
            assertThrows(IOException.class, () -> reader.read(picture));
        }
    }
}
