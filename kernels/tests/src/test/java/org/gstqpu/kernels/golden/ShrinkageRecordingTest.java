/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.TestVectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The golden pictures of shrinkage, which the references of these tests have recorded: README.md beside them says how. */
class ShrinkageRecordingTest {
    private static final String FOLDER = "gstqpu.record";

    @Test
    @DisabledIfSystemProperty(named = FOLDER, matches = ".+")
    void theFilesAreWhatTheReferencesGive() throws Exception {
        Set<String> recorded = new TreeSet<>();
        for (ShrinkageRecording recording : ShrinkageRecording.ALL) {
            SamplePicture samples = recording.samples();
            String name = recording.file(samples);
            recorded.add(name);
            assertArrayEquals(recording.record(samples), decompress(TestVectors.named(name)), name);
        }
        Set<String> found = new TreeSet<>();
        for (Path file : TestVectors.endingIn(".gvp.gz")) {
            String name = file.getFileName().toString();
            if (name.startsWith("shrinkage_")) {
                found.add(name);
            }
        }
        assertEquals(recorded, found);
        assertArrayEquals(
                ShrinkageBlockRecording.record(), decompress(TestVectors.named(ShrinkageBlockRecording.FILE)));
        assertEquals(ShrinkageRecording.ALL.size(), found.size(), "each has a name of its own");
    }

    private static byte[] decompress(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }

    /** Writes the files into the folder that the system property names. */
    @Test
    @EnabledIfSystemProperty(named = FOLDER, matches = ".+")
    void recordsTheFiles() throws Exception {
        Path folder = Path.of(System.getProperty(FOLDER));
        for (ShrinkageRecording recording : ShrinkageRecording.ALL) {
            SamplePicture samples = recording.samples();
            compress(recording.record(samples), folder.resolve(recording.file(samples)));
        }
        compress(ShrinkageBlockRecording.record(), folder.resolve(ShrinkageBlockRecording.FILE));
    }

    private static void compress(byte[] content, Path file) throws IOException {
        try (OutputStream out = new GZIPOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            out.write(content);
        }
    }
}
