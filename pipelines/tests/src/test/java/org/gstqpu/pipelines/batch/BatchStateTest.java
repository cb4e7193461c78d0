/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a state folder, which several machines write, and anyone may have damaged. */
class BatchStateTest {
    private static final String WORKER = "0123456789abcdef";
    private static final String PLACE = ",\"host\":\"h\",\"boot\":\"b\",\"space\":\"s\",\"pid\":1,\"start\":1}";

    @TempDir
    Path state;

    @Test
    void whatIsSaidOfAUnitNamesItsInputOnce() {
        BatchTask unit = new BatchTask.Unit("000001", "/a.avi", null, null, null, "a.mkv", null, 0);
        assertEquals("/a.avi: is empty", unit.said("/a.avi: is empty"));
        assertEquals("/a.avi: what it reads is damaged", unit.said("what it reads is damaged"));
    }

    @Test
    void aLeaseIsRead() throws IOException {
        assertNotNull(content("{\"holder\":{\"worker\":\"" + WORKER + "\"" + PLACE + ",\"seconds\":9}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "{\"holder\":null,\"seconds\":9}",
                "{\"holder\":{\"worker\":\"" + WORKER + "\"},\"seconds\":9}",
                "{\"holder\":{\"worker\":\"../../../x\"" + PLACE + ",\"seconds\":9}",
            })
    void aLeaseOfNoWorkerHasNoContent(String text) throws IOException {
        assertNull(content(text));
    }

    private Lease.Content content(String text) throws IOException {
        Files.writeString(state.resolve("000001" + Lease.SUFFIX), text);
        return Lease.look(state, "000001").orElseThrow().content();
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "{\"id\":\"000001\",\"pictures\":1}", "[", "1"})
    void aDamagedLineOfAJournalIsNamed(String line) throws IOException {
        String whole = "{\"id\":\"000001\",\"worker\":\"w\",\"host\":\"h\",\"pictures\":1,\"nanos\":1}\n";
        Path file = state.resolve("w" + Journal.SUFFIX);
        Files.writeString(file, whole + "{\"id\":");
        assertEquals(1, Journal.read(state, "w").size());
        Files.writeString(file, whole + line + "\n");
        IOException refused = assertThrows(IOException.class, () -> Journal.read(state, "w"));
        assertTrue(refused.getMessage().contains("'" + line + "'"), refused.getMessage());
    }
}
