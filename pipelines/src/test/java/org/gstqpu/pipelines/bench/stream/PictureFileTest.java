/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PictureFileTest {
    @TempDir
    private Path folder;

    private PictureFile file(String name, int... samples) throws IOException {
        byte[] bytes = new byte[samples.length];
        for (int i = 0; i < samples.length; i++) {
            bytes[i] = (byte) samples[i];
        }
        return new PictureFile(Files.write(folder.resolve(name), bytes), 4);
    }

    @Test
    void equalPicturesDoNotDiffer() throws IOException {
        PictureFile right = file("right", 1, 2, 3, 4, 5, 6, 7, 200);
        assertEquals(2, right.count());
        assertEquals(Optional.empty(), right.differs(1, right, 1, 0));
        assertEquals(Optional.empty(), file("second", 5, 6, 7, 200).differs(0, right, 1, 0));
    }

    @Test
    void theFirstWrongByteIsNamed() throws IOException {
        PictureFile right = file("right", 1, 2, 3, 4, 5, 6, 7, 200);
        assertEquals(
                Optional.of("byte 3 of picture 0 is 199, not 200"),
                file("one", 5, 6, 7, 199).differs(0, right, 1, 0));
        assertEquals(
                Optional.of("picture 1 is not there, only 1 are"),
                file("one", 5, 6, 7, 200).differs(1, right, 1, 0));
    }

    @Test
    void toleranceIsForTheMeanOfAllSamples() throws IOException {
        PictureFile right = file("right", 0, 0, 0, 250);
        PictureFile near = file("near", 2, 2, 2, 248);
        assertEquals(Optional.empty(), near.differs(0, right, 0, 2));
        assertTrue(near.differs(0, right, 0, 1.9).isPresent());
    }
}
